import { noDay } from '../../pairs/types';
import type { Effort } from './effort';
import { maxOtherSets } from './types';

/** Rows of one amount, of which so many are to be taken. */
export interface WantedRows {
  count: number;
  /** By (day, row); those without a day last. */
  rows: ArrayLike<number>;
}

/** Where the rows that are taken should lie. */
export interface RowSlots {
  /** By place in the order of their days, the day of the slot; nothing is inside where there is none. */
  days: readonly number[];
  toleranceDays: number;
}

/** Days of members that are there already. */
export interface DaySpan {
  first: number;
  last: number;
}

export const emptySpan: DaySpan = { first: Infinity, last: -Infinity };

/** The best choice of rows. */
export interface RowSets {
  /** Rows inside their slots. */
  inside: number;
  /** Days from the first to the last, those that are there already included. */
  spread: number;
  /** Rows of each multiset of (amount, day) that is as good, ascending; the earliest first, at most maxOtherSets + 1. */
  sets: number[][];
}

interface State {
  taken: number;
  inside: number;
  first: number;
  sets: number[][];
}

/** Rows of one amount and day. */
interface DayRows {
  /** Index of what is wanted. */
  of: number;
  day: number;
  rows: number[];
}

/** More do not fit into a key. */
const maxStates = Number.MAX_SAFE_INTEGER;

/**
 * Takes the wanted numbers of rows so that as many as possible are inside their slots, then within the fewest days, then the
 * earliest. Rows are met day by day; what has been taken of each amount is all that matters for the days to come, so of two ways
 * to take as many of each the better one goes on. Amounts whose rows are all wanted leave no choice and cost nothing; with others
 * the states are the product of the numbers wanted. Null when the effort ends first.
 */
export function chooseByDay(
  wanted: readonly WantedRows[],
  days: Int32Array,
  slots: RowSlots,
  span: DaySpan,
  effort: Effort,
): RowSets | null {
  return new DayWalk(wanted, days, slots, span, effort).run();
}

class DayWalk {
  private readonly undated: number[][];
  private readonly groups: DayRows[];
  /** By what is wanted: what one row adds to a key; 0 where all rows are wanted. */
  private readonly radix: number[] = [];
  /** By what is wanted: dated rows behind the one at hand. */
  private readonly behind: number[];
  private forcedBehind = 0;
  private best: RowSets | null = null;

  constructor(
    private readonly wanted: readonly WantedRows[],
    days: Int32Array,
    private readonly slots: RowSlots,
    private readonly span: DaySpan,
    private readonly effort: Effort,
  ) {
    this.undated = wanted.map(({ rows }) => Array.from(rows).filter((row) => days[row] === noDay));
    this.groups = wanted
      .flatMap(({ rows }, of) => groupByDay(rows, days, of))
      .sort((one, other) => one.day - other.day);
    this.behind = wanted.map(({ rows }, of) => rows.length - (this.undated[of] as number[]).length);
  }

  run(): RowSets | null {
    let keys = 1;
    this.wanted.forEach(({ count, rows }, of) => {
      this.effort.nodes += rows.length;
      const isForced = count === rows.length;
      this.radix.push(isForced ? 0 : keys);
      if (isForced) this.forcedBehind += this.behind[of] as number;
      else keys *= count + 1;
    });
    if (keys > maxStates) return null;
    const start: State = { taken: 0, inside: 0, first: this.span.first, sets: [[]] };
    let states = new Map([[0, start]]);
    this.close(0, start, this.span.last);
    for (const group of this.groups) {
      if (this.effort.isExhausted) return null;
      states = this.pass(group, states);
    }
    return this.best;
  }

