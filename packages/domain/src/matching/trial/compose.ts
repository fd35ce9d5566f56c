import {
  amountToNumber,
  memberSide,
  settleWithPauses,
  targetSide,
  type CompiledComposition,
  type Composer,
  type CompositeDirection,
  type Proposal,
  type Side,
  type Taken,
} from '@tieout/engine';
import { readId } from '@tieout/infra';
import type { ComposedRecords } from '../../results/composites';
import { rowsOf, withRests } from '../composition/outset';
import { poolOfFacts } from '../composition/pool';
import { notReviewed, rejectedGroups, withoutRejected } from '../composition/rejected';
import { cpuMs, runSteps, type OnStep, type RunningCheck } from '../jobs/context';
import { bytesPerId } from '../stage/directory';
import { fate, type DecidedPairs, type TrialReviews } from './decide';
import type { HeldSide } from './held-side';
import type { ScoredPairs } from './pairs';

/** A group that a rule set composes. */
export interface TrialComposite extends Pick<Proposal, 'direction' | 'status' | 'decision' | 'score'> {
  targetRecordId: string;
  memberRecordIds: string[];
  targetAmount: number;
  composedAmount: number;
}

/** Groups that a rule set composes, with a page of the best ones. */
export interface TrialComposites {
  counts: Record<'MATCH' | 'POSSIBLE', number>;
  partial: number;
  /** Targets whose search ended at its limit without a group. */
  searchEnded: number;
  page: TrialComposite[];
  /** Keys of the groups by decision, see `compositeKey`. */
  keys: ReadonlyMap<string, Proposal['decision']>;
  /** Ranks of the records that the pairs match. */
  matched: Record<Side, number[]>;
}

/** Names a group by its records. */
export const compositeKey = (direction: CompositeDirection, target: string, members: readonly string[]): string =>
  `${direction} ${target} ${[...members].sort().join(' ')}`;

/** Groups of a page. */
const pageSize = 50;
/** CPU time of the search: a job takes what it needs, but people wait for a trial. */
const maxMs = 20_000;

interface ComposeInput {
  composition: CompiledComposition;
  sides: Record<Side, HeldSide>;
  pairs: ScoredPairs;
  decided: DecidedPairs;
  reviews: TrialReviews;
  onStep: OnStep;
  check: RunningCheck;
}

/** Composes groups of the records that pairs leave, as a job does; null where the search takes too long. */
export async function composeTrial(input: ComposeInput): Promise<TrialComposites | null> {
  const { composition, sides, reviews, onStep, check } = input;
  const records = await poolOfFacts(
    { left: sides.left.facts.blocks, right: sides.right.facts.blocks },
    { expected: { left: sides.left.facts.rows, right: sides.right.facts.rows }, isKeyed: composition.isKeyed },
  );
  const rows = { left: rowsOf(records.ids.left), right: rowsOf(records.ids.right) };
  const taken = takenBefore(input, rows);
  const { holds } = reviews.composites;
  const pool = withRests({ pool: records.pool, signs: composition.signs, isRun: false }, holds.parts, rows, taken);
  const rejected = rejectedGroups(reviews.composites.rejected, rows);
  const composer = withoutRejected(composition, composition.open(pool), pool, rejected);
  const startedMs = cpuMs();
  const isOver = (): boolean => cpuMs() - startedMs > maxMs;
  let searchEnded = 0;
  const onEnded = (): void => void searchEnded++;
  const proposals = await runSteps(proposeAll({ composition, composer, pool, taken, isOver, onEnded }), onStep, check);
  if (proposals === null) return null;
  const again = ({ direction, target }: Proposal): Proposal | null => composer.propose(direction, target, taken);
  const open = notReviewed(proposals, { pool, rejected }, again);
  const settling = settleWithPauses(composer, open, taken, { onGivenUp: onEnded });
  const composites = await runSteps(settling, onStep, check);
  return answerOf({ ...records, pool }, composites, { input, taken, searchEnded });
}

/** Marks the records that matches or decisions of people already take. */
function takenBefore(
  { composition, sides, pairs, decided, reviews }: ComposeInput,
  rows: Record<Side, ReturnType<typeof rowsOf>>,
): Taken {
  const taken = { left: new Uint8Array(rows.left.length), right: new Uint8Array(rows.right.length) };
  const take = (side: Side, rank: number): void => {
    const row = rows[side].seqAt(sides[side].directory.ids, rank * bytesPerId);
    if (row !== -1) taken[side][row] = 1;
  };
  if (composition.skipAlreadyMatched)
    for (let at = 0; at < pairs.length; at++)
      if (decided.fates[at] === fate.match)
        for (const side of ['left', 'right'] as const) take(side, pairs[side][at] as number);
  for (const side of ['left', 'right'] as const) {
    for (const pair of reviews.confirmed) take(side, pair[side]);
    for (const rank of reviews.held[side]) take(side, rank);
  }
  return taken;
}

interface Search {
  composition: CompiledComposition;
  composer: Composer;
  pool: ComposedRecords['pool'];
  taken: Taken;
  isOver: () => boolean;
  onEnded: () => void;
}

function* proposeAll({
  composition,
  composer,
  pool,
  taken,
  isOver,
  onEnded,
}: Search): Generator<void, Proposal[] | null, void> {
  const proposals: Proposal[] = [];
  if (pool.left.length === 0 || pool.right.length === 0) return proposals;
  for (const direction of composition.directions) {
    for (let target = 0; target < pool[targetSide[direction]].length; target++) {
      const proposal = composer.propose(direction, target, taken);
      if (proposal) proposals.push(proposal);
      else if (composer.unfinished) onEnded();
      if (isOver()) return null;
      yield;
    }
  }
  return proposals;
}

function answerOf(
  records: ComposedRecords,
  composites: readonly Proposal[],
  { input, taken, searchEnded }: { input: ComposeInput; taken: Taken; searchEnded: number },
): TrialComposites {
  const { sides } = input;
  const counts = { MATCH: 0, POSSIBLE: 0 };
  const keys = new Map<string, Proposal['decision']>();
  const page: TrialComposite[] = [];
  const idOf = (side: Side, row: number): string => readId(records.ids[side], row * bytesPerId);
  for (const composite of composites) {
    const { direction, status, decision, score } = composite;
    counts[decision]++;
    const targetRecordId = idOf(targetSide[direction], composite.target);
    const memberRecordIds = composite.members.map((row) => idOf(memberSide[direction], row));
    keys.set(compositeKey(direction, targetRecordId, memberRecordIds), decision);
    if (page.length === pageSize) continue;
    page.push({
      direction,
      status,
      decision,
      score,
      targetRecordId,
      memberRecordIds,
      targetAmount: amountToNumber(composite.targetUnits, records.pool.amountScale),
      composedAmount: amountToNumber(composite.composedUnits, records.pool.amountScale),
    });
  }
  const matchedOn = (side: Side): number[] =>
    Array.from(taken[side].keys())
      .filter((row) => taken[side][row] === 1)
      .map((row) => sides[side].directory.seqAt(records.ids[side], row * bytesPerId))
      .filter((rank) => rank !== -1);
  return {
    counts,
    partial: composites.filter(({ status }) => status === 'PARTIAL').length,
    searchEnded,
    page,
    keys,
    matched: { left: matchedOn('left'), right: matchedOn('right') },
  };
}
