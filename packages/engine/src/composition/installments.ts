import type { DayRange } from './day-ranges';
import { BestFind } from './find';
import type { Find } from './find';
import { isWhole } from './hunt';
import type { CandidateSet, FoundSet, Hunt, SetLimits } from './hunt';
import { MAX_MEMBERS } from './limits';
import { PlanReader } from './plans';
import { narrowed, partialLimits } from './subsets';

/** Members near an equal share of the target: exactly as many as their plan has, or fewer where partial ones count. */
export class InstallmentHunt {
  private readonly plans: PlanReader;

  constructor(private readonly hunt: Hunt) {
    this.plans = new PlanReader(hunt);
  }

  findComplete(): Find | null {
    const { least, most } = this.hunt.target;
    return this.find('COMPLETE', (count) => ({ least, most, leastMembers: count, mostMembers: count, uniformity: 0 }));
  }

  findPartial(): Find | null {
    return this.find('PARTIAL', (count) => partialLimits(this.hunt, count));
  }

  private find(status: Find['status'], limitsOf: (count: number) => SetLimits | null): Find | null {
    const passes = this.hunt.passes(MAX_MEMBERS);
    for (const [pass, days] of passes.entries()) {
      const found = this.bestOn(days, pass < passes.length - 1, status, limitsOf);
      if (found !== null) return found;
    }
    return null;
  }

  /** `nearSlots`: each plan is limited to the slots of its own months. */
  private bestOn(
    days: readonly DayRange[], nearSlots: boolean, status: Find['status'], limitsOf: (count: number) => SetLimits | null,
  ): Find | null {
    const { hunt, plans } = this;
    const { candidates, index } = hunt.members;
    plans.gather(days);
    hunt.candidates = candidates.count;
    if (candidates.truncated) hunt.complete = false;
    const best = new BestFind();
    for (const [group, plan] of plans.read()) {
      for (const [count, members] of plan) {
        const limits = limitsOf(count);
        if (limits === null || members.length < limits.leastMembers || best.excludes(count)) continue;
        const near = nearSlots ? this.nearSlots(members, count) : members;
        const found = this.inPlan(near, count, narrowed(limits, hunt.target.units, best));
        if (found === null) continue;
        const firstRow = Math.min(...found.places.map((place) => index.row[place] as number));
        const outside = found.inside < found.places.length;
        const rank = { outside, delta: Math.abs(found.sum - hunt.target.units), size: count, spread: found.spread, firstRow };
        best.offer({
          ...found, kind: status === 'COMPLETE' ? 'installments' : 'partial', status, group, expected: count,
          installments: this.describe(found.places, count),
        }, rank);
      }
    }
    return best.found;
  }

  private nearSlots(members: readonly number[], months: number): number[] {
    const ranges = this.hunt.slotRanges(months);
    const { days } = this.hunt.members.candidates;
    return members.filter((member) => ranges.some(({ from, to }) => from <= (days[member] as number) && (days[member] as number) <= to));
  }

  private inPlan(near: readonly number[], count: number, limits: SetLimits): FoundSet | null {
    const { candidates, chosen, index } = this.hunt.members;
    const isPlaced = near.every((candidate) => index.position(candidates.places[candidate] as number) > 0);
    // A search by position chooses among the rows of each; any other one must not see two of the same.
    const fitting = isPlaced && isWhole(limits) ? near : this.plans.withoutRepeats(count, near);
    const positions: number[] = [];
    for (const candidate of fitting) {
      const at = positions.length;
      const place = candidates.places[candidate] as number;
      chosen.places[at] = place;
      chosen.amounts[at] = candidates.amounts[candidate] as number;
      chosen.days[at] = candidates.days[candidate] as number;
      positions.push(index.position(place));
    }
    const set: CandidateSet = { ...chosen, count: fitting.length };
    return this.hunt.search(set, limits, isPlaced ? positions : undefined);
  }

  private describe(places: readonly number[], count: number): NonNullable<Find['installments']> {
    const { index } = this.hunt.members;
    const positions = places.map((place) => index.position(place));
    return {
      count,
      unitUnits: this.plans.unitOf(places[0] as number, count),
      ...(positions.some((position) => position > 0) ? { positions } : {}),
    };
  }
}
