import { NO_DAY } from '../pairs/types';
import { MOST_OTHER_SETS } from './limits';

/** Candidates by index: amounts in units, days (NO_DAY: none). */
interface DatedAmounts {
  readonly count: number;
  readonly amounts: Float64Array;
  readonly days: Int32Array;
}

export interface Arrangement {
  /** Candidates, in their order. */
  members: number[];
  /** Members whose slot holds their day. */
  inside: number;
  spread: number;
  /** Other rows of the same amounts that do as well, in place of one member each. */
  others: number;
}

/** Days in the order of the members that lie in the slot of the same place, with the first slot 0 or 1, whichever holds more. */
export function countInside(days: readonly number[], slots: readonly number[], toleranceDays: number): number {
  const counted = [0, 1].map((first) => days.filter((day, at) => isInside(day, slots[at + first], toleranceDays)).length);
  return Math.max(...counted);
}

function isInside(day: number, slot: number | undefined, toleranceDays: number): boolean {
  return slot !== undefined && day !== NO_DAY && Math.abs(day - slot) <= toleranceDays;
}

export function spreadOf(days: readonly number[]): number {
  const dated = days.filter((day) => day !== NO_DAY);
  return dated.length === 0 ? 0 : Math.max(...dated) - Math.min(...dated);
}

/**
 * Rows of the same amounts as the chosen ones, so that as many as possible are inside their slots; then the smallest
 * spread, then the earliest rows. Amounts are assigned to slots by augmenting paths (Kuhn), each slot takes the nearest
 * row, and amounts without a slot take the row nearest to a slot that has none. Then rows are exchanged one by one.
 */
export function monthArrangement(
  set: DatedAmounts, chosen: readonly number[], slots: readonly number[], toleranceDays: number, positions?: readonly number[],
): Arrangement {
  const month = new MonthSearch(set, slots, toleranceDays, positions);
  const options = [0, 1].map((first) => month.assign(chosen, slots.slice(first, first + chosen.length)));
  const start = [[...chosen], ...options].map((members) => month.judge(members)).reduce((one, other) => (isBetter(other, one) ? other : one));
  return month.improve(start);
}

type Judged = Omit<Arrangement, 'others'>;

function isBetter(one: Judged, other: Judged): boolean {
  const order = other.inside - one.inside || one.spread - other.spread || compareLists(sorted(one.members), sorted(other.members));
  return order < 0;
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((one, other) => one - other);
}

class MonthSearch {
  private readonly byAmount = new Map<number, number[]>();

  constructor(
    private readonly set: DatedAmounts, private readonly slots: readonly number[], private readonly toleranceDays: number,
    private readonly positions: readonly number[] | undefined,
  ) {
    for (let candidate = 0; candidate < set.count; candidate += 1) {
      const amount = set.amounts[candidate] as number;
      const equals = this.byAmount.get(amount);
      if (equals === undefined) this.byAmount.set(amount, [candidate]);
      else equals.push(candidate);
    }
  }

  judge(members: readonly number[]): Judged {
    const { positions } = this;
    const ordered = [...members].sort((one, other) => (
      positions === undefined ? 0 : (positions[one] as number) - (positions[other] as number)) || one - other);
    const days = ordered.map((candidate) => this.dayOf(candidate));
    return { members: ordered, inside: countInside(days, this.slots, this.toleranceDays), spread: spreadOf(days) };
  }

  /** One candidate for each of the chosen amounts. */
  assign(chosen: readonly number[], slots: readonly number[]): number[] {
    const amounts = chosen.map((candidate) => this.amountOf(candidate));
    const memberOfSlot = this.matchSlots(amounts, slots);
    const used = new Set<number>();
    const rowOf = new Map<number, number>();
    const take = (member: number, slot: number | undefined, within: number): void => {
      const row = this.nearest(amounts[member] as number, slot, used, within);
      if (row === undefined) return;
      used.add(row);
      rowOf.set(member, row);
    };
    memberOfSlot.forEach((member, at) => { if (member !== undefined) take(member, slots[at], this.toleranceDays); });
    const emptySlots = slots.filter((_, at) => memberOfSlot[at] === undefined);
    amounts.forEach((_, member) => { if (!rowOf.has(member)) take(member, emptySlots.shift(), Infinity); });
    return amounts.flatMap((_, member) => rowOf.get(member) ?? []);
  }

  /** By slot, the member (an index of `amounts`) that is assigned to it. */
  private matchSlots(amounts: readonly number[], slots: readonly number[]): (number | undefined)[] {
    const memberOfSlot: (number | undefined)[] = slots.map(() => undefined);
    const fits = new Map([...new Set(amounts)].map((amount) => [amount, this.slotsOf(amount, slots)]));
    const place = (member: number, seen: Set<number>): boolean => (fits.get(amounts[member] as number) ?? []).some((slot) => {
      if (seen.has(slot)) return false;
      seen.add(slot);
      const holder = memberOfSlot[slot];
      if (holder !== undefined && !place(holder, seen)) return false;
      memberOfSlot[slot] = member;
      return true;
    });
    amounts.forEach((_, member) => place(member, new Set()));
    return memberOfSlot;
  }

  private slotsOf(amount: number, slots: readonly number[]): number[] {
    const rows = this.byAmount.get(amount) ?? [];
    return [...slots.keys()].filter((at) => rows.some((row) => isInside(this.dayOf(row), slots[at], this.toleranceDays)));
  }

  private nearest(amount: number, slot: number | undefined, used: ReadonlySet<number>, within: number): number | undefined {
    let best: number | undefined;
    let least = Infinity;
    for (const row of this.byAmount.get(amount) ?? []) {
      if (used.has(row)) continue;
      const day = this.dayOf(row);
      const distance = slot === undefined ? 0 : day === NO_DAY ? Number.MAX_SAFE_INTEGER : Math.abs(day - slot);
      if (distance > within || distance >= least) continue;
      [best, least] = [row, distance];
    }
    return best;
  }

  /** Exchanges rows as long as that is better, and counts the exchanges that are as good as the result. */
  improve(start: Judged): Arrangement {
    let judged = start;
    for (let round = 0; round <= start.members.length; round += 1) {
      let better = judged;
      let others = 0;
      for (const other of this.exchanges(judged)) {
        if (isBetter(other, better)) better = other;
        if (other.inside === judged.inside && other.spread === judged.spread && others < MOST_OTHER_SETS) others += 1;
      }
      if (better === judged) return { ...judged, others };
      judged = better;
    }
    // Not known to be the best: as if there were another one.
    return { ...judged, others: 1 };
  }

  /** With another day for one member each. */
  private *exchanges({ members }: Judged): Generator<Judged> {
    const used = new Set(members);
    const seen = new Set<string>();
    for (const member of members) {
      const amount = this.amountOf(member);
      for (const row of this.byAmount.get(amount) ?? []) {
        const key = `${amount}:${this.dayOf(member)}:${this.dayOf(row)}`;
        if (used.has(row) || this.dayOf(row) === this.dayOf(member) || seen.has(key)) continue;
        seen.add(key);
        yield this.judge(members.map((own) => (own === member ? row : own)));
      }
    }
  }

  private amountOf(candidate: number): number {
    return this.set.amounts[candidate] as number;
  }

  private dayOf(candidate: number): number {
    return this.set.days[candidate] as number;
  }
}
