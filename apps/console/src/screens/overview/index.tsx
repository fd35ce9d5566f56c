import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePendingCount } from '../../api/groups';
import { useProposalCount } from '../../api/proposals';
import {
  runsQuery,
  summaryQuery,
  useReconciliations,
  type ReconciliationAnswer,
  type Run,
  type Summary,
} from '../../api/reconciliations';
import { useAllows, useMayMake } from '../../api/session';
import { useAddress } from '../../parts/address';
import { Bars } from '../../parts/bars';
import { PageHead } from '../../parts/frame';
import { OnlyFor } from '../../parts/only-for';
import { Empty, Fault, Loaded, Skeleton } from '../../parts/states';
import { Amount, Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { AgentProposals } from './agent-proposals';
import { ageingOf, matchedByAmount, matchedByCount } from './figures';
import { NewDialog } from './new-dialog';

function Rates({ id, summary }: { id: string; summary: Summary }) {
  const { overview } = useText();
  const formats = useFormats();
  const byAmount = matchedByAmount(summary);
  return (
    <p className="rate">
      <strong className="figures">{formats.percent(matchedByCount(summary))}</strong>
      <span>
        {overview.matched} {overview.byCount}
        {byAmount === null ? null : (
          <>
            <br />
            <span className="figures">{formats.percent(byAmount)}</span> {overview.byAmount}
          </>
        )}
        <Approvals id={id} />
      </span>
    </p>
  );
}

/** Matches that wait for a second person are held and count as matched: the rates say so. */
function Approvals({ id }: { id: string }) {
  const { overview } = useText();
  const formats = useFormats();
  const mayRead = useAllows('matches:read');
  const seesRecords = useAllows('records:read');
  const { data: count = 0 } = usePendingCount(id, mayRead && seesRecords);
  if (count === 0) return null;
  return (
    <>
      <br />
      <Link className="link" to="/reconciliations/$id/groups" params={{ id }} search={{ status: 'pending' }}>
        {overview.approvals(formats.counted(count))}
      </Link>
    </>
  );
}

function Proof({ summary }: { summary: Summary }) {
  const { overview } = useText();
  const given = (summary.proof ?? []).filter(({ unexplained }) => unexplained !== null);
  return (
    <div className="proof">
      <dt>{overview.unexplained}</dt>
      <dd>
        {given.length === 0 ? (
          <span className="soft">{overview.noBalances}</span>
        ) : (
          given.map(({ currency, unexplained }) =>
            Number(unexplained) === 0 ? (
              <span key={currency} className="badge good">
                {overview.proved}
                {currency === null ? null : ` (${currency})`}
              </span>
            ) : (
              <strong key={currency} className="wrong">
                <Amount of={unexplained} currency={currency} showsCode />
              </strong>
            ),
          )
        )}
      </dd>
    </div>
  );
}

function Ageing({ summary }: { summary: Summary }) {
  const { overview } = useText();
  const formats = useFormats();
  const bars = ageingOf(summary).map(({ days, count }) => {
    const name = overview.ages[days] ?? days;
    return {
      key: days,
      value: count,
      label: days === 'no date' ? `${name}: ${formats.count(count)}` : overview.ageLine(name, formats.count(count)),
      caption: name,
    };
  });
  return <Bars title={overview.ageing} bars={bars} />;
}

function Runs({ runs, reconciliation }: { runs: readonly Run[]; reconciliation: ReconciliationAnswer }) {
  const { overview } = useText();
  const [last] = runs;
  const triggers = reconciliation.triggers as { onArrival?: unknown };
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{overview.lastRun}</dt>
          <dd>
            {reconciliation.last_run?.status === 'refused' ? (
              <Link to="/reconciliations/$id/runs" params={{ id: reconciliation.id }} className="badge bad">
                {overview.refused}
              </Link>
            ) : last ? (
              <Moment of={last.finished_at ?? last.created_at} />
            ) : (
              overview.never
            )}
          </dd>
        </div>
        <div>
          <dt>{overview.nextRun}</dt>
          <dd>
            {reconciliation.next_run_at ? (
              <Moment of={reconciliation.next_run_at} />
            ) : triggers.onArrival ? (
              overview.onArrival
            ) : (
              overview.byHand
            )}
          </dd>
        </div>
      </dl>
      {runs.length > 1 ? <Trend runs={[...runs].reverse()} /> : null}
    </>
  );
}

const countFound = ({ decision_counts: counts }: Run): number => counts.MATCH + counts.COMPOSITE_MATCH;

