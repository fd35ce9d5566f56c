import type { Months } from './types';
import { chooseByDay, compareRows } from './rows-by-day';
import type { DayChoice, RowSets } from './rows-by-day';
import { maxOtherSets } from './types';

/** Months that members may begin with, counted from the target's. */
export const firstMonths: readonly number[] = [0, 1];

/** The day of a member whose place in the plan is known, such as an installment that states its position. */
export interface PlacedDay {
  /** Place, counted from 0. */
  place: number;
  day: number;
}

/** A choice of rows under `monthly`. */
export interface MonthChoiceInput extends Omit<DayChoice, 'slots'> {
  /** Members that are present already. */
  placed: readonly PlacedDay[];
  months: Months;
  /** Months that may be the first one. */
  firsts: readonly number[];
}

/**
 * Counts the members inside their months: those with a place in the month of it, the others, by day, in the months
 * that remain.
 */
export function countInside(
  placed: readonly PlacedDay[],
  days: readonly number[],
  months: Months,
  firsts = firstMonths,
): number {
  const counts = firsts.map((first) => {
    const free = freeSlots(placed, days.length, months, first);
    return countPlacedInside(placed, months, first) + days.filter((day, at) => isInside(day, free[at], months)).length;
  });
  return Math.max(...counts);
}

/**
 * Chooses rows to add to members that already have a place. Begins with the first month that puts more of them inside
 * their slots. Null when the budget ends first.
 */
export function chooseByMonth(input: MonthChoiceInput): RowSets | null {
  const { wanted, days, span, budget, placed, months, firsts } = input;
  const count = wanted.reduce((sum, one) => sum + one.count, 0);
  let best: RowSets | undefined;
  for (const first of firsts) {
    const slots = { days: freeSlots(placed, count, months, first), toleranceDays: months.toleranceDays };
    const chosen = chooseByDay({ wanted, days, slots, span, budget });
    if (chosen === null) return null;
    const found: RowSets = { ...chosen, inside: chosen.inside + countPlacedInside(placed, months, first) };
    const order = best === undefined ? -1 : best.inside - found.inside || found.spread - best.spread;
    if (order < 0 || best === undefined) best = found;
    else if (order === 0) best = { ...best, sets: union(best.sets, found.sets) };
  }
  return best ?? null;
}

function countPlacedInside(placed: readonly PlacedDay[], months: Months, first: number): number {
  return placed.filter(({ place, day }) => isInside(day, months.slots[place + first], months)).length;
}

/** Returns the days of the first months that no placed member has. */
function freeSlots(placed: readonly PlacedDay[], count: number, { slots }: Months, first: number): number[] {
  const held = new Set(placed.map(({ place }) => place + first));
  const free: number[] = [];
  for (let month = first; month < slots.length && free.length < count; month++)
    if (!held.has(month)) free.push(slots[month] as number);
  return free;
}

function isInside(day: number, slot: number | undefined, { toleranceDays }: Months): boolean {
  return slot !== undefined && Math.abs(day - slot) <= toleranceDays;
}

/** Joins two lists of sets. Both choose the same rows of an amount and day, so sets are equal when their rows are. */
function union(one: number[][], other: number[][]): number[][] {
  const sets = [...one, ...other].sort(compareRows);
  return sets
    .filter((set, at) => at === 0 || compareRows(set, sets[at - 1] as number[]) !== 0)
    .slice(0, maxOtherSets + 1);
}
