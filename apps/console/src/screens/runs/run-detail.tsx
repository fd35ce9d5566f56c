import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { tieout } from '../../api/client';
import type { Run } from '../../api/reconciliations';
import { isActive, type RunPass } from '../../api/runs';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Check, Field, textIn } from '../../parts/form';
import { useKeys } from '../../parts/keys';
import { ReasonField } from '../../parts/reasons';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { plainText } from '../../text/refusal';
import { Changes } from './changes';
import { Faults } from './faults';

const tones: Partial<Record<RunPass['status'] | Run['status'], string>> = {
  completed: 'badge good',
  failed: 'badge bad',
  running: 'badge warn',
};

export function StatusBadge({ status }: { status: RunPass['status'] | Run['status'] }) {
  const { runs } = useText();
  return <span className={tones[status] ?? 'badge'}>{runs.status[status]}</span>;
}

const spent = ({ started_at: from, finished_at: to }: { started_at: string | null; finished_at: string | null }) =>
  from === null ? null : (to === null ? Date.now() : Date.parse(to)) - Date.parse(from);

function Progress({ run }: { run: Run }) {
  const { runs } = useText();
  const formats = useFormats();
  const label = runs.progress(formats.count(run.pairs_processed), formats.counted(run.pairs_total));
  return (
    <div className="progress">
      <progress
        aria-label={label}
        max={Math.max(1, run.pairs_total)}
        {...(run.pairs_total > 0 && { value: run.pairs_processed })}
      />
      <span className="soft figures">{label}</span>
    </div>
  );
}

function Figure({ label, value, isBad = false }: { label: string; value: string; isBad?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isBad ? 'figure wrong' : 'figure'}>{value}</dd>
    </div>
  );
}

function Figures({ run }: { run: Run }) {
  const { runs } = useText();
  const formats = useFormats();
  const counts = run.decision_counts;
  const duration = spent(run);
  return (
    <dl className="facts figures-row">
      <Figure label={runs.matches} value={formats.count(counts.MATCH)} />
      <Figure label={runs.groups} value={formats.count(counts.COMPOSITE_MATCH)} />
      <Figure label={runs.possible} value={formats.count(counts.POSSIBLE + counts.COMPOSITE_POSSIBLE)} />
      <Figure label={runs.faults} value={formats.count(counts.ERROR)} isBad={counts.ERROR > 0} />
      <Figure label={runs.records} value={formats.count(run.records_total)} />
      {run.failed_records > 0 ? (
        <Figure label={runs.failedRecords} value={formats.count(run.failed_records)} isBad />
      ) : null}
      {duration === null ? null : <Figure label={runs.duration} value={formats.duration(duration)} />}
    </dl>
  );
}

const steps = ['read', 'block', 'score', 'write', 'finish'] as const;

/** One bar of the time of a pass, a part for each step. */
function Timings({ timings, maxMs }: { timings: RunPass['timings']; maxMs: number }) {
  const { runs } = useText();
  const formats = useFormats();
  const parts = steps.map((step, at) => ({ step, at, ms: timings[`${step}_ms`] }));
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  const said = parts
    .filter(({ ms }) => ms > 0)
    .map(({ step, ms }) => runs.step(runs.steps[step], formats.duration(ms)))
    .join(', ');
  return (
    <span className="timing" title={said}>
      <span className="visually-hidden">{said}</span>
      <span className="timing-track" aria-hidden="true">
        {parts.map(({ step, at, ms }) => (
          <i key={step} className={`tone-${at + 1}`} style={{ width: `${(100 * ms) / Math.max(1, maxMs)}%` }} />
        ))}
      </span>
      <span className="figures">{formats.duration(total)}</span>
    </span>
  );
}

const totalOf = ({ timings }: RunPass): number => steps.reduce((sum, step) => sum + timings[`${step}_ms`], 0);

function PassName({ pass }: { pass: RunPass }) {
  const { runs } = useText();
  const formats = useFormats();
  return (
    <>
      <bdi>{pass.rule_set_name}</bdi> <span className="soft">{runs.version(pass.rule_set_version)}</span>{' '}
      {pass.status === 'completed' ? null : <StatusBadge status={pass.status} />}
      {pass.status === 'running' && pass.pairs_total > 0 ? (
        <span className="soft figures"> {formats.percent(pass.pairs_processed / pass.pairs_total)}</span>
      ) : null}
    </>
  );
}