/** The matches that each of the last runs has found, the oldest first. */
function Trend({ runs }: { runs: readonly Run[] }) {
  const { overview } = useText();
  const formats = useFormats();
  const found = runs.map(countFound);
  const [min, max] = [Math.min(...found), Math.max(...found)];
  const bars = runs.map((run) => ({
    key: run.id,
    value: countFound(run),
    label: overview.trendLine(formats.moment(run.created_at), formats.counted(countFound(run))),
  }));
  const title = overview.trend(formats.count(runs.length), formats.count(min), formats.counted(max));
  const dayOf = (run: Run | undefined): string => (run === undefined ? '' : formats.dayOf(run.created_at));
  return <Bars title={title} bars={bars} scale={formats.count} ends={[dayOf(runs[0]), dayOf(runs.at(-1))]} />;
}

function Waiting({ reconciliation, last }: { reconciliation: ReconciliationAnswer; last: Run | undefined }) {
  const { frame, overview } = useText();
  const formats = useFormats();
  const counts = last?.decision_counts;
  const found = counts
    ? counts.POSSIBLE +
      counts.COMPOSITE_POSSIBLE +
      (reconciliation.accept === 'review' ? counts.MATCH + counts.COMPOSITE_MATCH : 0)
    : 0;
  // People who may not read proposals see the count of the run.
  const mayRead = useAllows('matches:read');
  const seesRecords = useAllows('records:read');
  const { data: left, isLoading } = useProposalCount(reconciliation.id, mayRead && seesRecords && found > 0);
  // The run tells how many it found, not how many are left: it must not be seen for a moment.
  if (isLoading) return <span className="skeleton wide" role="img" aria-label={frame.loading} />;
  if ((left ?? found) === 0) return <span className="soft">{overview.nothingWaits}</span>;
  return (
    <Link className="link" to="/reconciliations/$id/suggestions" params={{ id: reconciliation.id }}>
      {typeof left === 'number' ? overview.waiting(formats.counted(left)) : overview.found(formats.counted(found))}
    </Link>
  );
}

function Card({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const { overview } = useText();
  const formats = useFormats();
  const { id, name, status } = reconciliation;
  const summary = useQuery(summaryQuery(id));
  const seesRuns = useAllows('jobs:read');
  const runs = useQuery({ ...runsQuery(id), enabled: seesRuns });
  return (
    <article className="card overview-card">
      <header>
        <h2>
          <Link to="/reconciliations/$id/workbench" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        {status === 'filling' ? <span className="badge warn">{overview.filling}</span> : null}
      </header>
      <Loaded query={summary}>
        {(data) => (
          <>
            <div className="columns">
              <Rates id={id} summary={data} />
              <dl className="facts">
                <Proof summary={data} />
              </dl>
            </div>
            <Ageing summary={data} />
            <p className="columns">
              <Link className="link" to="/reconciliations/$id/workbench" params={{ id }}>
                {overview.open(formats.count(data.left.open.count + data.right.open.count))}
              </Link>
              <Waiting reconciliation={reconciliation} last={runs.data?.items[0]} />
            </p>
          </>
        )}
      </Loaded>
      {runs.data ? <Runs runs={runs.data.items} reconciliation={reconciliation} /> : null}
      {runs.error ? <Fault error={runs.error} retry={() => void runs.refetch()} /> : null}
    </article>
  );
}

export default function Overview() {
  const { overview } = useText();
  const query = useReconciliations();
  const mayMake = useMayMake();
  const { search, setSearch } = useAddress();
  const setMaking = (isMaking: boolean): void => setSearch({ make: isMaking ? 'reconciliation' : undefined });
  return (
    <>
      <PageHead name={overview.title} title={overview.title} hint={overview.hint}>
        {mayMake ? (
          <button type="button" className="button" onClick={() => setMaking(true)}>
            {overview.create}
          </button>
        ) : (
          <OnlyFor act="make" />
        )}
      </PageHead>
      <AgentProposals />
      <Loaded query={query} skeleton={<Skeleton blocks={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={overview.none}>
              <p>{overview.noneHint}</p>
              <Link className="button" to="/import">
                {overview.toImport}
              </Link>
            </Empty>
          ) : (
            <div className="overview">
              {items.map((item) => (
                <Card key={item.id} reconciliation={item} />
              ))}
            </div>
          )
        }
      </Loaded>
      {mayMake && search.make ? <NewDialog onClose={() => setMaking(false)} /> : null}
    </>
  );
}
