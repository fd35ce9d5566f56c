import type { Pick } from './amount-classes';
import type { Choice } from './best-sets';
import type { Effort } from './effort';
import { firstMonths, chooseByMonth, countInside } from './months';
import type { MonthReach } from './month-reach';
import type { RowChoice } from './row-choice';
import { emptySpan, compareRows } from './rows-by-day';
import type { RowSets } from './rows-by-day';
import { maxSetMembers, maxDaySpan } from './types';
import type { SubsetProblem } from './types';

/** Of the rows of chosen amounts as many as possible inside their months, then those within the fewest days, then the earliest. */
export class MonthChoice implements Choice {
  readonly rows = new Int32Array(maxSetMembers);
  size = 0;
  spread = 0;
  cost = 0;
  /** False once the effort did not suffice, so that rows within the fewest days were taken. */
  isExact = true;
  private sets: number[][] = [];
  private problem: SubsetProblem | null = null;

  constructor(
    private readonly effort: Effort,
    private readonly byDays: RowChoice,
    private readonly reach: MonthReach,
  ) {}

  load(problem: SubsetProblem): void {
    this.problem = problem;
    this.isExact = true;
    this.reach.load(problem);
  }

  narrow(pick: Pick, sum: number): boolean {
    if (!this.reach.allows(pick)) return false;
    const { inside, spread, sets } = this.choose(pick) ?? this.nearest(pick);
    this.sets = sets;
    this.size = (sets[0] as number[]).length;
    this.spread = spread;
    this.cost = (this.size - inside) * maxDaySpan + spread;
    return this.problem!.admits?.(sum, this.size, inside) ?? true;
  }

  fill(): void {
    this.rows.set(this.sets[0] as number[]);
  }

  isBefore(others: Int32Array): boolean {
    return compareRows(this.sets[0] as number[], Array.from(others.subarray(0, this.size))) < 0;
  }

  ways(limit: number): number {
    return Math.min(limit, this.sets.length);
  }

  private choose({ length, classes, counts }: Pick): RowSets | null {
    const { days, months } = this.problem!;
    const { grouped } = this.byDays;
    grouped.group();
    const wanted = Array.from({ length }, (_, at) => ({
      count: counts[at]!,
      rows: grouped.rows.subarray(grouped.from(classes[at]!), grouped.to(classes[at]!)),
    }));
    return chooseByMonth(wanted, [], days, months!, firstMonths, emptySpan, this.effort);
  }

  private nearest(pick: Pick): RowSets {
    this.isExact = false;
    const { byDays } = this;
    byDays.narrow(pick);
    byDays.fill();
    const set = Array.from(byDays.rows.subarray(0, byDays.size));
    const { days, months } = this.problem!;
    return {
      inside: countInside(
        [],
        set.map((row) => days[row]!),
        months!,
      ),
      spread: byDays.spread,
      sets: [set],
    };
  }
}