function Passes({ run }: { run: Run }) {
  const { runs } = useText();
  const formats = useFormats();
  const maxMs = Math.max(...run.rule_sets.map(totalOf));
  return (
    <section className="block">
      <h3>{runs.passes}</h3>
      <TableFrame label={runs.passes}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{runs.pass}</th>
              <th scope="col" className="amount">
                {runs.pairs}
              </th>
              <th scope="col" className="amount">
                {runs.matches}
              </th>
              <th scope="col" className="amount">
                {runs.groups}
              </th>
              <th scope="col" className="amount">
                {runs.possible}
              </th>
            </tr>
          </thead>
          <tbody>
            {run.rule_sets.map((pass) => (
              <tr key={pass.id}>
                <td>
                  <PassName pass={pass} />
                  <Timings timings={pass.timings} maxMs={maxMs} />
                </td>
                <td className="amount">{formats.count(pass.pairs_total)}</td>
                <td className="amount">{formats.count(pass.decision_counts.MATCH)}</td>
                <td className="amount">{formats.count(pass.decision_counts.COMPOSITE_MATCH)}</td>
                <td className="amount">
                  {formats.count(pass.decision_counts.POSSIBLE + pass.decision_counts.COMPOSITE_POSSIBLE)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <ul className="legend" aria-hidden="true">
        <li>{runs.where}:</li>
        {steps.map((step, at) => (
          <li key={step}>
            <i className={`tone-${at + 1}`} /> {runs.steps[step]}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface UndoProps {
  run: Run;
  reconciliationId: string;
  onClose: () => void;
}

function Undo({ run, reconciliationId, onClose }: UndoProps) {
  const { runs } = useText();
  const formats = useFormats();
  const action = useAction(['reconciliation', reconciliationId], ['run', run.id]);
  const submit = (form: FormData): void => {
    const reasonCode = textIn(form, 'reasonCode');
    const note = textIn(form, 'note');
    const body = {
      ...(reasonCode && { reasonCode }),
      ...(note && { note }),
      ...(form.has('allowAgain') && { allowAgain: true }),
      ...(form.has('force') && { force: true }),
    };
    void action
      .run(async () => {
        const { done, failed } = await tieout.undoMatchingJob({ path: { id: run.id }, body });
        return runs.undone(formats.counted(done), formats.counted(failed.length));
      })
      .then((done) => done && onClose());
  };
  return (
    <Confirm
      title={runs.undo}
      submitLabel={runs.undo}
      isDanger
      isBusy={action.isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="soft">{runs.undoHint}</p>
      <ReasonField label={runs.reason} autoFocus />
      <Field label={runs.note}>
        <input className="input" name="note" maxLength={2_000} />
      </Field>
      <Check name="allowAgain" label={runs.allowAgain} />
      <Check name="force" label={runs.force} />
    </Confirm>
  );
}

/** Shows one run: its progress, what it decided, where it failed, and what it would change. */
export function RunDetail({ run, reconciliationId }: { run: Run; reconciliationId: string }) {
  const texts = useText();
  const { runs } = texts;
  const [asksUndo, setAsksUndo] = useState(false);
  const mayCancel = useAllows('jobs:write');
  const mayRelease = useAllows('matches:write');
  const action = useAction(['reconciliation', reconciliationId], ['run', run.id]);
  const active = isActive(run);
  const { MATCH, COMPOSITE_MATCH, POSSIBLE, COMPOSITE_POSSIBLE } = run.decision_counts;
  const canUndo = !active && run.dry_run !== true && mayRelease && MATCH + COMPOSITE_MATCH > 0;
  useKeys(canUndo ? [{ key: 'u', label: runs.undo, run: () => setAsksUndo(true) }] : []);
  const cancel = () =>
    action.run(async () => {
      await tieout.cancelMatchingJob({ path: { id: run.id } });
      return runs.cancelled;
    });
  return (
    <article className="card run">
      <header className="columns">
        <div>
          <h2>
            <Moment of={run.started_at ?? run.created_at} /> <StatusBadge status={run.status} />
          </h2>
          <p className="soft">
            {[
              runs.trigger[run.trigger ?? 'manual'] ?? run.trigger,
              runs.mode[run.mode ?? 'incremental'] ?? run.mode,
              ...(run.dry_run ? [runs.isDryRun] : []),
            ].join(' · ')}
          </p>
        </div>
        <div className="row">
          {active && mayCancel ? (
            <button type="button" className="button" disabled={action.isBusy} onClick={() => void cancel()}>
              {runs.cancel}
            </button>
          ) : null}
          {canUndo ? (
            <button type="button" className="button danger" onClick={() => setAsksUndo(true)}>
              {runs.undo} <kbd>U</kbd>
            </button>
          ) : null}
        </div>
      </header>
      {run.error ? (
        <p className="notice bad" role="alert">
          {plainText(run.error.message, texts)}
        </p>
      ) : null}
      {active ? <Progress run={run} /> : null}
      <Figures run={run} />
      {POSSIBLE + COMPOSITE_POSSIBLE > 0 ? (
        <p>
          <Link to="/reconciliations/$id/suggestions" params={{ id: reconciliationId }}>
            {runs.results}
          </Link>{' '}
          <span className="soft">{runs.resultsHint}</span>
        </p>
      ) : null}
      {run.changes ? <Changes run={run} changes={run.changes} /> : null}
      {run.rule_sets.length > 0 ? <Passes run={run} /> : null}
      <Faults run={run} />
      {asksUndo ? <Undo run={run} reconciliationId={reconciliationId} onClose={() => setAsksUndo(false)} /> : null}
    </article>
  );
}
