import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { asTieoutError } from '../../api/client';
import { usePairScore, type PassRules, type RulesDraft, type PreviewedPair } from '../../api/rules';
import { Field, textIn } from '../../parts/form';
import { useSettled } from '../../parts/settled';
import { Skeleton } from '../../parts/states';
import { useFormats, useText } from '../../text';
import { choosePairs, histogramOf, pairChoices, scaleOf, type PairChoice } from './draft';
import { Histogram } from './histogram';
import { PairEntry } from './pair-entry';

interface LiveCardProps {
  pass: PassRules;
  draft: RulesDraft;
  scores: UseQueryResult<{ results: PreviewedPair[] }>;
  isAllowed: boolean;
  onThreshold: (name: 'Tmatch' | 'Tpossible', value: number) => void;
}

/** Pairs of the data with what the draft says of them. */
export function LiveCard({ pass, draft, scores, isAllowed, onThreshold }: LiveCardProps) {
  const { rules } = useText();
  const formats = useFormats();
  const [choice, setChoice] = useState<PairChoice>('best');
  const pairs = scores.data?.results;
  const { params } = draft;
  const bins = useMemo(
    () =>
      histogramOf(
        (pairs ?? []).flatMap(({ score }) => score ?? []),
        params,
      ),
    [pairs, params],
  );
  const fault = scores.error ? asTieoutError(scores.error) : null;
  const countOf = (decision: string): number => pairs?.filter((pair) => pair.decision === decision).length ?? 0;
  return (
    <aside className="card rules-card live" aria-label={rules.live}>
      <div>
        <h2>{rules.live}</h2>
        <p className="soft">{isAllowed ? rules.liveHint : rules.noRecords}</p>
      </div>
      {fault ? (
        <p className="notice bad" role="alert">
          {fault.errors[0]?.message ?? fault.message}
        </p>
      ) : null}
      {!isAllowed ? null : pairs === undefined ? (
        fault ? null : (
          <Skeleton />
        )
      ) : pairs.length === 0 ? (
        <p className="soft">{rules.liveNone}</p>
      ) : (
        <>
          <p className="live-counts" role="status">
            {Object.entries(rules.counts).map(([decision, name]) => (
              <span key={decision} className={`badge ${tones[decision] ?? ''}`}>
                {name} {formats.count(countOf(decision))}
              </span>
            ))}
          </p>
          <Histogram bins={bins} params={params} onThreshold={onThreshold} />
          <div className="segments" role="group" aria-label={rules.live}>
            {pairChoices.map((one) => (
              <button key={one} type="button" aria-pressed={one === choice} onClick={() => setChoice(one)}>
                {rules.choices[one]}
              </button>
            ))}
          </div>
          <ol className="pairs">
            {choosePairs(pairs, choice, params).map((pair) => (
              <PairEntry key={`${pair.left_record_id} ${pair.right_record_id}`} pair={pair} scale={scaleOf(params)} />
            ))}
          </ol>
        </>
      )}
      {isAllowed ? <PairByIds pass={pass} draft={draft} /> : null}
    </aside>
  );
}

const tones: Record<string, string> = { MATCH: 'good', POSSIBLE: 'warn', ERROR: 'bad' };

function PairByIds({ pass, draft }: { pass: PassRules; draft: RulesDraft }) {
  const { rules } = useText();
  const [ids, setIds] = useState<{ left: string; right: string } | null>(null);
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
          {query.error.message}
        </p>
      ) : query.data ? (
        <ol className="pairs">
          <PairEntry pair={query.data} scale={scaleOf(draft.params)} isOpen />
        </ol>
      ) : null}
    </details>
  );
}
