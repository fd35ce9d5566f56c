import {
  type OneToOneAssignment,
  type RankedPair,
  type RecordClasses,
  type RejectedPair,
  type Side,
  createAssignment,
  lowerBound,
  sortedOrder,
} from '@tieout/engine';
import type { HeldRecords, ReviewedComposite } from '../../results/composites';
import type { OnStep, RunningCheck } from '../jobs/context';
import type { ScoredPairs, SideReadings } from './pairs';

/**
 * The outcomes of a pair: below Tpossible, POSSIBLE, MATCH, beyond the best ones of its records, and taken out because
 * people decided on it, its mirrored pair is better, or it exchanges equal records.
 */
export const fate = { low: 0, possible: 1, match: 2, cut: 3, gone: 4 } as const;

/** People's decisions, by the ranks of records. */
export interface TrialReviews {
  confirmed: readonly RejectedPair[];
  rejected: readonly RejectedPair[];
  /** Records that confirmed composites hold. */
  held: Record<Side, readonly number[]>;
  composites: { holds: HeldRecords; rejected: readonly ReviewedComposite[] };
}

export interface DecideInput {
  pairs: ScoredPairs;
  readings: SideReadings;
  records: Record<Side, number>;
  thresholds: { Tmatch: number; Tpossible: number };
  isOneToOne: boolean;
  isOneSide: boolean;
  maxPossible: number;
  reviews: TrialReviews;
  /** Classes the records marked with 1. */
  classesOf: (wanted: Record<Side, Uint8Array>) => Promise<Record<Side, RecordClasses>>;
  onStep: OnStep;
  /** Is asked between steps: it lets the process report that it lives, and ends a trial that was cancelled. */
  check: RunningCheck;
}

export interface DecidedPairs {
  /** A value of `fate` for each pair. */
  fates: Uint8Array;
  /** 1 for each pair that would be a MATCH if the threshold were its score. */
  wins: Uint8Array;
  /** The pairs, best first. */
  order: Uint32Array;
  possibleCut: number;
}

/** Decides on compared pairs as the batches and the completion of a job do. */
export async function decidePairs(input: DecideInput): Promise<DecidedPairs> {
  const { pairs, isOneToOne, thresholds } = input;
  const order = pairs.ranked(input.readings);
  await pause(input);
  const isMatch = (at: number): boolean => (pairs.score[at] as number) >= thresholds.Tmatch;
  const fates = new Uint8Array(pairs.length).fill(fate.possible);
  const decided = takeOut(input, fates);
  for (let at = 0; at < pairs.length; at++) if (isMatch(at)) fates[at] = fate.match;
  // Batches cut before anything else is known of the pairs.
  cutSide(input, fates, order, 'left');
  await pause(input);
  for (let at = 0; at < pairs.length; at++) if (isMatch(at)) fates[at] = fate.possible;
  const gone = input.isOneSide ? takeOut(input, fates) : decided;
  for (let at = 0; at < pairs.length; at++) if (gone[at] === 1) fates[at] = fate.gone;
  const wins = new Uint8Array(pairs.length);
  const barred = isOneToOne ? rivals(input) : new Uint8Array(pairs.length);
  const open = order.filter((at) => decided[at] === 0 && barred[at] === 0);
  const above = open.subarray(
    0,
    lowerBound(0, open.length, (place) => isMatch(open[place] as number)),
  );
  if (!isOneToOne) {
    for (const at of open) wins[at] = 1;
    for (const at of above) fates[at] = fate.match;
  } else {
    const best = await assign(input, above);
    for (let place = 0; place < above.length; place++) {
      if (place % stepPairs === 0) await pause(input);
      const at = above[place] as number;
      const loss = best.lossOf(rankedPair(input, at));
      if (loss === null) fates[at] = fate.match;
      else if (loss === 'exchangeable') fates[at] = fate.gone;
    }
    const all = await assign(input, open);
    for (const at of open) if (all.isMatch(pairs.left[at] as number, pairs.right[at] as number)) wins[at] = 1;
    await pause(input);
    // The pairs above the threshold are decided without those below it.
    for (const at of above) wins[at] = fates[at] === fate.match ? 1 : 0;
  }
  for (const side of ['left', 'right'] as const) {
    cutSide(input, fates, order, side);
    await pause(input);
  }
  let possibleCut = 0;
  for (let at = 0; at < pairs.length; at++) {
    const isLow = (pairs.score[at] as number) < thresholds.Tpossible;
    if (fates[at] === fate.cut) {
      if (!isLow) possibleCut++;
    } else if (isLow && fates[at] === fate.possible) fates[at] = fate.low;
  }
  return { fates, wins, order, possibleCut };
}

/** Reports progress, and lets the event loop turn now and then. */
async function pause({ onStep, check }: DecideInput): Promise<void> {
  onStep();
  const checking = check();
  if (checking) await checking;
}

/**
 * Marks pairs that people have decided. Of two mirrored pairs of records of one dataset, also marks the worse one,
 * unless one of them is cut.
 */