  /** The states behind a group. */
  private pass(group: DayRows, states: ReadonlyMap<number, State>): Map<number, State> {
    const { of, rows } = group;
    const radix = this.radix[of] as number;
    const { count } = this.wanted[of] as WantedRows;
    this.behind[of] = (this.behind[of] as number) - rows.length;
    if (radix === 0) this.forcedBehind -= rows.length;
    const later = this.behind[of] + (this.undated[of] as number[]).length;
    const next = new Map<number, State>();
    const grown = new Map<number, State>();
    for (const [key, state] of states) {
      const open = radix === 0 ? rows.length : count - this.takenOf(key, of);
      const least = radix === 0 ? rows.length : Math.max(0, open - later);
      for (let more = least; more <= Math.min(open, rows.length); more++) {
        this.effort.nodes += state.sets.length;
        if (more === 0) keep(next, key, state);
        else keep(grown, key + more * radix, this.grow(state, group, more));
      }
    }
    for (const [key, state] of grown) {
      this.close(key, state, Math.max(this.span.last, group.day));
      keep(next, key, state);
    }
    return next;
  }

  private takenOf(key: number, of: number): number {
    return Math.floor(key / (this.radix[of] as number)) % ((this.wanted[of] as WantedRows).count + 1);
  }

  private grow({ taken, inside, first, sets }: State, { day, rows }: DayRows, more: number): State {
    const { days, toleranceDays } = this.slots;
    let within = inside;
    for (let place = taken; place < taken + more; place++)
      if (Math.abs(day - (days[place] ?? Infinity)) <= toleranceDays) within++;
    return {
      taken: taken + more,
      inside: within,
      first: Math.min(first, day),
      sets: sets.map((set) => withRows(set, rows.slice(0, more))),
    };
  }

  /** Fills up with rows that have no day, where they suffice. */
  private close(key: number, { inside, first, sets }: State, last: number): void {
    if (this.forcedBehind > 0) return;
    const open = this.wanted.map(({ count }, of) =>
      this.radix[of] === 0 ? (this.undated[of] as number[]).length : count - this.takenOf(key, of),
    );
    if (open.some((missing, of) => missing > (this.undated[of] as number[]).length)) return;
    const rest = open.flatMap((missing, of) => (this.undated[of] as number[]).slice(0, missing));
    const spread = Math.max(0, last - first);
    const order = this.best === null ? -1 : this.best.inside - inside || spread - this.best.spread;
    if (order > 0) return;
    const filled = rest.length === 0 ? sets : sets.map((set) => withRows(set, rest)).sort(compareRows);
    this.best = { inside, spread, sets: order < 0 || this.best === null ? filled : joined(this.best.sets, filled) };
  }
}

function groupByDay(rows: ArrayLike<number>, days: Int32Array, of: number): DayRows[] {
  const groups: DayRows[] = [];
  for (const row of Array.from(rows)) {
    const day = days[row] as number;
    const last = groups.at(-1);
    if (day === noDay) continue;
    if (last?.day === day) last.rows.push(row);
    else groups.push({ of, day, rows: [row] });
  }
  return groups;
}

/** Of two ways to the same key the one with more rows inside, then the one that began later; both sets of them where they are as good. */
function keep(states: Map<number, State>, key: number, state: State): void {
  const known = states.get(key);
  const order = known === undefined ? -1 : known.inside - state.inside || known.first - state.first;
  if (order < 0 || known === undefined) states.set(key, state);
  else if (order === 0) states.set(key, { ...known, sets: joined(known.sets, state.sets) });
}

function joined(one: number[][], other: number[][]): number[][] {
  return [...one, ...other].sort(compareRows).slice(0, maxOtherSets + 1);
}

/** Both ascending; the rows belong at the end or near it. */
function withRows(set: readonly number[], rows: readonly number[]): number[] {
  const all = set.slice();
  for (const row of rows) {
    let at = all.length;
    for (; at > 0 && (all[at - 1] as number) > row; at--) all[at] = all[at - 1] as number;
    all[at] = row;
  }
  return all;
}

/** Compares ascending rows one by one. */
export function compareRows(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((row, index) => row !== other[index]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}
