import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';

export interface ListHandle {
  focus(): void;
  /** Scrolls as little as brings a row into sight. */
  show(row: number): void;
}

interface VirtualListProps {
  label: string;
  count: number;
  /** The row that the keys are on. */
  active: number;
  onActive: (row: number) => void;
  isSelected: (row: number) => boolean;
  /** A row is clicked, or Enter or the space bar is pressed on it. */
  onPick: (row: number) => void;
  /** The rows up to this one are about to be seen. */
  onReach: (row: number) => void;
  renderRow: (row: number) => ReactNode;
  onFocus?: () => void;
  /** Pixels of a row at the usual size of text. */
  rowHeight?: number;
  /** False: Enter and the space bar belong to the screen. */
  isPickedByKeys?: boolean;
  handle?: Ref<ListHandle>;
}

const overscan = 12;

/** Rows of one height, of which only those in sight exist. One stop for the tabulator; arrows, J and K move inside. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, active, onActive, isSelected, onPick, onReach, renderRow, onFocus, rowHeight = 52 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * scale,
    overscan,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onReach(last), [last, onReach]);
  useImperativeHandle(props.handle, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    show: (row) => virtual.scrollToIndex(row, { align: 'auto' }),
  }));

  const move = (to: number): void => {
    const row = Math.max(0, Math.min(count - 1, to));
    onActive(row);
    virtual.scrollToIndex(row, { align: 'auto' });
  };
  const page = (): number => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / (rowHeight * scale)) - 1);
  const moves: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    j: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    k: () => move(active - 1),
    PageDown: () => move(active + page()),
    PageUp: () => move(active - page()),
    Home: () => move(0),
    End: () => move(count - 1),
    ...(props.isPickedByKeys !== false && { Enter: () => onPick(active), ' ': () => onPick(active) }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    const run = moves[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const rowId = (row: number): string => `${label}-${row}`.replace(/\W/g, '-');
  return (
    <div
      ref={scroller}
      className="table"
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={rows.some(({ index }) => index === active) ? rowId(active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {rows.map(({ index, start }) => (
          <div
            key={index}
            id={rowId(index)}
            role="option"
            aria-selected={isSelected(index)}
            aria-posinset={index + 1}
            aria-setsize={count}
            className={index === active ? 'table-row active' : 'table-row'}
            style={{ height: `${rowHeight * scale}px`, transform: `translateY(${start}px)` }}
            onClick={() => {
              onActive(index);
              onPick(index);
            }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
