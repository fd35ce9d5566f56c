import type { AmountPick, Choice } from './amount-classes';
import type { NodeBudget, SubsetProblem } from './types';
import { firstMonths, chooseByMonth, countInside } from './months';
import type { MonthReach } from './month-reach';
import type { RowChoice } from './row-choice';
import { emptySpan, compareRows } from './rows-by-day';
import type { RowSets } from './rows-by-day';
import { maxSetMembers, maxDaySpan } from './types';

/**
 * Chooses rows for picked amounts under `monthly`: most rows inside their months, then the fewest days, then the
 * earliest rows.
 */
export class MonthChoice implements Choice {
  readonly rows = new Int32Array(maxSetMembers);
  size = 0;
  spread = 0;
  cost = 0;
  /** True if the budget sufficed; otherwise rows within the fewest days were taken. */
  isExact = true;
  private sets: number[][] = [];
  private problem: SubsetProblem | null = null;

  constructor(
    private readonly budget: NodeBudget,
    private readonly byDays: RowChoice,
    private readonly reach: MonthReach,
  ) {}

  load(problem: SubsetProblem): void {
    this.problem = problem;
    this.isExact = true;
    this.reach.load(problem);
  }

  narrow(pick: AmountPick, sum: number): boolean {
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

  private choose({ length, classes, counts }: AmountPick): RowSets | null {
    const { days, months } = this.problem!;
    const { grouped } = this.byDays;
    grouped.group();
    const wanted = Array.from({ length }, (_, at) => ({
      count: counts[at]!,
      rows: grouped.rows.subarray(grouped.from(classes[at]!), grouped.to(classes[at]!)),
    }));
    return chooseByMonth({
      wanted,
      placed: [],
      days,
      months: months!,
      firsts: firstMonths,
      span: emptySpan,
      budget: this.budget,
    });
  }

  private nearest(pick: AmountPick): RowSets {
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
