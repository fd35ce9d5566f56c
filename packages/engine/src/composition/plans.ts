import type { DayRange } from './day-ranges';
import type { TargetSearch } from './target-search';
import { maxInstallments } from './limits';

/** Candidates, by index, that fit a plan, by its number of installments. */
type FittingByCount = Map<number, number[]>;

/** Rounding error of a share or a quotient in doubles. */
const roundingNoise = 1e-12;

/**
 * Reads candidates as installments of the target. The unit value is the member's own, else the target's, else the
 * target's share of the count. The count is the member's own, else the target's, else any whole number that fits.
 */
export class PlanReader {
  private readonly tolerance: number;
  private readonly reach: number;

  constructor(private readonly search: TargetSearch) {
    const { divisorTolerance } = search.settings.installments;
    this.tolerance = divisorTolerance;
    // Each candidate is read once, even on the border of two counts.
    this.reach = divisorTolerance * (1 + roundingNoise) + roundingNoise;
  }

  /** Bound on the installments of a plan. */
  get maxPlanInstallments(): number {
    const { totalCountField, maxDivisor } = this.search.settings.installments;
    return totalCountField === undefined ? maxDivisor : maxInstallments;
  }

  /** Collects the rows that may fit into the candidates of the source. */
  gather(days: readonly DayRange[]): void {
    const { target, members } = this.search;
    members.candidates.gatherAmounts(target, this.amountRanges(), days, (place) => this.countsOf(place).length > 0);
  }

  /** Returns the fitting candidates by group (ordinal) and by count, both ascending. */
  read(): [group: number, plans: [count: number, fitting: number[]][]][] {
    const { candidates, index } = this.search.members;
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

  /** Returns the units of one installment of the plan of the member at a place. */
  unitOf(place: number, count: number): number {
    const unit = this.ownUnit(place);
    return Number.isNaN(unit) ? this.wholeUnits / count : unit;
  }

  /** The whole amount of the target, including the part that is held: a plan divides this amount. */
  private get wholeUnits(): number {
    const { units, heldUnits } = this.search.target;
    return units + heldUnits;
  }

  private ownUnit(place: number): number {
    const unit = this.search.members.index.unitValue(place);
    return Number.isNaN(unit) ? this.search.target.unitValue : unit;
  }

  /** Returns the amounts that can fit, ascending and without overlap. */
  private amountRanges(): { from: number; to: number }[] {
    const {
      target,
      settings: { installments },
    } = this.search;
    // A record may state any unit value.
    if (installments.unitValueField !== undefined) return [{ from: 1, to: target.maxSum }];
    const ranges: { from: number; to: number }[] = [];
    for (let count = this.maxPlanInstallments; count >= 2; count--) {
      const from = Math.floor(this.wholeUnits / (count + this.reach));
      const to = Math.ceil(this.wholeUnits / (count - this.reach));
      const last = ranges.at(-1);
      if (last !== undefined && from <= last.to) last.to = to;
      else ranges.push({ from, to });
    }
    return ranges;
  }

  /** Returns the counts of plans that the row at a place fits; two on the border of both. */
  private countsOf(place: number): number[] {
    const {
      target,
      members: { index },
      settings: {
        installments: { maxDivisor },
      },
    } = this.search;
    const amount = index.units[place] as number;
    if (amount <= 0) return [];
    const unit = this.ownUnit(place);
    const stated = index.totalCount(place) || target.totalCount;
    if (stated > 0) return this.fits(stated, unit, amount) ? [stated] : [];
    const quotient = this.wholeUnits / (Number.isNaN(unit) ? amount : unit);
    const below = Math.floor(quotient);
    return [below, below + 1].filter(
      (count) => count >= 2 && count <= maxDivisor && this.isNear(quotient, count) && this.fits(count, unit, amount),
    );
  }

  /** Returns whether |quotient − count| <= divisorTolerance. */
  private isNear(quotient: number, count: number): boolean {
    return Math.abs(quotient - count) <= this.tolerance + roundingNoise * count;
  }

  /**
   * Returns whether |count · unit / amount − count| <= divisorTolerance; without a unit value the target is count ·
   * unit.
   */
  private fits(count: number, unit: number, amount: number): boolean {
    const whole = Number.isNaN(unit) ? this.wholeUnits : count * unit;
    return this.isNear(whole / amount, count);
  }
}
