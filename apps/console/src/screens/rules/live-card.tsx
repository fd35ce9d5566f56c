import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { usePairScore, type PassRules, type PreviewedPair, type PairOfIds, type RulesDraft } from '../../api/rules';
import type { TriedRules } from '../../api/simulations';
import { useFaultText } from '../../parts/fault-text';
import { Field, textIn } from '../../parts/form';
import { useSettled } from '../../parts/settled';
import { Skeleton } from '../../parts/states';
import { useText } from '../../text';
import { choosePairs, pairChoices, scaleOf, type PairChoice } from './draft';
import { PairEntry } from './pair-entry';

export type ShownExamples = NonNullable<TriedRules['examples']>;

/** The pairs of a trial that are shown, each once. */
export function pairsOf(examples: ShownExamples | null): PairOfIds[] {
  const found = new Map<string, PairOfIds>();
  for (const choice of pairChoices)
    for (const { left_record_id: left, right_record_id: right } of examples?.[choice] ?? [])
      found.set(`${left} ${right}`, { left, right });
  return [...found.values()];
}

interface LiveCardProps {
  pass: PassRules;
  draft: RulesDraft;
  scores: UseQueryResult<{ results: PreviewedPair[] }>;
  /** Pairs that a trial has selected from all records; null: pairs of the newest records are shown. */
  examples: ShownExamples | null;
  isAllowed: boolean;
}

const keyOf = ({ left_record_id: left, right_record_id: right }: Partial<PreviewedPair>): string => `${left} ${right}`;

/** Shows pairs of stored records with the scores that the draft gives them. */
export function LiveCard({ pass, draft, scores, examples, isAllowed }: LiveCardProps) {
  const { rules } = useText();
  const faultText = useFaultText();
  const [choice, setChoice] = useState<PairChoice>('best');
  const pairs = scores.data?.results;
  const { params } = draft;
  const chosen = (scored: readonly PreviewedPair[]): PreviewedPair[] => {
    if (examples === null) return choosePairs(scored, choice, params);
    const byIds = new Map(scored.map((pair) => [keyOf(pair), pair]));
    return examples[choice].flatMap((pair) => byIds.get(keyOf(pair)) ?? []);
  };
  return (
    <section className="card rules-card" aria-label={rules.live}>
      <div>
        <h2>{rules.live}</h2>
        <p className="soft">
          {!isAllowed ? rules.noRecords : examples === null ? rules.liveHintNewest : rules.liveHint}
        </p>
      </div>
      {scores.error ? (
        <p className="notice bad" role="alert">
          {faultText(scores.error)}
        </p>
      ) : null}
      {!isAllowed ? null : pairs === undefined ? (
        scores.error ? null : (
          <Skeleton />
        )
      ) : pairs.length === 0 ? (
        <p className="soft">{rules.liveNone}</p>
      ) : (
        <>
          <div className="segments" role="group" aria-label={rules.live}>
            {pairChoices.map((one) => (
              <button key={one} type="button" aria-pressed={one === choice} onClick={() => setChoice(one)}>
                {rules.choices[one]}
              </button>
            ))}
          </div>
          <ol className="pairs">
            {chosen(pairs).map((pair) => (
              <PairEntry key={keyOf(pair)} pair={pair} scale={scaleOf(params)} />
            ))}
          </ol>
        </>
      )}
      {isAllowed ? <PairByIds pass={pass} draft={draft} /> : null}
    </section>
  );
}

function PairByIds({ pass, draft }: { pass: PassRules; draft: RulesDraft }) {
  const { rules } = useText();
  const faultText = useFaultText();
  const [ids, setIds] = useState<PairOfIds | null>(null);
  const query = usePairScore(useSettled(draft), pass, ids);
  return (
    <details className="by-ids">
      <summary>{rules.byIds}</summary>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          setIds({ left: textIn(form, 'left'), right: textIn(form, 'right') });
        }}
      >
        <Field label={rules.leftId}>
          <input className="input mono" name="left" required />
        </Field>
        <Field label={rules.rightId}>
          <input className="input mono" name="right" required />
        </Field>
        <button type="submit" className="button">
          {rules.show}
        </button>
      </form>
      {query.error ? (
        <p className="wrong" role="alert">
          {faultText(query.error)}
        </p>
      ) : query.data ? (
        <ol className="pairs">
          <PairEntry pair={query.data} scale={scaleOf(draft.params)} isOpen />
        </ol>
      ) : null}
    </details>
  );
}
