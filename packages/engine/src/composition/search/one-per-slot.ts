import { NO_DAY } from '../../pairs/types';
import { lowerBound } from '../sorted';
import { MOST_OTHER_SETS } from './types';

export interface SlotProblem {
  /** In minor units. */
  target: number;
  /** Inclusive bounds of the sum. */
  least: number;
  most: number;
  /** By candidate, in the order in which earlier ones are preferred. */
  amounts: Float64Array;
  /** NO_DAY contributes nothing to the spread. */
  days: Int32Array;
  /** Choices that all runs may visit together. */
  maxNodes: number;
}

/** Sets of one candidate per slot. */
export interface SlotSets {
  /** By slot. */
  members: number[];
  sum: number;
  /** Days from the first to the last dated member. */
  spread: number;
  /** Other multisets of (amount, day) with the same |target - sum|, size and spread; at most MOST_OTHER_SETS. */
  otherSets: number;
}

interface Slot {
  /** Where its member goes. */
  at: number;
  /** Candidates by (amount, day, candidate). */
  choices: readonly number[];
  amounts: readonly number[];
  /** The least and the most that this slot and those behind it add up to. */
  leastRest: number;
  mostRest: number;
}

/**
 * Chooses exactly one candidate of each slot: the sum closest to the target, then the smallest spread, then the earliest
 * candidates. Depth first over the slots, those with few candidates first, bounded by what the slots behind can add; in each
 * slot the amounts that can still lead to the target are looked up. Exact unless the nodes run out; the work is the
 * product of the candidates in the worst case. A candidate may be in several slots and is taken once; then those with its
 * amount and day are in the same slots.
 */
export class SlotSearch {
  nodes = 0;
  /** False when maxNodes ended a run before it was exact. */
  complete = true;
  best: SlotSets | null = null;
  private delta = Infinity;
  private lowest: number;
  private highest: number;
  private keys = new Set<string>();
  private slots: Slot[] = [];
  private chosen: number[] = [];

  constructor(private readonly problem: SlotProblem) {
    this.lowest = problem.least;
    this.highest = problem.most;
  }

  /** Sets of further runs must be closer to the target than the best so far. Returns whether any could be. */
  demandCloser(): boolean {
    this.admit(this.delta - 1);
    return this.lowest <= this.highest && this.complete;
  }

  /** Slots hold candidates, ascending. */
  run(slots: readonly (readonly number[])[]): void {
    if (slots.some((candidates) => candidates.length === 0)) return;
    const { amounts, days } = this.problem;
    const before = (one: number, other: number): number => (
      (amounts[one] as number) - (amounts[other] as number) || (days[one] as number) - (days[other] as number) || one - other);
    let [leastRest, mostRest] = [0, 0];
    this.slots = slots
      .map((candidates, at) => ({ at, choices: [...candidates].sort(before) }))
      .sort((one, other) => other.choices.length - one.choices.length || other.at - one.at)
      .map(({ at, choices }) => {
        const values = choices.map((candidate) => amounts[candidate] as number);
        leastRest += values[0] as number;
        mostRest += values.at(-1) as number;
        return { at, choices, amounts: values, leastRest, mostRest };
      })
      .reverse();
    this.chosen = slots.map(() => -1);
    this.choose(0, 0, Infinity, -Infinity);
  }

  private choose(depth: number, sum: number, first: number, last: number): void {
    const slot = this.slots[depth];
    if (slot === undefined) {
      this.offer(sum, Math.max(0, last - first));
      return;
    }
    const { days } = this.problem;
    const next = this.slots[depth + 1] ?? { leastRest: 0, mostRest: 0 };
    let tried = -1;
    const start = lowerBound(0, slot.choices.length, (at) => sum + (slot.amounts[at] as number) + next.mostRest < this.lowest);
    for (let at = start; at < slot.choices.length && this.goesOn(); at += 1) {
      const amount = slot.amounts[at] as number;
      if (sum + amount + next.leastRest > this.highest) return;
      if (sum + amount + next.mostRest < this.lowest) continue;
      const candidate = slot.choices[at] as number;
      if (this.chosen.includes(candidate) || (tried !== -1 && this.isAlike(candidate, tried))) continue;
      tried = candidate;
      const day = days[candidate] as number;
      const [from, to] = day === NO_DAY ? [first, last] : [Math.min(first, day), Math.max(last, day)];
      if (this.delta === 0 && this.best !== null && to - from > this.best.spread) continue;
      this.nodes += 1;
      this.chosen[slot.at] = candidate;
      this.choose(depth + 1, sum + amount, from, to);
      this.chosen[slot.at] = -1;
    }
  }

  private goesOn(): boolean {
    if (this.nodes >= this.problem.maxNodes) this.complete = false;
    return this.complete;
  }

  private isAlike(one: number, other: number): boolean {
    const { amounts, days } = this.problem;
    return amounts[one] === amounts[other] && days[one] === days[other];
  }

  private offer(sum: number, spread: number): void {
    const { best } = this;
    const delta = Math.abs(this.problem.target - sum);
    const order = delta - this.delta || (best === null ? -1 : spread - best.spread);
    if (order > 0) return;
    if (order < 0) this.keys.clear();
    if (this.keys.size <= MOST_OTHER_SETS) this.keys.add(this.key());
    const members = order < 0 || best === null || isBefore(this.chosen, best.members) ? [...this.chosen] : best.members;
    this.best = { members, sum, spread, otherSets: this.keys.size - 1 };
    this.delta = delta;
    this.admit(delta);
  }

  private key(): string {
    const { amounts, days } = this.problem;
    return this.chosen.map((candidate) => `${amounts[candidate]}/${days[candidate]}`).sort().join(' ');
  }

  private admit(delta: number): void {
    this.lowest = Math.max(this.problem.least, this.problem.target - delta);
    this.highest = Math.min(this.problem.most, this.problem.target + delta);
  }
}

/** Compares as sets: ascending, one by one. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const [sorted, known] = [one, other].map((members) => [...members].sort((a, b) => a - b)) as [number[], number[]];
  const at = sorted.findIndex((member, index) => member !== known[index]);
  return at !== -1 && (sorted[at] as number) < (known[at] as number);
}