function takeOut({ pairs, reviews, records, isOneSide }: DecideInput, fates: Uint8Array): Uint8Array {
  const found = new Uint8Array(pairs.length);
  const keyOf = (left: number, right: number): number => left * records.right + right;
  const gone = new Set<number>();
  for (const { left, right } of [...reviews.confirmed, ...reviews.rejected]) {
    gone.add(keyOf(left, right));
    if (isOneSide) gone.add(keyOf(right, left));
  }
  const held = { left: marked(records.left, reviews.held.left), right: marked(records.right, reviews.held.right) };
  for (let at = 0; at < pairs.length; at++) {
    const [left, right] = [pairs.left[at] as number, pairs.right[at] as number];
    if (gone.has(keyOf(left, right)) || held.left[left] === 1 || held.right[right] === 1) found[at] = 1;
  }
  if (isOneSide) takeOutMirrored(pairs, fates, found);
  return found;
}

function takeOutMirrored({ length, left, right, score }: ScoredPairs, fates: Uint8Array, found: Uint8Array): void {
  const byLeft = sortedOrder(length, [left.subarray(0, length), right.subarray(0, length)]);
  for (let at = 0; at < length; at++) {
    const [own, other] = [left[at] as number, right[at] as number];
    const place = lowerBound(0, length, (one) => {
      const pair = byLeft[one] as number;
      return ((left[pair] as number) - other || (right[pair] as number) - own) < 0;
    });
    const mirror = byLeft[place];
    if (mirror === undefined || left[mirror] !== other || right[mirror] !== own || fates[mirror] === fate.cut) continue;
    const order = (score[mirror] as number) - (score[at] as number);
    if (order > 0 || (order === 0 && own > other)) found[at] = 1;
  }
}

function marked(length: number, ranks: readonly number[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const rank of ranks) marks[rank] = 1;
  return marks;
}

/** Marks the pairs that share a record with a confirmed one. */
function rivals({ pairs, reviews: { confirmed }, records, isOneSide }: DecideInput): Uint8Array {
  const lefts = marked(
    records.left,
    confirmed.map(({ left }) => left),
  );
  const rights = marked(
    records.right,
    confirmed.map(({ right }) => right),
  );
  if (isOneSide)
    for (const { left, right } of confirmed) {
      lefts[right] = 1;
      rights[left] = 1;
    }
  const found = new Uint8Array(pairs.length);
  for (let at = 0; at < pairs.length; at++)
    if (lefts[pairs.left[at] as number] === 1 || rights[pairs.right[at] as number] === 1) found[at] = 1;
  return found;
}

function rankedPair({ pairs, readings }: DecideInput, at: number): RankedPair {
  return {
    left: pairs.left[at] as number,
    right: pairs.right[at] as number,
    score: pairs.score[at] as number,
    days: pairs.daysOf(at, readings),
    gap: pairs.gapOf(at, readings),
  };
}

/** Assigns the records of pairs that come best first. Equal records matter only where pairs are equal. */
async function assign(input: DecideInput, order: Uint32Array): Promise<OneToOneAssignment> {
  const { pairs, records, isOneSide, reviews } = input;
  const run = async (assignment: OneToOneAssignment): Promise<OneToOneAssignment> => {
    for (let place = 0; place < order.length; place++) {
      const at = order[place] as number;
      if (assignment.isOpen(pairs.left[at] as number, pairs.right[at] as number))
        assignment.push(rankedPair(input, at));
      if (place % stepPairs === 0) await pause(input);
    }
    assignment.end();
    await pause(input);
    return assignment;
  };
  const first = await run(createAssignment({ records, isOneSide }));
  if (!first.hasTies) return first;
  const wanted = { left: new Uint8Array(records.left), right: new Uint8Array(records.right) };
  for (const at of order) wanted.left[pairs.left[at] as number] = wanted.right[pairs.right[at] as number] = 1;
  const classes = await input.classesOf(wanted);
  return run(createAssignment({ records, classes, isOneSide, rejected: reviews.rejected }));
}

const stepPairs = 65_536;

/**
 * Cuts the possible pairs beyond the best ones of each record of a side. Worse pairs never displace better ones, so the
 * pairs below Tpossible decide nothing about those above.
 */
function cutSide(
  { pairs, records, maxPossible }: DecideInput,
  fates: Uint8Array,
  order: Uint32Array,
  side: Side,
): void {
  const [own, others] = side === 'left' ? [pairs.left, pairs.right] : [pairs.right, pairs.left];
  const counts = new Uint32Array(records[side]);
  const crowded = new Map<number, number[]>();
  for (const at of order) {
    if (fates[at] !== fate.possible) continue;
    const record = own[at] as number;
    if (++counts[record]! > maxPossible) crowded.set(record, []);
  }
  if (crowded.size === 0) return;
  for (const at of order) if (fates[at] === fate.possible) crowded.get(own[at] as number)?.push(at);
  for (const list of crowded.values()) {
    list.sort(
      (one, other) =>
        (pairs.score[other] as number) - (pairs.score[one] as number) ||
        (others[one] as number) - (others[other] as number),
    );
    for (const at of list.slice(maxPossible)) fates[at] = fate.cut;
  }
}
