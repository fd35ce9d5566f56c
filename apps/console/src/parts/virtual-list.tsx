import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { rowsMoved } from './rows-moved';

export interface ListHandle {
  focus(): void;
  /** Scrolls as little as brings a row into sight. */
  show(row: number): void;
  /** Takes the focus, and does what a key does in the list. */
  press(key: string): void;
}

interface VirtualListProps {
  label: string;
  count: number;
  /** The rows that have been read, by ids. One that stays keeps its place on the screen while others come and go. */
  ids: readonly string[];
  /** Another one is another list, which begins at its top. Default: it is the same list always. */
  listKey?: unknown;
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
  /** False: Enter and the space bar belong to the screen. */
  isPickedByKeys?: boolean;
  handle?: Ref<ListHandle>;
}

/** Pixels of a row at the usual size of text. */
const rowPixels = 52;
/** Rows beyond those in sight, on either side. */
const overscan = 12;
/** No browser shows an element that is taller than 33 million pixels. */
const maxRows = 600_000;

type StableRowsOptions = Pick<VirtualListProps, 'ids' | 'listKey' | 'active' | 'onActive'>;
type Scroller = RefObject<HTMLDivElement | null>;

/** The pixels that a list is scrolled by. To ask the list after each change would lay out the page once more. */
type Place = RefObject<number>;

/** Keeps the rows in sight where they are, and the keys on the row that they are on, when other rows come or go. */
function useStableRows(
  { ids, listKey, active, onActive }: StableRowsOptions,
  scroller: Scroller,
  place: Place,
  height: number,
) {
  const before = useRef({ ids, listKey });
  useLayoutEffect(() => {
    const { ids: old, listKey: oldKey } = before.current;
    const element = scroller.current;
    before.current = { ids, listKey };
    if (element === null || old === ids) return;
    if (oldKey !== listKey) {
      element.scrollTop = place.current = 0;
      return onActive(0);
    }
    const top = Math.floor(place.current / height);
    const [newTop = top, newActive = active] = rowsMoved(old, ids, [top, active]);
    if (newTop !== top) {
      element.scrollTop = place.current + (newTop - top) * height;
      place.current = element.scrollTop;
    }
    if (newActive !== active) onActive(newActive);
  });
}

/** The rows in sight and around it: the first, and one more than the last. */
function useSight(scroller: Scroller, place: Place, height: number, count: number): [first: number, end: number] {
  const [{ top, size }, setSight] = useState({ top: 0, size: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      place.current = element.scrollTop;
      const next = { top: Math.floor(place.current / height), size: Math.ceil(element.clientHeight / height) };
      setSight((before) => (before.top === next.top && before.size === next.size ? before : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, place, height]);
  const first = Math.max(0, Math.min(top, count - size) - overscan);
  return [first, Math.min(count, first + size + 1 + 2 * overscan)];
}

/**
 * Keys of the rows in sight: a row keeps its element while others come and go above it, and is moved without a new
 * layout. An item that was changed between two pages may be on both.
 */
function keysOf(ids: readonly string[], first: number, end: number): string[] {
  const keys = new Set<string>();
  for (let row = first; row < end; row++) {
    const id = ids[row];
    keys.add(id === undefined || keys.has(id) ? String(row) : id);
  }
  return [...keys];
}

/** Rows of one height, of which only those in sight exist. One stop for the tabulator; arrows, J and K move inside. */
export function VirtualList(props: VirtualListProps) {
  const { label, ids, active, onActive, isSelected, onPick, onReach, renderRow, onFocus } = props;
  const count = Math.min(props.count, maxRows);
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMemo(() => rowPixels * (parseFloat(getComputedStyle(document.documentElement).fontSize) / 16), []);
  const place = useRef(0);
  useStableRows(props, scroller, place, height);
  const [first, end] = useSight(scroller, place, height, count);
  const last = Math.max(0, end - 1);
  useEffect(() => onReach(last), [last, onReach]);

  const show = (row: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    if (row * height < scrollTop) element.scrollTop = place.current = row * height;
    else if ((row + 1) * height > scrollTop + clientHeight)
      element.scrollTop = place.current = (row + 1) * height - clientHeight;
  };
  // A list that is opened again begins where its keys are.
  useLayoutEffect(() => show(active), []);
  const focus = (): void => scroller.current?.focus({ preventScroll: true });
  const move = (to: number): void => {
    const row = Math.max(0, Math.min(count - 1, to));
    onActive(row);
    show(row);
    // In a low window the page scrolls too.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  };
  const page = (): number => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1);
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
  const moveOf = (key: string): (() => void) | undefined =>
    count === 0 ? undefined : moves[key.length === 1 ? key.toLowerCase() : key];
  useImperativeHandle(props.handle, () => ({
    focus,
    show,
    press: (key) => {
      focus();
      moveOf(key)?.();
    },
  }));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const run = moveOf(event.key);
    if (run === undefined) return;
    event.preventDefault();
    // A key that is held moves on, and picks once.
    if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) run();
  };
  const rowId = (row: number): string => `${label}-${row}`.replace(/\W/g, '-');
  return (
    <div
      ref={scroller}
      className="table"
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={active >= first && active < end ? rowId(active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <div role="presentation" style={{ height: `${count * height}px` }}>
        {keysOf(ids, first, end).map((key, at) => {
          const row = first + at;
          return (
            <div
              key={key}
              id={rowId(row)}
              role="option"
              aria-selected={isSelected(row)}
              aria-posinset={row + 1}
              aria-setsize={count}
              className={row === active ? 'table-row active' : 'table-row'}
              style={{ height: `${height}px`, transform: `translateY(${row * height}px)` }}
              onClick={() => {
                onActive(row);
                onPick(row);
              }}
            >
              {renderRow(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
