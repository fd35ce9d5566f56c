import { noDay } from '../../values/calendar';
import type { NodeBudget } from './types';
import { maxOtherSets } from './types';

/** Rows with the same amount, and how many of them to take. */
export interface WantedRows {
  count: number;
  /** Rows sorted by (day, row), undated ones last. */
  rows: ArrayLike<number>;
}

/** Slots that the taken rows should lie in. */
export interface RowSlots {
  /** Day of the slot of each place, in the order of days; a row is inside of no missing slot. */
  days: readonly number[];
  toleranceDays: number;
}

/** Days from the first to the last member. */
export interface DaySpan {
  first: number;
  last: number;
}

export const emptySpan: DaySpan = { first: Infinity, last: -Infinity };

/** The rows to choose from, and the members that are present already. */
export interface DayChoice {
  wanted: readonly WantedRows[];
  /** Day of each row. */
  days: Int32Array;
  slots: RowSlots;
  /** Days of the members that are present already. */
  span: DaySpan;
  budget: NodeBudget;
}

/** The best choice of rows. */
export interface RowSets {
  /** Rows inside their slots. */
  inside: number;
  /** Days from the first to the last row, present members included. */
  spread: number;
  /**
   * Rows, ascending, of each multiset of (amount, day) that is as good; the earliest first, at most maxOtherSets +
   * 1.
   */
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
  /** Index of the wanted rows. */
  of: number;
  day: number;
  rows: number[];
}

/** Bound on the states, since a key is a safe integer. */
const maxStates = Number.MAX_SAFE_INTEGER;

/**
 * Takes the wanted numbers of rows so that the most are inside their slots, then the fewest days are spanned, then the
 * earliest rows are used. It visits the rows day by day. Only the numbers taken of each amount matter for the following
 * days, so of two ways to the same numbers only the better one is kept. Amounts whose rows are all wanted leave no
 * choice and cost nothing. For the others, the number of states is the product of the numbers wanted. Null when the
 * budget ends first.
 */
export function chooseByDay(choice: DayChoice): RowSets | null {
  return new DayWalk(choice).run();
}

class DayWalk {
  private readonly undated: number[][];
  private readonly groups: DayRows[];
  /** Amount by which one row raises a key, by index of the wanted rows; 0 where all rows are wanted. */
  private readonly radix: number[] = [];
  /** Dated rows that follow the current one, by index of the wanted rows. */
  private readonly behind: number[];
  private forcedBehind = 0;
  private best: RowSets | null = null;

  private readonly wanted: readonly WantedRows[];
  private readonly slots: RowSlots;
  private readonly span: DaySpan;
  private readonly budget: NodeBudget;

  constructor({ wanted, days, slots, span, budget }: DayChoice) {
    this.wanted = wanted;
    this.slots = slots;
    this.span = span;
    this.budget = budget;
    this.undated = wanted.map(({ rows }) => Array.from(rows).filter((row) => days[row] === noDay));
    this.groups = wanted
      .flatMap(({ rows }, of) => groupByDay(rows, days, of))
      .sort((one, other) => one.day - other.day);
    this.behind = wanted.map(({ rows }, of) => rows.length - (this.undated[of] as number[]).length);
  }

  run(): RowSets | null {
    let keys = 1;
    this.wanted.forEach(({ count, rows }, of) => {
      this.budget.nodes += rows.length;
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
      if (this.budget.isExhausted) return null;
      states = this.pass(group, states);
    }
    return this.best;
  }

  /** Returns the states after a group. */
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
      const minRows = radix === 0 ? rows.length : Math.max(0, open - later);
      for (let more = minRows; more <= Math.min(open, rows.length); more++) {
        this.budget.nodes += state.sets.length;
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

  /** Completes a state with undated rows, where they suffice. */
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

/**
 * Keeps the better of two ways to the same key: more rows inside, then the later beginning. Both sets stay when
 * they are equally good.
 */
function keep(states: Map<number, State>, key: number, state: State): void {
  const known = states.get(key);
  const order = known === undefined ? -1 : known.inside - state.inside || known.first - state.first;
  if (order < 0 || known === undefined) states.set(key, state);
  else if (order === 0) states.set(key, { ...known, sets: joined(known.sets, state.sets) });
}

function joined(one: number[][], other: number[][]): number[][] {
  return [...one, ...other].sort(compareRows).slice(0, maxOtherSets + 1);
}

/** Inserts ascending rows into an ascending set, near the end of it. */
function withRows(set: readonly number[], rows: readonly number[]): number[] {
  const all = set.slice();
  for (const row of rows) {
    let at = all.length;
    for (; at > 0 && (all[at - 1] as number) > row; at--) all[at] = all[at - 1] as number;
    all[at] = row;
  }
  return all;
}

/** Compares two ascending lists of rows, one row after another. */
export function compareRows(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((row, index) => row !== other[index]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}
