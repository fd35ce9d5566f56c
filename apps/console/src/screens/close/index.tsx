import { Link } from '@tanstack/react-router';
import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import type { ListedPeriod } from '../../api/periods';
import { useAddress, usePathId } from '../../parts/address';
import { Chips } from '../../parts/chips';
import { Misread, useFilters } from '../../parts/filter-states';
import { PageHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { More } from '../../parts/pages';
import { filter, kinds } from '../../parts/read-filters';
import { Split } from '../../parts/split';
import { Empty, Loaded } from '../../parts/states';
import { useFormats, useText } from '../../text';
import { PeriodBadge } from './badge';
import { Month } from './month';

/** The month that is to be closed next: the oldest open one; else the newest. */
const firstChoice = (periods: readonly ListedPeriod[]): string | undefined =>
  [...periods].reverse().find(({ status }) => status === 'open')?.period ?? periods[0]?.period;

export default function Close() {
  const { close } = useText();
  const formats = useFormats();
  const id = usePathId();
  const { setSearch } = useAddress();
  const {
    chips,
    faults,
    query: asked,
  } = useFilters<{ period?: string }>({
    period: filter({ label: close.month, kind: kinds.month, ask: (period) => ({ period }), chip: null }),
  });
  const query = usePages({
    queryKey: ['reconciliation', id, 'periods'],
    read: (cursor, signal) =>
      tieout.listPeriods({ path: { id }, query: { limit: 24, ...(cursor && { cursor }) }, signal }),
  });
  const periods = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = asked?.period ?? firstChoice(periods);
  const move = (by: number): void => {
    const next = periods[periods.findIndex(({ period }) => period === chosen) + by];
    if (next !== undefined) setSearch({ period: next.period });
  };
  useKeys([
    { key: 'j', label: close.previous, run: () => move(1) },
    { key: 'k', label: close.next, run: () => move(-1) },
  ]);
  return (
    <>
      <PageHead name={close.title} title={close.title} />
      <Loaded query={query}>
        {() =>
          periods.length === 0 ? (
            <Empty title={close.none}>
              <p>{close.noneHint}</p>
            </Empty>
          ) : (
            <Split
              label={close.months}
              choice="period"
              back={close.back}
              isNarrow
              list={
                <>
                  <ul>
                    {periods.map(({ period, status }) => (
                      <li key={period}>
                        <Link
                          to="."
                          search={{ period }}
                          className="list-entry"
                          aria-current={period === chosen ? 'true' : undefined}
                          replace
                        >
                          <span className="columns">
                            <strong>{formats.month(period)}</strong>
                            <PeriodBadge status={status} />
                          </span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                  <More query={query} />
                </>
              }
            >
              {asked === undefined ? (
                <>
                  <Chips chips={chips} />
                  <Misread faults={faults} />
                </>
              ) : chosen ? (
                <Month key={chosen} reconciliationId={id} period={chosen} />
              ) : null}
            </Split>
          )
        }
      </Loaded>
    </>
  );
}
