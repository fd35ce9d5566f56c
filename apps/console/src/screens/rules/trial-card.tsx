import { useMemo, useState } from 'react';
import type { RuleParams } from '../../api/rules';
import type { TrialChange, TriedRules } from '../../api/simulations';
import { useFaultText } from '../../parts/fault-text';
import { Skeleton } from '../../parts/states';
import { Warned } from '../../parts/warned';
import { useFormats, useText } from '../../text';
import { Histogram } from './histogram';
import { changesOf, figuresAt, widerBins } from './outcome';
import { ChangedEntry } from './pair-entry';
import type { TrialOf } from './use-trial-of';

interface TrialCardProps {
  trial: TrialOf;
  params: RuleParams;
  onThreshold: (name: 'Tmatch' | 'Tpossible', value: number) => void;
}

/** Shows what the rules would change: counts, pairs by score, and the pairs that come, go or change. */
export function TrialCard({ trial, params, onThreshold }: TrialCardProps) {
  const { rules } = useText();
  const formats = useFormats();
  const faultText = useFaultText();
  const { answer, asked, progress, error, isOld, isBusy, ask } = trial;
  return (
    <section className="card rules-card trial" aria-label={rules.trial}>
      <div>
        <h2>{rules.trial}</h2>
        <p className="soft">{rules.trialHint}</p>
      </div>
      <div className="row">
        <button type="button" className="button" disabled={isBusy} onClick={() => ask('sample')}>
          {rules.trySample}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => ask('all')}>
          {rules.tryAll}
        </button>
        {progress === null ? null : (
          <span className="soft" role="status">
            {rules.trying(formats.percent(progress))}
          </span>
        )}
      </div>
      {isOld ? <p className="notice">{rules.trialOld}</p> : null}
      {error ? (
        <p className="notice bad" role="alert">
          {faultText(error)}
        </p>
      ) : null}
      {answer !== null && asked !== null ? (
        <Outcome answer={answer} asked={asked.params} params={params} onThreshold={onThreshold} />
      ) : error ? null : (
        <Skeleton />
      )}
    </section>
  );
}

interface OutcomeProps extends Pick<TrialCardProps, 'params' | 'onThreshold'> {
  answer: TriedRules;
  asked: RuleParams;
}

const kinds = ['new', 'lost', 'changed'] as const;
type ChangeKind = (typeof kinds)[number];

const tones = { MATCH: 'badge good', POSSIBLE: 'badge warn', NO_MATCH: 'badge', ERROR: 'badge bad' } as const;

function Outcome({ answer, asked, params, onThreshold }: OutcomeProps) {
  const { rules } = useText();
  const formats = useFormats();
  const { Tmatch, Tpossible } = params;
  const bins = useMemo(() => widerBins(answer.histogram, { Tmatch, Tpossible }), [answer, Tmatch, Tpossible]);
  const figures = figuresAt(answer, asked, params);
  const { left, right } = answer.records;
  const saysOf = (changes: NonNullable<TriedRules['changes']>): string => {
    const counts = changesOf(changes);
    return kinds
      .map((kind) => rules.changeSays[kind](formats.counted(counts[kind][0]), formats.counted(counts[kind][1])))
      .join(' ');
  };
  const counts = [
    ['MATCH', figures.matches],
    ['POSSIBLE', figures.possible],
    ['NO_MATCH', figures.others],
    ['ERROR', figures.errors],
  ] as const;
  return (
    <>
      <p className="soft">
        {rules.trialOf(formats.count(left.read), formats.counted(left.total), formats.count(right.read))}
      </p>
      <p className="live-counts" role="status">
        {counts.map(([decision, count]) =>
          count === 0 && decision === 'ERROR' ? null : (
            <span key={decision} className={tones[decision]}>
              {rules.counts[decision]} {figures.isEstimate && decision !== 'ERROR' ? '≈ ' : ''}
              {formats.count(count)}
            </span>
          ),
        )}
      </p>
      {answer.changes === null || figures.newMatches === null || figures.lostMatches === null ? null : (
        <p>
          {figures.isEstimate
            ? `≈ ${rules.against(formats.counted(figures.newMatches), formats.counted(figures.lostMatches))}`
            : saysOf(answer.changes)}{' '}
          {rules.stayOpen(formats.count(answer.unmatched.left.count), formats.counted(answer.unmatched.right.count))}
        </p>
      )}
      <Histogram bins={bins} params={params} onThreshold={onThreshold} />
      {answer.changes && figures.isEstimate ? (
        <p className="soft">{rules.changesAsTried(formats.number(asked.Tmatch), formats.number(asked.Tpossible))}</p>
      ) : null}
      {answer.changes ? <Changes changes={answer.changes} scale={answer.scale} /> : null}
      {answer.warnings.length > 0 ? (
        <details className="by-ids">
          <summary>{rules.trialWarnings(formats.count(answer.warnings.length))}</summary>
          <ul className="plain-list">
            {answer.warnings.map(({ code, message }) => (
              <li key={code}>
                <Warned code={code} message={message} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

const firstShown = 10;

/** Shows the pairs that come, go or change their decision, with a page for each of the three. */
function Changes({ changes, scale }: { changes: NonNullable<TriedRules['changes']>; scale: number }) {
  const { rules, frame } = useText();
  const formats = useFormats();
  const counts = changesOf(changes);
  const totalOf = (one: ChangeKind): number => counts[one][0] + counts[one][1];
  const [kind, setKind] = useState<ChangeKind>(kinds.find((one) => totalOf(one) > 0) ?? 'new');
  const [isAll, setAll] = useState(false);
  const pairs: readonly TrialChange[] = changes.pages[kind];
  const shown = isAll ? pairs : pairs.slice(0, firstShown);
  return (
    <>
      <div className="segments" role="group" aria-label={rules.trial}>
        {kinds.map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {rules.changeKinds[one]} {formats.count(totalOf(one))}
          </button>
        ))}
      </div>
      {pairs.length === 0 ? (
        <p className="soft">{rules.noChange}</p>
      ) : (
        <ol className="pairs">
          {shown.map((pair) => (
            <ChangedEntry key={`${pair.left_record_id} ${pair.right_record_id}`} pair={pair} scale={scale} />
          ))}
        </ol>
      )}
      {shown.length < pairs.length ? (
        <button type="button" className="button" onClick={() => setAll(true)}>
          {frame.more}
        </button>
      ) : totalOf(kind) > pairs.length ? (
        <p className="soft">{rules.bestOf(formats.count(pairs.length), formats.count(totalOf(kind)))}</p>
      ) : null}
    </>
  );
}
