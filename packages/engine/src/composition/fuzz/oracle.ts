import { NO_DAY } from '../../pairs/types';
import { spreadOf } from '../month-slots';
import type { CompositionSide } from '../types';

/** What the oracle knows of a rule set: no installments, no months, amounts at the scale of the pool. */
export interface OracleRules {
  maxGroupSize: number;
  tolerance: number;
  grouped: boolean;
  preferCompleteGroup: boolean;
  /** Allowed days of members from the target's, inclusive; null: any. */
  days: readonly [number, number] | null;
  allowNegativeAmounts: boolean;
  partial: { minMembers: number; leastSum: number; uniformityRatio: number } | null;
}

export interface OracleSet {
  kind: 'group' | 'subset' | 'partial';
  delta: number;
  size: number;
  spread: number;
  /** Rows of every set that is as good, ascending. */
  rows: number[][];
  /** Sets just as good by (amount, day, group), the first left out. */
  otherSets: number;
}

interface Row {
  row: number;
  units: number;
  day: number;
  group: number;
}

/** The best of all sets, found by looking at each of them; null: none. */
export function bruteForce(rules: OracleRules, target: { units: number; day: number }, side: CompositionSide): OracleSet | null {
  const sign = Math.sign(target.units);
  const size = Math.abs(target.units);
  const rows = [...Array(side.length).keys()]
    .map((row) => ({ row, units: sign * (side.units[row] as number), day: side.day[row] as number, group: side.group[row] as number }))
    .filter((row) => isCandidate(rules, target, row));
  const groups = rules.grouped ? [...new Set(rows.map(({ group }) => group))].map((group) => rows.filter((row) => row.group === group)) : [rows];
  const complete = (set: readonly Row[]): boolean => Math.abs(sum(set) - size) <= rules.tolerance && set.length <= rules.maxGroupSize;
  const subsets = groups.flatMap((group) => subsetsOf(group.filter(({ units }) => units !== 0)));

  const wholes = rules.grouped && rules.preferCompleteGroup ? groups.filter((group) => group.length >= 2 && complete(group)) : [];
  return best('group', size, wholes)
    ?? best('subset', size, subsets.filter((set) => set.length >= 2 && complete(set)))
    ?? best('partial', size, subsets.filter((set) => isPartial(rules, size, set)));
}

function isCandidate({ grouped, days, allowNegativeAmounts }: OracleRules, target: { day: number }, { units, day, group }: Row): boolean {
  if (Number.isNaN(units) || (units < 0 && !allowNegativeAmounts) || (grouped && group === -1)) return false;
  if (days === null) return true;
  return day !== NO_DAY && target.day !== NO_DAY && day - target.day >= days[0] && day - target.day <= days[1];
}

function isPartial({ partial, tolerance, maxGroupSize }: OracleRules, size: number, set: readonly Row[]): boolean {
  if (partial === null || set.length < partial.minMembers || set.length > maxGroupSize) return false;
  const amounts = set.map(({ units }) => units);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const isUniform = partial.uniformityRatio === 0 || (most > 0 && least >= partial.uniformityRatio * most);
  return isUniform && sum(set) >= partial.leastSum && sum(set) < size - tolerance;
}

function best(kind: OracleSet['kind'], size: number, sets: readonly (readonly Row[])[]): OracleSet | null {
  const ranked = sets.map((set) => ({ set, delta: Math.abs(sum(set) - size), spread: spreadOf(set.map(({ day }) => day)) }))
    .sort((one, other) => one.delta - other.delta || one.set.length - other.set.length || one.spread - other.spread);
  const first = ranked[0];
  if (first === undefined) return null;
  const equals = ranked.filter(({ set, delta, spread }) => delta === first.delta && set.length === first.set.length && spread === first.spread);
  const multisets = new Set(equals.map(({ set }) => set.map(({ units, day, group }) => `${units}/${day}/${group}`).sort().join(' ')));
  return {
    kind, delta: first.delta, size: first.set.length, spread: first.spread, otherSets: multisets.size - 1,
    rows: equals.map(({ set }) => set.map(({ row }) => row)),
  };
}

function sum(set: readonly Row[]): number {
  return set.reduce((total, { units }) => total + units, 0);
}

function subsetsOf(rows: readonly Row[]): Row[][] {
  return rows.reduce<Row[][]>((sets, row) => [...sets, ...sets.map((set) => [...set, row])], [[]]).slice(1);
}
