import { type CompiledRuleSet, ListedCandidates, ListedPairsError, type Side, grown } from '@tieout/engine';
import { windowCandidates } from '../batch/batch';
import type { RowCandidates } from '../batch/score';
import { runSteps, type OnStep, type RunningCheck } from '../jobs/context';
import { TooManyPairsError } from '../jobs/errors';
import type { JobLimits } from '../jobs/limits';
import { planCandidates, sameSeqs } from '../plan/candidates';
import { alignAmounts, costsOf, tooManyListed } from '../plan/plan-entry';
import type { Rows } from '../stage/rows';
import type { HeldSide } from './held-side';

/** A rule set lets more pairs through than a trial compares. */
export class TrialPairsError extends Error {
  /** @param share the part of the left records that is likely to keep to the limit */
  constructor(
    readonly share: number,
    readonly refusal: TooManyPairsError,
  ) {
    super('too many pairs for a trial');
  }
}

/** Part of a limit that the next try aims at: samples differ from each other. */
export const aim = 0.8;

interface PlanInput {
  compiled: CompiledRuleSet;
  sides: Record<Side, HeldSide>;
  isOneSide: boolean;
  /** True if the left records are a sample. */
  isSampled: boolean;
  maxPairs: number;
  limits: JobLimits;
  onStep: OnStep;
  check: RunningCheck;
}

/** The pairs that blocking lets through; the records without any are marked in the columns of their side. */
export interface TrialCandidates {
  pairs: number;
  amountScale: number;
  among: (lefts: Rows, rights: Rows) => RowCandidates;
}

/** Counts the pairs and finds those of rules. @throws TrialPairsError */
export async function planTrial(input: PlanInput): Promise<TrialCandidates> {
  const { compiled, sides, isOneSide, maxPairs, limits, onStep } = input;
  const [left, right] = [sides.left.plan, sides.right.plan];
  const amountScale = alignAmounts(compiled, left, right);
  if (compiled.listed !== null) return listTrial(input, amountScale);
  const costs = costsOf(compiled, limits);
  const { blocking: rule } = compiled;
  const columns = { left: left.columns, right: right.columns };
  const { pairs } = planCandidates({ rule, ...columns, amountScale, isOneSide, costs, onStep });
  if (pairs > maxPairs) {
    const refusal = new TooManyPairsError(
      `${pairs} pairs would be compared, more than the ${maxPairs} of a simulation`,
    );
    throw new TrialPairsError((aim * maxPairs) / pairs, refusal);
  }
  const among = (lefts: Rows, rights: Rows) => windowCandidates(compiled, { amountScale, isOneSide }, lefts, rights);
  return { pairs, amountScale, among };
}

async function listTrial(input: PlanInput, amountScale: number): Promise<TrialCandidates> {
  const { compiled, sides, isOneSide, isSampled, maxPairs, onStep, check } = input;
  const listed = compiled.listed as NonNullable<CompiledRuleSet['listed']>;
  const [left, right] = [sides.left.plan, sides.right.plan];
  const columns = { left: left.columns, right: right.columns };
  const same = isOneSide ? sameSeqs(columns.left, columns.right) : undefined;
  const entries = { left: left.entries, right: right.entries };
  const preparing = ListedCandidates.prepare({ listed, columns, entries, same, isSampled, maxPairs, onStep });
  try {
    const candidates = await runSteps(preparing, onStep, check);
    const starts = new Uint32Array(columns.left.length);
    const ends = new Uint32Array(columns.left.length);
    let rights = new Uint32Array(1_024);
    let length = 0;
    for (const found of candidates.all()) {
      while (length + found.count > rights.length) rights = grown(rights, new Uint32Array(rights.length * 2));
      rights.set(found.rights, length);
      starts[found.seq] = length;
      ends[found.seq] = length += found.count;
      const checking = check();
      if (checking) await checking;
    }
    const lists = { starts, ends, rights, rowOf: new Int32Array(columns.right.length) };
    return { pairs: candidates.pairs, amountScale, among: (lefts, chunk) => listedAmong(lists, lefts, chunk) };
  } catch (error) {
    if (!(error instanceof ListedPairsError)) throw error;
    const refusal = new TooManyPairsError(tooManyListed(listed, error, maxPairs));
    throw new TrialPairsError(aim * error.done, refusal);
  }
}

interface Lists {
  /** The right seqs of a left one are [starts, ends) of `rights`. */
  starts: Uint32Array;
  ends: Uint32Array;
  rights: Uint32Array;
  /** Right row, from 1, of a seq in the current chunk; 0 outside of it. */
  rowOf: Int32Array;
}

function listedAmong({ starts, ends, rights, rowOf }: Lists, lefts: Rows, chunk: Rows): RowCandidates {
  rowOf.fill(0);
  for (let row = 0; row < chunk.length; row++) rowOf[chunk.seqOf(row)] = row + 1;
  const ranges = { count: 0, from: new Int32Array(16), to: new Int32Array(16) };
  const seek = (left: number): void => {
    const seq = lefts.seqOf(left);
    const list = rights.subarray(starts[seq], ends[seq]);
    if (list.length > ranges.from.length) {
      ranges.from = new Int32Array(2 * list.length);
      ranges.to = new Int32Array(2 * list.length);
    }
    const rows: number[] = [];
    for (const right of list) if (rowOf[right] !== 0) rows.push((rowOf[right] as number) - 1);
    rows.sort((one, other) => one - other);
    ranges.count = rows.length;
    for (const [at, row] of rows.entries()) {
      ranges.from[at] = row;
      ranges.to[at] = row + 1;
    }
  };
  return Object.assign(ranges, { seek });
}
