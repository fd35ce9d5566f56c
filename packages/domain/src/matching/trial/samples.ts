import { heavyEffort, type CompiledRuleSet, type Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { allOf, type OnStep, type RunningCheck } from '../jobs/context';
import type { EntryError, HeavyFailures } from '../jobs/errors';
import { defaultLimits, keptErrors } from '../jobs/limits';
import { FilterBudget } from '../plan/plan-entry';
import type { FieldRange } from '../stage/side-query';
import type { FilterFailure } from '../stage/stage-side';
import { blockOf } from './block-of';
import { planTrial, TrialPairsError, type TrialCandidates } from './candidates';
import { HeldSide } from './held-side';

/** Right records from which on a first answer is of those that few left ones may meet. */
const minBlockedRecords = 20_000;
/** Left records of such an answer, and those that are read to choose them. */
const blockRecords = 200;
const maxBlockPairs = 50_000;
const probedRecords = 1_000;
/** Left records of another first answer: more where they have few candidates, fewer where they have many. */
const firstRecords = 100;
const maxFirstRecords = 1_000;
const maxFirstPairs = 25_000;
/** Reading again takes time, too. */
const minFirstFactor = 2;
/** Bytes of the records of a side. */
const maxHeldBytes = 192 << 20;
/** A share of less than this of the limit is tried again with fewer records this many times. */
const maxTries = 6;
/** Part of a limit that samples aim at: they differ from each other. */
const aim = 0.8;

/** The records of both sides that one answer reads. */
export interface TrialSample {
  sides: Record<Side, HeldSide>;
  candidates: TrialCandidates;
  filterErrors: Record<Side, FilterErrors>;
  /** True if it has only records with neighbouring values. */
  isBlock: boolean;
}

export interface FilterErrors {
  count: number;
  first: EntryError[];
}

type Read = [HeldSide, FilterErrors];

interface SampleSource extends Record<`${Side}DatasetId`, string> {
  /** Names the trial in errors. */
  id: string;
  tenantId: string;
  compiled: CompiledRuleSet;
  isOneSide: boolean;
  readers: Record<Side, PoolClient>;
  maxRecords: number;
  maxPairs: number;
  heavy: HeavyFailures;
  onStep: OnStep;
  check: RunningCheck;
}

/** Reads the records of a trial: first few of them, then as many as its limits allow. */
export class TrialSamples {
  private right?: Read;
  /** The parts of the left records that are wanted, and that have few enough candidates. */
  private readonly wantedShare: number;
  private finalShare: number;

  private constructor(
    private readonly source: SampleSource,
    /** Ready records. */
    readonly totals: Record<Side, number>,
  ) {
    this.wantedShare = Math.min(1, source.maxRecords / Math.max(1, totals.left));
    this.finalShare = this.wantedShare;
  }

  static async open(source: SampleSource): Promise<TrialSamples> {
    return new TrialSamples(source, await countReady(source));
  }

  /** True if a first answer saves time: the last one reads a multiple of its left records. */
  get hasFirst(): boolean {
    return (minFirstFactor * firstRecords) / Math.max(1, this.totals.left) < this.wantedShare;
  }

  /**
   * Reads left records with neighbouring values, and the right ones that these may meet: reading all right records
   * takes longer than a first answer may. Null where there are few of these, or no window to choose them by.
   */
  async ofBlock(): Promise<TrialSample | null> {
    const { isOneSide, compiled } = this.source;
    const { totals } = this;
    if (isOneSide || totals.right < minBlockedRecords) return null;
    const share = Math.min(this.wantedShare, blockRecords / totals.left);
    const [probe] = await this.read('left', Math.min(1, probedRecords / totals.left));
    const block = blockOf(compiled, probe, share);
    if (block === null) return null;
    const [left, right] = await allOf([
      this.read('left', 1, { within: block.left }),
      this.read('right', 1, { within: block.right }),
    ]);
    const maxPairs = Math.min(this.source.maxPairs, maxBlockPairs);
    return this.sample(1, { left, right, maxPairs, within: block.left });
  }

  /** Reads few left records and all right ones, or more of them where these have few candidates. */
  async ofFew(): Promise<TrialSample> {
    const maxPairs = Math.min(this.source.maxPairs, maxFirstPairs);
    const few = firstRecords / this.totals.left;
    const right = await this.wholeRight();
    const sample = await this.sample(few, { right, maxPairs });
    const factor = Math.min((aim * maxPairs) / Math.max(1, sample.candidates.pairs), maxFirstRecords / firstRecords);
    const more =
      factor < minFirstFactor
        ? sample
        : await this.sample(Math.min(this.wantedShare, few * factor), { right, maxPairs });
    this.estimate(more);
    return more;
  }

  /** Finding too many pairs takes as long as an answer, so few records serve to estimate their number. */
  private estimate({ candidates, sides }: TrialSample): void {
    const pairs = (candidates.pairs * this.totals.left) / Math.max(1, sides.left.plan.ready);
    const few = firstRecords / this.totals.left;
    if (pairs * this.wantedShare > this.source.maxPairs)
      this.finalShare = Math.max(few, (aim * this.source.maxPairs) / pairs);
  }

  /** Reads as many left records as are wanted, fewer where they have too many candidates, and all right ones. */
  async ofAll(): Promise<TrialSample> {
    const { maxPairs } = this.source;
    return this.sample(this.finalShare, { right: await this.wholeRight(), maxPairs });
  }

  /** Reads all right records, once. */
  private async wholeRight(): Promise<Read> {
    return (this.right ??= await this.read('right', 1));
  }

  /** Reads left records, unless they are given, and fewer where they have too many candidates. */
  private async sample(
    share: number,
    {
      left: first,
      right: [right, rightErrors],
      maxPairs,
      within,
    }: { left?: Read; right: Read; maxPairs: number; within?: FieldRange },
  ): Promise<TrialSample> {
    const { compiled, isOneSide, check, onStep } = this.source;
    let read = first;
    for (let tries = 1; ; tries++) {
      const [left, leftErrors] = read ?? (await this.read('left', share, { other: right, within }));
      read = undefined;
      right.reset();
      const sides = { left, right };
      try {
        const isSampled = share < 1 || within !== undefined;
        const plan = { compiled, sides, isOneSide, isSampled, maxPairs, limits: defaultLimits, onStep, check };
        const candidates = await planTrial(plan);
        const filterErrors = { left: leftErrors, right: rightErrors };
        return { sides, candidates, filterErrors, isBlock: within !== undefined };
      } catch (error) {
        if (!(error instanceof TrialPairsError)) throw error;
        if (tries < maxTries && left.length > 1) share *= error.share;
        else if (maxPairs === this.source.maxPairs) throw error.refusal;
        else [maxPairs, tries] = [this.source.maxPairs, 0];
      }
    }
  }

  private async read(
    side: Side,
    share: number,
    { other, within }: { other?: HeldSide | undefined; within?: FieldRange | undefined } = {},
  ): Promise<Read> {
    const { compiled, check, onStep, heavy, isOneSide, ...source } = this.source;
    const budget = new FilterBudget(defaultLimits);
    const errors: FilterErrors = { count: 0, first: [] };
    const held = await HeldSide.read({
      tenantId: source.tenantId,
      compiled,
      side,
      share,
      within,
      datasetId: source[`${side}DatasetId`],
      reader: source.readers[side],
      limits: defaultLimits,
      maxBytes: maxHeldBytes,
      onFilterError: ({ recordId, error, effort }: FilterFailure) => {
        errors.count++;
        const failed = { left_record_id: null, right_record_id: null, [`${side}_record_id`]: recordId, ...error };
        if (isHeavy(effort)) heavy.add(failed);
        if (errors.first.length < keptErrors) errors.first.push(failed);
      },
      onFiltered: (tookMs) => budget.spend(source.id, tookMs),
      onStep,
      check,
      same: isOneSide ? other : undefined,
    });
    return [held, errors];
  }
}

const isHeavy = (effort: number): boolean => effort >= heavyEffort;

async function countReady({ tenantId, readers, ...datasets }: SampleSource): Promise<Record<Side, number>> {
  const count = async (side: Side): Promise<number> => {
    const { rows } = await readers[side].query<{ count: number }>(
      `select count(*)::float8 as count from records where tenant_id = $1 and dataset_id = $2 and status = 'ready'`,
      [tenantId, datasets[`${side}DatasetId`]],
    );
    return rows[0]?.count ?? 0;
  };
  const [left, right] = await Promise.all([count('left'), count('right')]);
  return { left, right };
}
