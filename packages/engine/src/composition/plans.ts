import type { DayRange } from './day-ranges';
import type { Hunt } from './hunt';
import { maxInstallments } from './limits';

/** Candidates, by index, that fit a plan of so many installments. */
type FittingByCount = Map<number, number[]>;

/** What a share or a quotient loses in doubles. */
const roundingNoise = 1e-12;

/**
 * Reads candidates as installments of the target. The value of one is the member's own, else the target's, else the
 * target's share of the count; the count is the member's own, else the target's, else whatever whole number fits.
 */
export class PlanReader {
  private readonly tolerance: number;
  private readonly reach: number;

  constructor(private readonly hunt: Hunt) {
    const { divisorTolerance } = hunt.settings.installments;
    this.tolerance = divisorTolerance;
    // A candidate is looked at once, even when it lies on the border of two counts.
    this.reach = divisorTolerance * (1 + roundingNoise) + roundingNoise;
  }

  /** No plan has more. */
  get maxPlanInstallments(): number {
    const { totalCountField, maxDivisor } = this.hunt.settings.installments;
    return totalCountField === undefined ? maxDivisor : maxInstallments;
  }

  /** Puts what may fit into the candidates of the source. */
  gather(days: readonly DayRange[]): void {
    const { target, members } = this.hunt;
    members.candidates.gatherAmounts(target, this.amountRanges(), days, (place) => this.countsOf(place).length > 0);
  }

  /** By group (ordinal) and by count, both ascending, what fits. */
  read(): [group: number, plans: [count: number, fitting: number[]][]][] {
    const { candidates, index } = this.hunt.members;
    const groups = new Map<number, FittingByCount>();
    for (let candidate = 0; candidate < candidates.count; candidate++) {
      const group = index.groupOf[candidates.places[candidate] as number] as number;
      for (const count of this.countsOf(candidates.places[candidate] as number)) {
        const plans = groups.get(group) ?? new Map<number, number[]>();
        groups.set(group, plans);
        const fitting = plans.get(count);
        if (fitting === undefined) plans.set(count, [candidate]);
        else fitting.push(candidate);
      }
    }
    return [...groups].map(([group, plans]) => [group, [...plans].sort(([one], [other]) => one - other)]);
  }

  /** Units of one installment of the plan that the member at the place belongs to. */
  unitOf(place: number, count: number): number {
    const unit = this.ownUnit(place);
    return Number.isNaN(unit) ? this.hunt.target.units / count : unit;
  }

  private ownUnit(place: number): number {
    const unit = this.hunt.members.index.unitValue(place);
    return Number.isNaN(unit) ? this.hunt.target.unitValue : unit;
  }

  /** Amounts that can fit, ascending and without overlap. */
  private amountRanges(): { from: number; to: number }[] {
    const {
      target,
      settings: { installments },
    } = this.hunt;
    // The value that a record states may be anything.
    if (installments.unitValueField !== undefined) return [{ from: 1, to: target.maxSum }];
    const ranges: { from: number; to: number }[] = [];
    for (let count = this.maxPlanInstallments; count >= 2; count--) {
      const from = Math.floor(target.units / (count + this.reach));
      const to = Math.ceil(target.units / (count - this.reach));
      const last = ranges.at(-1);
      if (last !== undefined && from <= last.to) last.to = to;
      else ranges.push({ from, to });
    }
    return ranges;
  }

  /** The counts of plans that the row at the place fits; more than one on the border of two. */
  private countsOf(place: number): number[] {
    const {
      target,
      members: { index },
      settings: {
        installments: { maxDivisor },
      },
    } = this.hunt;
    const amount = index.units[place] as number;
    if (amount <= 0) return [];
    const unit = this.ownUnit(place);
    const stated = index.totalCount(place) || target.totalCount;
    if (stated > 0) return this.fits(stated, unit, amount) ? [stated] : [];
    const quotient = target.units / (Number.isNaN(unit) ? amount : unit);
    const below = Math.floor(quotient);
    return [below, below + 1].filter(
      (count) => count >= 2 && count <= maxDivisor && this.isNear(quotient, count) && this.fits(count, unit, amount),
    );
  }

  /** |quotient − count| <= divisorTolerance. */
  private isNear(quotient: number, count: number): boolean {
    return Math.abs(quotient - count) <= this.tolerance + roundingNoise * count;
  }

  /** |count · unit / amount − count| <= divisorTolerance; without a unit value the target is count · unit. */
  private fits(count: number, unit: number, amount: number): boolean {
    const whole = Number.isNaN(unit) ? this.hunt.target.units : count * unit;
    return this.isNear(whole / amount, count);
  }
}
