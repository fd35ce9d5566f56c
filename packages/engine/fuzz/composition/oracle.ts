import { noDay } from '../../src/values/calendar';
import type { CompositeKind, CompositionSide } from '../../src/composition/types';

/** The part of a rule set that the oracle reads; amounts have the scale of the pool. */
export interface OracleRules {
  maxGroupSize: number;
  tolerance: number;
  grouped: boolean;
  preferCompleteGroup: boolean;
  /** Allowed days of members from the target's, inclusive; null: any. */
  days: readonly [number, number] | null;
  /** `monthly`: the days of the months from the target's on; without one where the target has no day. */
  months: { slots: readonly number[]; toleranceDays: number } | null;
  allowNegativeAmounts: boolean;
  partial: { minMembers: number; minSum: number; uniformityRatio: number } | null;
  installments: { maxDivisor: number; divisorTolerance: number } | null;
  /** Sets with a lower score do not count. */
  minScore: number;
}

export interface OracleSet {
  kind: CompositeKind;
  status: 'COMPLETE' | 'PARTIAL';
  delta: number;
  size: number;
  inside: number;
  spread: number;
  /** Rows of every set that is equally good, ascending. */
  rows: number[][];
  /** Sets just as good by (amount, day, group), the first left out. */
  otherSets: number;
}

interface Row {
  row: number;
  units: number;
  day: number;
  group: number;
  totalCount: number;
  position: number;
}

interface Ranked {
  set: readonly Row[];
  /** In this order, less is better. */
  rank: readonly number[];
  inside: number;
}

interface OracleTarget {
  units: number;
  day: number;
  totalCount: number;
}

/** The best of all sets, found by looking at each of them; null: none. */
export function bruteForce(rules: OracleRules, target: OracleTarget, side: CompositionSide): OracleSet | null {
  const sign = Math.sign(target.units);
  const size = Math.abs(target.units);
  const rows = [...Array(side.length).keys()]
    .map((row): Row => ({
      row,
      units: sign * (side.units[row] as number),
      day: side.day[row] as number,
      group: side.group[row] as number,
      totalCount: side.totalCount[row] as number,
      position: side.position[row] as number,
    }))
    .filter((row) => isCandidate(rules, target, row));
  const groups = rules.grouped
    ? [...new Set(rows.map(({ group }) => group))].map((group) => rows.filter((row) => row.group === group))
    : [rows];
  const isWhole = (set: readonly Row[]): boolean => Math.abs(sum(set) - size) <= rules.tolerance;
  const subsets = groups
    .flatMap((group) => subsetsOf(group.filter(({ units }) => units !== 0)))
    .filter(({ length }) => length <= rules.maxGroupSize);

  const plans = plansOf(rules, { ...target, units: size }, groups);
  const wholes =
    rules.grouped && rules.preferCompleteGroup
      ? groups.filter((group) => group.length >= 2 && group.length <= rules.maxGroupSize && isWhole(group))
      : [];
  const find = (
    kind: CompositeKind,
    status: OracleSet['status'],
    sets: readonly (readonly Row[])[],
    byPosition = false,
  ): OracleSet | null =>
    best(
      { kind, status },
      sets.map((set) => judge(rules, size, set, byPosition)).filter((ranked) => isAdmissible(rules, size, ranked)),
    );
  return (
    find(
      'installments',
      'COMPLETE',
      plans.filter(({ count, set }) => set.length === count && isWhole(set)).map(({ set }) => set),
      true,
    ) ??
    find('group', 'COMPLETE', wholes) ??
    find(
      'partial',
      'PARTIAL',
      plans.filter(({ set }) => isPartial(rules, size, set)).map(({ set }) => set),
      true,
    ) ??
    find(
      'subset',
      'COMPLETE',
      subsets.filter((set) => set.length >= 2 && isWhole(set)),
    ) ??
    find(
      'partial',
      'PARTIAL',
      subsets.filter((set) => isPartial(rules, size, set)),
    )
  );
}

function isCandidate(
  { grouped, days, allowNegativeAmounts }: OracleRules,
  target: { day: number },
  { units, day, group }: Row,
): boolean {
  if (Number.isNaN(units) || (units < 0 && !allowNegativeAmounts) || (grouped && group === -1)) return false;
  if (days === null) return true;
  return day !== noDay && target.day !== noDay && day - target.day >= days[0] && day - target.day <= days[1];
}

