import type { Schema } from '../../api/client';
import { useSideNames } from '../../parts/sides';
import { wordsOf } from '../../parts/words';
import { useReasonName } from '../../parts/reasons';
import { TableFrame } from '../../parts/table-frame';
import { Amount, Day } from '../../parts/values';
import { useFormats, useText } from '../../text';

type OpenItem = Schema<'OpenItem'>;

const nameOf = ({ external_id: externalId, record_id: id }: OpenItem): string => externalId ?? id;

interface ItemTableProps {
  items: readonly OpenItem[];
  active: number;
  chosen: ReadonlySet<string>;
  mayChoose: boolean;
  onActive: (row: number) => void;
  onToggle: (item: OpenItem) => void;
  onAll: (isOn: boolean) => void;
}

/** Open items with what people say about them, and why the latest run left them open. */
export function ItemTable({ items, active, chosen, mayChoose, onActive, onToggle, onAll }: ItemTableProps) {
  const { exceptions } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const reasonName = useReasonName();
  const isAll = items.every(({ record_id }) => chosen.has(record_id));
  return (
    <TableFrame label={exceptions.views.items}>
      <table className="plain-table rows">
        <thead>
          <tr>
            {mayChoose ? (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label={exceptions.selectAll}
                  checked={isAll}
                  onChange={(event) => onAll(event.target.checked)}
                />
              </th>
            ) : null}
            <th scope="col">{exceptions.side}</th>
            <th scope="col">{exceptions.date}</th>
            <th scope="col" className="amount wide-only">
              {exceptions.days}
            </th>
            <th scope="col">{exceptions.record}</th>
            <th scope="col" className="amount">
              {exceptions.amount}
            </th>
            <th scope="col" className="wide-only">
              {exceptions.why}
            </th>
            <th scope="col">{exceptions.reason}</th>
            <th scope="col">{exceptions.assignee}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, row) => (
            <tr
              key={item.record_id}
              data-row={row}
              className={row === active ? 'active' : undefined}
              aria-current={row === active ? 'true' : undefined}
              onClick={() => onActive(row)}
            >
              {mayChoose ? (
                <td>
                  <input
                    type="checkbox"
                    aria-label={exceptions.select(nameOf(item))}
                    checked={chosen.has(item.record_id)}
                    onChange={() => onToggle(item)}
                  />
                </td>
              ) : null}
              <td>{sides[item.side]}</td>
              <td>
                <Day of={item.date} />
              </td>
              <td className="amount wide-only">{item.age_days === null ? '–' : formats.count(item.age_days)}</td>
              <td>
                <bdi className="item-id">{nameOf(item)}</bdi>
                {item.late ? <span className="badge warn"> {exceptions.late}</span> : null}
                <bdi className="soft words">{wordsOf(item.record, new Set([item.external_id, item.date]))}</bdi>
              </td>
              <td className="amount">
                <Amount of={item.remaining_amount} currency={item.currency} showsCode />
              </td>
              <td className="soft wide-only wraps">
                {item.reason === null ? exceptions.notSeen : (exceptions.reasons[item.reason] ?? item.reason)}
              </td>
              <td className="note">
                {item.excluded ? reasonName(item.excluded.reason_code) : null}
                {item.reason_code ? reasonName(item.reason_code) : null}
                {item.note ? <bdi className="soft"> {item.note}</bdi> : null}
                {item.snoozed_until ? (
                  <span className="badge"> {exceptions.until(formats.day(item.snoozed_until))}</span>
                ) : null}
              </td>
              <td>
                <bdi>{item.assignee}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
