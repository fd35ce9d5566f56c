import { BestComposite } from './best-composite';
import type { CompositeFind } from './best-composite';
import type { FoundSet, TargetSearch, Pass, SetLimits } from './target-search';
import { findBestSet } from './evidence';
import { PlanReader } from './plans';
import { narrowed, partialLimits, rankOf } from './subsets';

/**
 * Searches members near an equal share of the target: exactly as many as their plan has, or fewer where partial
 * composites count.
 */
export class InstallmentSearch {
  private readonly plans: PlanReader;

  constructor(private readonly search: TargetSearch) {
    this.plans = new PlanReader(search);
  }

  findComplete(): CompositeFind | null {
    const { minSum, maxSum, heldUnits } = this.search.target;
    return this.find('COMPLETE', (count) => ({
      minSum,
      maxSum,
      // Some installments of a rest's plan are held already.
      minMembers: heldUnits === 0 ? count : 1,
      maxMembers: heldUnits === 0 ? count : count - 1,
      uniformity: 0,
    }));
  }

  findPartial(): CompositeFind | null {
    return this.find('PARTIAL', (count) => partialLimits(this.search, count));
  }

  private find(status: CompositeFind['status'], limitsOf: (count: number) => SetLimits | null): CompositeFind | null {
    for (const pass of this.search.passes(this.plans.maxPlanInstallments)) {
      const found = this.bestOf(pass, status, limitsOf);
      if (found !== null) return found;
    }
    return null;
  }

  private bestOf(
    pass: Pass,
    status: CompositeFind['status'],
    limitsOf: (count: number) => SetLimits | null,
  ): CompositeFind | null {
    const { search, plans } = this;
    const { candidates } = search.members;
    plans.gather(pass.days);
    search.candidates = candidates.count;
    if (candidates.truncated) search.complete = false;
    const best = new BestComposite();
    for (const [group, plan] of plans.read()) {
      const inGroup = new BestComposite();
      for (const [count, members] of plan) {
        const limits = limitsOf(count);
        if (
          limits === null ||
          members.length < limits.minMembers ||
          [best, inGroup].some((one) => one.excludes(limits.minMembers))
        )
          continue;
        const near = pass.allInside ? this.nearSlots(members, count) : members;
        const found = this.inPlan(
          near,
          [best, inGroup].reduce((all, one) => narrowed(all, search.target.units, one), limits),
          pass,
        );
        if (found === null) continue;
        inGroup.offer(
          {
            ...found,
            kind: status === 'COMPLETE' ? 'installments' : 'partial',
            status,
            group,
            expected: count,
            installments: this.describe(found.places, count),
          },
          rankOf(search, found),
        );
      }
      if (inGroup.found !== null && inGroup.rank !== null) best.offer(inGroup.found, inGroup.rank);
    }
    return best.found;
  }

  /** Limits a plan to the slots of its own months. */
  private nearSlots(members: readonly number[], months: number): number[] {
    const ranges = this.search.slotRanges(months);
    const { days } = this.search.members.candidates;
    return members.filter((member) =>
      ranges.some(({ from, to }) => from <= (days[member] as number) && (days[member] as number) <= to),
    );
  }

  private inPlan(fitting: readonly number[], limits: SetLimits, pass: Pass): FoundSet | null {
    const { candidates, chosen, index } = this.search.members;
    const positions = fitting.map((candidate, at) => {
      const place = candidates.places[candidate] as number;
      chosen.places[at] = place;
      chosen.amounts[at] = candidates.amounts[candidate] as number;
      chosen.days[at] = candidates.days[candidate] as number;
      return index.position(place);
    });
    const set = { ...chosen, count: fitting.length };
    return findBestSet(this.search, set, { limits, pass, positions });
  }

  private describe(places: readonly number[], count: number): NonNullable<CompositeFind['installments']> {
    const { index } = this.search.members;
    const positions = places.map((place) => index.position(place));
    return {
      count,
      unitUnits: this.plans.unitOf(places[0] as number, count),
      ...(positions.some((position) => position > 0) ? { positions } : {}),
    };
  }
}
