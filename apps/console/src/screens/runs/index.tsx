import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient, tieout, type Schema } from '../../api/client';
import { usePages } from '../../api/pages';
import { useReconciliation, type Run } from '../../api/reconciliations';
import { isActive, runQuery } from '../../api/runs';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { useAddress, usePathId } from '../../parts/address';
import { Confirm } from '../../parts/confirm';
import { PageHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { OnlyFor } from '../../parts/only-for';
import { More } from '../../parts/pages';
import { Split } from '../../parts/split';
import { Empty, Loaded } from '../../parts/states';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { plainText } from '../../text/refusal';
import { RunDetail, StatusBadge } from './run-detail';
import { Triggers } from './triggers';

type LastRun = Schema<'LastRun'>;

function Entry({ run, isChosen }: { run: Run; isChosen: boolean }) {
  const { runs } = useText();
  const formats = useFormats();
  const { MATCH, COMPOSITE_MATCH, POSSIBLE, COMPOSITE_POSSIBLE } = run.decision_counts;
  return (
    <li>
      <Link to="." search={{ run: run.id }} className="list-entry" aria-current={isChosen ? 'true' : undefined} replace>
        <span className="columns">
          <strong>
            <Moment of={run.started_at ?? run.created_at} />
          </strong>
          <StatusBadge status={run.status} />
        </span>
        <span className="columns soft">
          <span>
            {runs.trigger[run.trigger ?? 'manual'] ?? run.trigger}
            {run.mode === 'full' ? ` · ${runs.mode.full}` : ''}
            {run.dry_run ? ` · ${runs.isDryRun}` : ''}
          </span>
          <span className="figures">
            {formats.count(MATCH + COMPOSITE_MATCH)} / {formats.count(POSSIBLE + COMPOSITE_POSSIBLE)}
          </span>
        </span>
      </Link>
    </li>
  );
}

interface StartProps {
  reconciliationId: string;
  onStarted: (id: string) => void;
}

/** The ways to start a run. */
function Start({ reconciliationId, onStarted }: StartProps) {
  const { runs } = useText();
  const [asksFull, setAsksFull] = useState(false);
  const { isBusy, run } = useAction(['reconciliation', reconciliationId]);
  const start = (body: { mode?: 'full'; dryRun?: boolean }): Promise<boolean> =>
    run(async () => {
      const started = await tieout.startReconciliationRun({ path: { id: reconciliationId }, body });
      queryClient.setQueryData(['run', started.id], started);
      onStarted(started.id);
      return runs.started;
    });
  useKeys([
    { key: 's', label: runs.start, run: () => void start({}) },
    { key: 'd', label: runs.dryRun, run: () => void start({ mode: 'full', dryRun: true }) },
    { key: 'f', label: runs.full, run: () => setAsksFull(!isBusy) },
  ]);
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => setAsksFull(true)}>
        {runs.full} <kbd>F</kbd>
      </button>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        onClick={() => void start({ mode: 'full', dryRun: true })}
      >
        {runs.dryRun} <kbd>D</kbd>
      </button>
      <button type="button" className="button primary" disabled={isBusy} onClick={() => void start({})}>
        {runs.start} <kbd>S</kbd>
      </button>
      {asksFull ? (
        <Confirm
          title={runs.full}
          submitLabel={runs.full}
          isBusy={isBusy}
          onClose={() => setAsksFull(false)}
          onSubmit={() => void start({ mode: 'full' }).then((done) => done && setAsksFull(false))}
        >
          <p>{runs.fullHint}</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** Says why a trigger has started no run, and when it is tried again. */
function Refusal({ of: { trigger, at, error, next_attempt_at: nextAt } }: { of: LastRun }) {
  const texts = useText();
  const { runs } = texts;
  return (
    <div className="notice bad" role="alert">
      <strong>{runs.refused}</strong> ({runs.trigger[trigger] ?? trigger}, <Moment of={at} />)
      {error ? `: ${plainText(error.message, texts)}` : ''}
      {nextAt === null ? null : (
        <p>
          {runs.again} <Moment of={nextAt} />
        </p>
      )}
    </div>
  );
}

function Chosen({ id, reconciliationId }: { id: string; reconciliationId: string }) {
  const query = useQuery(runQuery(id));
  return <Loaded query={query}>{(run) => <RunDetail run={run} reconciliationId={reconciliationId} />}</Loaded>;
}

export default function Runs() {
  const { runs } = useText();
  const id = usePathId();
  const { search, setSearch } = useAddress();
  const reconciliation = useReconciliation(id);
  const mayStart = useAllows('reconciliations:write');
  const query = usePages({
    queryKey: ['reconciliation', id, 'runs', 'pages'],
    read: (cursor, signal) =>
      tieout.listReconciliationRuns({ path: { id }, query: { limit: 25, ...(cursor && { cursor }) }, signal }),
    refetchInterval: 5_000,
  });
  const shown = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = search.run ?? shown.find(isActive)?.id ?? shown[0]?.id;
  const move = (by: number): void => {
    const next = shown[shown.findIndex((run) => run.id === chosen) + by];
    if (next !== undefined) setSearch({ run: next.id });
  };
  useKeys([
    { key: 'j', label: runs.next, run: () => move(1) },
    { key: 'k', label: runs.previous, run: () => move(-1) },
  ]);
  return (
    <>
      <PageHead name={runs.title} title={runs.title}>
        {mayStart ? (
          <Start reconciliationId={id} onStarted={(run) => setSearch({ run, list: undefined })} />
        ) : (
          <OnlyFor act="start" />
        )}
      </PageHead>
      {reconciliation.data ? <Triggers reconciliation={reconciliation.data} mayChange={mayStart} /> : null}
      {reconciliation.data?.last_run?.status === 'refused' ? <Refusal of={reconciliation.data.last_run} /> : null}
      <Loaded query={query}>
        {() =>
          shown.length === 0 ? (
            <Empty title={runs.none}>
              <p>{runs.noneHint}</p>
            </Empty>
          ) : (
            <Split
              label={runs.list}
              choice="run"
              back={runs.all}
              list={
                <>
                  <ul>
                    {shown.map((run) => (
                      <Entry key={run.id} run={run} isChosen={run.id === chosen} />
                    ))}
                  </ul>
                  <More query={query} />
                </>
              }
            >
              {chosen ? <Chosen key={chosen} id={chosen} reconciliationId={id} /> : null}
            </Split>
          )
        }
      </Loaded>
    </>
  );
}
