import type { Ref } from 'react';
import type { OpenItemAnswer } from '../../api/open-items';
import { useReasonName } from '../../parts/reasons';
import { useSideNames } from '../../parts/sides';
import { Waiting } from '../../parts/states';
import { Amount, Day, Words } from '../../parts/values';
import { VirtualList, type ListHandle } from '../../parts/virtual-list';
import { recordName } from '../../parts/words';
import { useFormats, useText } from '../../text';

/** Returns the annotations of an item in one line. */
function useSaid({ excluded, reason_code: reason, note, snoozed_until: until }: OpenItemAnswer): string {
  const { exceptions } = useText();
  const formats = useFormats();
  const reasonName = useReasonName();
  return [
    excluded && reasonName(excluded.reason_code),
    reason && reasonName(reason),
    note,
    until && exceptions.until(formats.day(until)),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Shows an open item with its annotations, and why the latest run left it open. */
function Row({ item }: { item: OpenItemAnswer }) {
  const { exceptions } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const said = useSaid(item);
  const narrow = [item.assignee, said].filter(Boolean).join(' · ');
  const why = item.reason === null ? exceptions.notSeen : (exceptions.reasons[item.reason] ?? item.reason);
  return (
    <div className="item-row exception">
      <i className="tick" />
      <span className="item-name">
        <strong>
          <bdi>{recordName(item)}</bdi>
          {item.late ? <span className="badge warn"> {exceptions.late}</span> : null}
        </strong>
        <span className="soft cut">
          {narrow === '' ? null : <bdi className="narrow-only">{narrow}</bdi>}
          <Words of={item} />
        </span>
      </span>
      <span className="item-name said">
        <bdi className="cut">{said}</bdi>
        <span className="soft cut">{why}</span>
      </span>
      <bdi className="cut said">{item.assignee}</bdi>
      <span className="item-side">
        <Amount of={item.remaining_amount} currency={item.currency} showsCode />
        <span className="soft">
          <span className="said">{sides[item.side]} · </span>
          <Day of={item.date} />
          {item.age_days === null ? null : ` · ${exceptions.daysOld(formats.count(item.age_days))}`}
        </span>
      </span>
    </div>
  );
}

interface ItemListProps {
  items: readonly OpenItemAnswer[];
  ids: readonly string[];
  /** The number of all rows, some of which may not have been read. */
  count: number;
  listKey: unknown;
  active: number;
  chosen: ReadonlySet<string>;
  onActive: (row: number) => void;
  onPick: (item: OpenItemAnswer | undefined) => void;
  onReach: (row: number) => void;
  handle: Ref<ListHandle>;
}

/** The open items as one long list. The screen handles Enter and the space bar. */
export function ItemList({ items, count, chosen, onPick, ...list }: ItemListProps) {
  const { exceptions } = useText();
  const formats = useFormats();
  return (
    <VirtualList
      {...list}
      label={exceptions.found(formats.counted(count))}
      count={count}
      isSelected={(row) => chosen.has(items[row]?.record_id ?? '')}
      onPick={(row) => onPick(items[row])}
      isPickedByKeys={false}
      renderRow={(row) => {
        const item = items[row];
        return item ? <Row item={item} /> : <Waiting />;
      }}
    />
  );
}