/** All sets of nearly equal shares of which no two have the same position. */
function plansOf(
  { installments }: OracleRules,
  { units, totalCount }: OracleTarget,
  groups: readonly (readonly Row[])[],
): { count: number; set: Row[] }[] {
  if (installments === null) return [];
  const { maxDivisor, divisorTolerance } = installments;
  return groups.flatMap((group) =>
    Array.from({ length: 60 }, (_, index) => index + 1).flatMap((count) => {
      const isShare = (row: Row): boolean => {
        const stated = row.totalCount || totalCount;
        return (
          row.units > 0 &&
          count >= 2 &&
          (stated === 0 ? count <= maxDivisor : count === stated) &&
          Math.abs(units / row.units - count) <= divisorTolerance + 1e-9
        );
      };
      return subsetsOf(group.filter(isShare))
        .filter((set) => set.length <= count && hasDistinctPositions(set))
        .map((set) => ({ count, set }));
    }),
  );
}

function hasDistinctPositions(set: readonly Row[]): boolean {
  const positions = set.map(({ position }) => position).filter((position) => position > 0);
  return new Set(positions).size === positions.length;
}

function isPartial({ partial, tolerance }: OracleRules, size: number, set: readonly Row[]): boolean {
  if (partial === null || set.length < partial.minMembers) return false;
  const amounts = set.map(({ units }) => units);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const isUniform = partial.uniformityRatio === 0 || (most > 0 && least >= partial.uniformityRatio * most);
  return isUniform && sum(set) > 0 && sum(set) >= partial.minSum && sum(set) < size - tolerance;
}

/** A member inside, and a score that reaches the least one. */
function isAdmissible({ minScore, tolerance }: OracleRules, size: number, { set, inside }: Ranked): boolean {
  const reached = sum(set) < size - tolerance ? sum(set) / size : Math.max(0, 1 - Math.abs(sum(set) - size) / size);
  return inside > 0 && (reached * inside) / set.length > minScore - 1e-9;
}

/** Orders sets: first those within their months, then by difference, size, known positions, members inside, spread. */
function judge(rules: OracleRules, size: number, set: readonly Row[], byPosition: boolean): Ranked {
  const inside = insideOf(rules, set, byPosition);
  const outside = set.length - inside;
  const unplaced = byPosition ? set.filter(({ position }) => position === 0).length : 0;
  return {
    set,
    inside,
    rank: [Math.min(1, outside), Math.abs(sum(set) - size), set.length, unplaced, outside, spreadOf(set)],
  };
}

/** The k-th member lies in the k-th month; installments in that of their position, the others in what these leave. */
function insideOf({ months }: OracleRules, set: readonly Row[], byPosition: boolean): number {
  if (months === null) return set.length;
  const placed = set.filter(({ position }) => byPosition && position > 0);
  const others = set
    .filter((row) => !placed.includes(row))
    .sort((one, other) => lastDay(one) - lastDay(other) || one.row - other.row);
  const counts = [0, 1].map((first) => {
    const isNear = ({ day }: Row, month: number): boolean =>
      day !== noDay && Math.abs(day - (months.slots[month + first] ?? Infinity)) <= months.toleranceDays;
    const left = [...months.slots.keys()].filter((month) => !placed.some(({ position }) => position - 1 === month));
    return (
      placed.filter((row) => isNear(row, row.position - 1)).length +
      others.filter((row, at) => isNear(row, left[at] ?? Infinity)).length
    );
  });
  return Math.max(...counts);
}

function lastDay({ day }: Row): number {
  return day === noDay ? 1e9 : day;
}

function best(found: Pick<OracleSet, 'kind' | 'status'>, sets: readonly Ranked[]): OracleSet | null {
  const compare = (one: Ranked, other: Ranked): number => {
    const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
    return at === -1 ? 0 : (one.rank[at] as number) - (other.rank[at] as number);
  };
  const ranked = [...sets].sort(compare);
  const first = ranked[0];
  if (first === undefined) return null;
  const equals = ranked.filter((one) => compare(one, first) === 0).map(({ set }) => set);
  const multisets = new Set(
    equals.map((set) =>
      set
        .map(({ units, day, group }) => `${units}/${day}/${group}`)
        .sort()
        .join(' '),
    ),
  );
  return {
    ...found,
    delta: first.rank[1] as number,
    size: first.set.length,
    spread: spreadOf(first.set),
    inside: first.inside,
    otherSets: multisets.size - 1,
    rows: equals.map((set) => set.map(({ row }) => row)),
  };
}

function spreadOf(set: readonly Row[]): number {
  const dated = set.map(({ day }) => day).filter((day) => day !== noDay);
  return dated.length === 0 ? 0 : Math.max(...dated) - Math.min(...dated);
}

function sum(set: readonly Row[]): number {
  return set.reduce((total, { units }) => total + units, 0);
}

function subsetsOf(rows: readonly Row[]): Row[][] {
  return rows.reduce<Row[][]>((sets, row) => [...sets, ...sets.map((set) => [...set, row])], [[]]).slice(1);
}
