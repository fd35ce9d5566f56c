import { BestFind } from './find';
import type { Find } from './find';
import type { FoundSet, Hunt, Pass, SetLimits } from './hunt';
import { PlanReader } from './plans';
import { narrowed, partialLimits, rankOf } from './subsets';

/** Members near an equal share of the target: exactly as many as their plan has, or fewer where partial ones count. */
export class InstallmentHunt {
  private readonly plans: PlanReader;

  constructor(private readonly hunt: Hunt) {
    this.plans = new PlanReader(hunt);
  }

  findComplete(): Find | null {
    const { minSum, maxSum } = this.hunt.target;
    return this.find('COMPLETE', (count) => ({ minSum, maxSum, minMembers: count, maxMembers: count, uniformity: 0 }));
  }

  findPartial(): Find | null {
    return this.find('PARTIAL', (count) => partialLimits(this.hunt, count));
  }

  private find(status: Find['status'], limitsOf: (count: number) => SetLimits | null): Find | null {
    for (const pass of this.hunt.passes(this.plans.maxPlanInstallments)) {
      const found = this.bestOf(pass, status, limitsOf);
      if (found !== null) return found;
    }
    return null;
  }

  private bestOf(pass: Pass, status: Find['status'], limitsOf: (count: number) => SetLimits | null): Find | null {
    const { hunt, plans } = this;
    const { candidates } = hunt.members;
    plans.gather(pass.days);
    hunt.candidates = candidates.count;
    if (candidates.truncated) hunt.complete = false;
    const best = new BestFind();
    for (const [group, plan] of plans.read()) {
      const inGroup = new BestFind();
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
          [best, inGroup].reduce((all, one) => narrowed(all, hunt.target.units, one), limits),
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
          rankOf(hunt, found),
        );
      }
      if (inGroup.found !== null && inGroup.rank !== null) best.offer(inGroup.found, inGroup.rank);
    }
    return best.found;
  }

  /** A plan is limited to the slots of its own months. */
  private nearSlots(members: readonly number[], months: number): number[] {
    const ranges = this.hunt.slotRanges(months);
    const { days } = this.hunt.members.candidates;
    return members.filter((member) =>
      ranges.some(({ from, to }) => from <= (days[member] as number) && (days[member] as number) <= to),
    );
  }

  private inPlan(fitting: readonly number[], limits: SetLimits, pass: Pass): FoundSet | null {
    const { candidates, chosen, index } = this.hunt.members;
    const positions = fitting.map((candidate, at) => {
      const place = candidates.places[candidate] as number;
      chosen.places[at] = place;
      chosen.amounts[at] = candidates.amounts[candidate] as number;
      chosen.days[at] = candidates.days[candidate] as number;
      return index.position(place);
    });
    return this.hunt.search({ ...chosen, count: fitting.length }, limits, pass, positions);
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
