import type { CompiledRuleSet, PairCounts, Side } from '@tieout/engine';
import { LongBatchError } from '../batch/pace';
import { Scorer } from '../batch/score';
import type { OnStep, RunningCheck } from '../jobs/context';
import type { EntryError, HeavyFailure } from '../jobs/errors';
import { keptErrors, type JobLimits } from '../jobs/limits';
import { Rows } from '../stage/rows';
import { recordState } from '../stage/directory';
import type { TrialCandidates } from './candidates';
import type { HeldSide } from './held-side';
import { ScoredPairs } from './pairs';

interface CompareInput {
  compiled: CompiledRuleSet;
  sides: Record<Side, HeldSide>;
  candidates: TrialCandidates;
  limits: JobLimits;
  onHeavyFailure: (failure: HeavyFailure) => void;
  onStep: OnStep;
  check: RunningCheck;
  /** Gets the number of pairs compared since the last call. */
  onCompared: (pairs: number) => void;
}

/** Scores of all pairs that reach the lower threshold of the rule set. */
export interface TrialScores {
  pairs: ScoredPairs;
  counts: PairCounts;
  errors: EntryError[];
}

/** Compares the candidates as the batches of a job do, in parts that keep to the same limits of memory. */
export async function comparePairs(input: CompareInput): Promise<TrialScores> {
  const { compiled, candidates, sides, limits } = input;
  const { contiguous, comparesAmounts } = compiled.blocking;
  const { amountScale } = candidates;
  const lefts = new Rows({ amountScale, comparesAmounts, ties: 'seq' });
  const { state } = sides.left.plan.columns;
  for (const block of sides.left.blocks)
    lefts.take(block, ({ seq }, row) => state[seq[row] as number] === recordState.candidate);
  lefts.sort();
  const found: TrialScores = {
    pairs: new ScoredPairs(),
    counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
    errors: [],
  };
  const ties = contiguous ? 'magnitude' : 'read';
  const compare = async (part: Rows): Promise<void> => {
    const scorer = await Scorer.open(part, scorerOptions(input, found));
    for (const rights of sides.right.rows({ amountScale, comparesAmounts, ties }, limits)) await scorer.compare(rights);
    const { counts, errors } = scorer.result;
    for (const decision of ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const)
      found.counts[decision] += counts[decision];
    found.errors = [...found.errors, ...errors].slice(0, keptErrors);
  };
  const compareInParts = async (rows: Rows, pieces: number): Promise<void> => {
    const size = Math.max(1, Math.ceil(rows.length / pieces));
    for (let from = 0; from < rows.length; from += size) {
      const part = rows.part(from, Math.min(rows.length, from + size));
      try {
        await compare(part);
      } catch (error) {
        if (!(error instanceof LongBatchError) || part.length === 1) throw error;
        await compareInParts(part, Math.max(2, error.cut.pieces));
      }
    }
  };
  await compareInParts(
    lefts,
    Math.ceil(Math.max(lefts.weight / limits.leftBytes, lefts.length / limits.leftRows)) || 1,
  );
  return found;
}

function scorerOptions(
  { compiled, candidates, sides, limits, onHeavyFailure, onStep, check, onCompared }: CompareInput,
  { pairs }: TrialScores,
): Parameters<typeof Scorer.open>[1] {
  const [leftRank, rightRank] = [sides.left.rank, sides.right.rank];
  return {
    compiled,
    amountScale: candidates.amountScale,
    candidatesAmong: candidates.among,
    keptErrors,
    limits,
    onHeavyFailure,
    onKept: ({ kept }, lefts, rights) => {
      for (let at = 0; at < kept.length; at++)
        pairs.add(
          leftRank[lefts.seqOf(kept.left(at))] as number,
          rightRank[rights.seqOf(kept.right(at))] as number,
          kept.score(at),
        );
      return Promise.resolve();
    },
    onStep,
    check,
    onCompared,
  };
}
