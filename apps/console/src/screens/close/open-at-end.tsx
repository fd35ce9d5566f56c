import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import { More } from '../../parts/pages';
import { useReasonName } from '../../parts/reasons';
import { useSideNames } from '../../parts/sides';
import { Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Amount, Day } from '../../parts/values';
import { useFormats, useText, type WireAmount } from '../../text';

interface EndItem {
  record_id: string;
  side: 'left' | 'right';
  external_id: string | null;
  date: string | null;
  remaining_amount: WireAmount;
  currency: string | null;
  reason_code: string | null;
  note: string | null;
  assignee: string | null;
}

interface EndItemsOf {
  reconciliationId: string;
  period: string;
  /** A closed month lists what its certificate holds. */
  isOpen: boolean;
  isEnabled: boolean;
}

/** The items that are open at the end of a month. */
export const useEndItems = ({ reconciliationId: id, period, isOpen, isEnabled }: EndItemsOf) =>
  usePages<{ items: readonly EndItem[]; next_cursor: string | null }>({
    enabled: isEnabled,
    queryKey: ['reconciliation', id, isOpen ? 'open-items' : 'period-items', 'at-end', period],
    read: (cursor, signal) => {
      const query = { excluded: false, limit: 100, ...(cursor && { cursor }) };
      return tieout.listPeriodOpenItems({ path: { id, period }, query, signal });
    },
  });

interface OpenAtEndProps {
  query: ReturnType<typeof useEndItems>;
  isOpen: boolean;
  /** All items, listed or not. */
  total: number;
}

/** The items that are open at the end of a month, with what people say about them. */
export function OpenAtEnd({ query, isOpen, total }: OpenAtEndProps) {
  const { close } = useText();
  const formats = useFormats();
  const sides = useSideNames();
  const nameOf = useReasonName();
  return (
    <section className="block">
      <h3>{isOpen ? close.itemsNow : close.items}</h3>
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <p className="soft">{close.noItems}</p>;
          return (
            <>
              <TableFrame label={close.items}>
                <table className="plain-table">
                  <thead>
                    <tr>
                      <th scope="col">{close.side}</th>
                      <th scope="col">{close.date}</th>
                      <th scope="col">{close.record}</th>
                      <th scope="col" className="amount">
                        {close.amount}
                      </th>
                      <th scope="col">{close.reason}</th>
                      <th scope="col">{close.assignee}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((item) => (
                      <tr key={item.record_id}>
                        <td>{sides[item.side]}</td>
                        <td>
                          <Day of={item.date} />
                        </td>
                        <td>
                          <bdi className="item-id">{item.external_id ?? item.record_id}</bdi>
                        </td>
                        <td className="amount">
                          <Amount of={item.remaining_amount} currency={item.currency} showsCode />
                        </td>
                        <td className="note">
                          {item.reason_code ? nameOf(item.reason_code) : null}{' '}
                          {item.note ? <bdi className="soft">{item.note}</bdi> : null}
                        </td>
                        <td>
                          <bdi>{item.assignee}</bdi>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </TableFrame>
              {query.hasNextPage ? (
                <p className="only-print">{close.notListed(formats.counted(Math.max(1, total - items.length)))}</p>
              ) : null}
              <More query={query} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
