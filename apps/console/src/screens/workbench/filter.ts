import type { ListSide, OpenItemQuery } from '../../api/open-items';
import { filter, kinds, type Filters } from '../../parts/read-filters';
import type { Formats, Texts } from '../../text';

type ItemSort = NonNullable<OpenItemQuery['sort']>;

/** The filters of both sides, with the search and the order of each. */
export interface BenchQuery extends Omit<OpenItemQuery, 'side' | 'q' | 'sort'> {
  lq?: string;
  rq?: string;
  lsort?: ItemSort;
  rsort?: ItemSort;
}

/** The filters of the screen. @param sides the names of the two sides */
export function filtersOf(
  { workbench: texts }: Texts,
  formats: Formats,
  sides: Readonly<Record<ListSide, string>>,
): Filters<BenchQuery> {
  const sorts = kinds.oneOf(Object.keys(texts.sorts) as ItemSort[]);
  const searchChip =
    (side: ListSide) =>
    (words: string): string =>
      `${sides[side]}: “${words}”`;
  return {
    lq: filter({
      label: texts.searchSide(sides.left),
      kind: kinds.words,
      ask: (lq) => ({ lq }),
      chip: searchChip('left'),
    }),
    rq: filter({
      label: texts.searchSide(sides.right),
      kind: kinds.words,
      ask: (rq) => ({ rq }),
      chip: searchChip('right'),
    }),
    amountMin: filter({
      label: texts.amountMin,
      kind: kinds.amount,
      ask: (amountMin) => ({ amountMin }),
      chip: (amount) => texts.chip.amountMin(formats.amount(amount)),
    }),
    amountMax: filter({
      label: texts.amountMax,
      kind: kinds.amount,
      ask: (amountMax) => ({ amountMax }),
      chip: (amount) => texts.chip.amountMax(formats.amount(amount)),
    }),
    dateFrom: filter({
      label: texts.dateFrom,
      kind: kinds.day,
      ask: (dateFrom) => ({ dateFrom }),
      chip: (day) => texts.chip.dateFrom(formats.day(day)),
    }),
    dateTo: filter({
      label: texts.dateTo,
      kind: kinds.day,
      ask: (dateTo) => ({ dateTo }),
      chip: (day) => texts.chip.dateTo(formats.day(day)),
    }),
    minAgeDays: filter({
      label: texts.minAgeDays,
      kind: kinds.days,
      ask: (minAgeDays) => ({ minAgeDays }),
      shown: formats.count,
    }),
    suggested: filter({
      label: texts.suggestedOnly,
      kind: kinds.oneOf(['true']),
      ask: () => ({ suggested: true }),
      chip: () => texts.chip.suggested,
    }),
    lsort: filter({ label: texts.sort, kind: sorts, ask: (lsort) => ({ lsort }), chip: null }),
    rsort: filter({ label: texts.sort, kind: sorts, ask: (rsort) => ({ rsort }), chip: null }),
  };
}

/** Returns the query of the list of one side. */
export function queryOf({ lq, rq, lsort, rsort, ...both }: BenchQuery, side: ListSide): OpenItemQuery {
  const [q, sort] = side === 'left' ? [lq, lsort] : [rq, rsort];
  return { ...both, side, ...(q !== undefined && { q }), sort: sort ?? '-age' };
}
