import {
  commonScale,
  excludeOutOfRange,
  ListedCandidates,
  recordState,
  RuleEntries,
  runToEnd,
  sortSide,
  unitsAt,
  effectiveParams,
  type CompiledRuleSet,
  type JsonObject,
  type ListedPairsError,
  type PairBatch,
  type PairCounts,
  type PairError,
  type Side,
} from '@tieout/engine';
import { CommandError } from '../failure';
import { cutPossible } from './cut-possible';
import { PairList } from './pair-list';
import type { SideTable } from './side-table';
import { listedSlices, windowSlices, type PairSlice, type SlicePart } from './slices';

/** Kept pairs after which a batch hands them over. */
const maxKept = 65_536;
const keptErrors = 20;
/** Pairs that a comparison without blocking, or its rules, may have, as the service has it by default. */
const maxPairs = 50_000_000;

export interface ComparedPairs {
  pairs: PairList;
  counts: PairCounts;
  errors: (Omit<PairError, Side> & Record<`${Side}_line`, number>)[];
  amountScale: number;
  /** POSSIBLE pairs beyond the best ones of their left records. */
  cut: number;
}

interface PairInput extends Record<Side, SideTable> {
  compiled: CompiledRuleSet;
  /** Gives a record what the rule set reads besides its values. */
  complete: Record<Side, (value: JsonObject) => JsonObject>;
  onProgress: (share: number) => void;
}

/** Finds the candidate pairs of two files and compares them, slice by slice. */
export async function comparePairs(input: PairInput): Promise<ComparedPairs> {
  const { compiled, left, right, onProgress } = input;
  const amountScale = commonScale(left, right);
  if (compiled.blocking.comparesAmounts)
    for (const table of [left, right])
      for (const seq of excludeOutOfRange(table, amountScale)) table.leaveOut(seq, 'amount_out_of_range');
  const result: ComparedPairs = {
    pairs: new PairList(),
    counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
    errors: [],
    amountScale,
    cut: 0,
  };
  const max = effectiveParams(compiled.definition).maxPossiblePerRecord;
  const total = Math.max(1, left.length);
  let done = 0;
  for (const slice of slicesOf(input, amountScale)) {
    const first = result.pairs.length;
    await compareSlice(input, slice, result);
    result.cut += cutPossible(result.pairs, 'left', { first, max });
    done += slice.lefts.length;
    onProgress(done / total);
  }
  return result;
}

function* slicesOf({ compiled, left, right }: PairInput, amountScale: number): Generator<PairSlice, void, void> {
  if (compiled.listed !== null) {
    yield* listedSlices(listedCandidates({ compiled, left, right }), right.length);
    return;
  }
  const { blocking } = compiled;
  const sides = { left: sortSide(left, amountScale, false), right: sortSide(right, amountScale, blocking.contiguous) };
  const pairs = sides.left.keys.length * sides.right.keys.length;
  if (!blocking.active && pairs > maxPairs)
    throw new CommandError(
      `Without blocking ${pairs} pairs would be compared, more than the ${maxPairs} allowed: ` +
        'add params.blocking with an amountKey, a dateKey, keys or text, or filters',
    );
  const covered = new CoveredRows(sides.left.keys.length, right.length);
  for (const slice of windowSlices(blocking, sides.left, sides.right, amountScale)) yield covered.watch(slice);
  covered.markOthers(left, sides.left.seqs, 'left');
  covered.markOthers(right, sides.right.seqs, 'right');
}

/** Notes the rows that have candidates while windows pass by. */
class CoveredRows {
  private readonly rows: Record<Side, Uint8Array>;
  private leftsBefore = 0;

  /** Left rows are in the order of their keys, right ones in that of the file. */
  constructor(lefts: number, rights: number) {
    this.rows = { left: new Uint8Array(lefts), right: new Uint8Array(rights) };
  }

  watch(slice: PairSlice): PairSlice {
    const { rows } = this;
    const before = this.leftsBefore;
    this.leftsBefore += slice.lefts.length;
    const watched = function* (): Generator<SlicePart, void, void> {
      for (const part of slice.parts)
        yield {
          rights: part.rights,
          seek: (left) => {
            const ranges = part.seek(left);
            if (ranges.count > 0) rows.left[before + left] = 1;
            for (let range = 0; range < ranges.count; range++)
              for (let row = ranges.from[range] as number; row < (ranges.to[range] as number); row++)
                rows.right[part.rights[row] as number] = 1;
            return ranges;
          },
        };
    };
    return { lefts: slice.lefts, parts: { [Symbol.iterator]: watched } };
  }

  /** Marks the records that no window held. */
  markOthers(table: SideTable, seqs: Uint32Array, side: Side): void {
    seqs.forEach((seq, place) => {
      if (this.rows[side][side === 'left' ? place : seq] !== 1) table.state[seq] = recordState.noCandidate;
    });
  }
}

function listedCandidates({ compiled, left, right }: Pick<PairInput, 'compiled' | Side>): ListedCandidates {
  const { listed } = compiled;
  if (listed === null) throw new Error('windows decide');
  const entries = { left: entriesOf(left, listed.rules.length), right: entriesOf(right, listed.rules.length) };
  const columns = { left, right };
  const onStep = (): void => undefined;
  return runToEnd(ListedCandidates.prepare({ listed, columns, entries, same: undefined, maxPairs, onStep }));
}

const entriesOf = (table: SideTable, rules: number): SideTable['entries'] =>
  table.entries.length === rules ? table.entries : Array.from({ length: rules }, () => new RuleEntries());

async function compareSlice(input: PairInput, slice: PairSlice, result: ComparedPairs): Promise<void> {
  const { compiled, left, right, complete } = input;
  const batch = compiled.openBatch(result.amountScale, { keptErrors });
  const unitsOf = (table: SideTable, seq: number): number => unitsAt(table, seq, result.amountScale);
  for (const seq of slice.lefts)
    batch.addLeft(complete.left(left.records.valueAt(seq)), unitsOf(left, seq), left.ownDay[seq] as number);
  for (const part of slice.parts) {
    for (const seq of part.rights)
      batch.addRight(complete.right(right.records.valueAt(seq)), unitsOf(right, seq), right.ownDay[seq] as number);
    const drain = (): void => takeKept(batch, slice, part, result.pairs);
    for (let row = 0; row < slice.lefts.length; row++) {
      const { count, from, to } = part.seek(row);
      for (let range = 0; range < count; range++) {
        for (let at = from[range] as number; at < (to[range] as number);) {
          const next = batch.compare(row, at, to[range] as number);
          at = typeof next === 'number' ? next : await next;
        }
      }
      if (batch.kept.length >= maxKept) drain();
    }
    drain();
    takeErrors(batch, { slice, part }, input, result);
    batch.clearRight();
  }
  for (const decision of ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const)
    result.counts[decision] += batch.counts[decision];
}

function takeKept(batch: PairBatch, { lefts }: PairSlice, { rights }: SlicePart, pairs: PairList): void {
  const { kept } = batch;
  for (let at = 0; at < kept.length; at++)
    pairs.add(
      lefts[kept.left(at)] as number,
      rights[kept.right(at)] as number,
      kept.score(at),
      kept.decision(at) === 'MATCH',
    );
  batch.clearKept();
}

function takeErrors(
  batch: PairBatch,
  { slice, part }: { slice: PairSlice; part: SlicePart },
  { left, right }: PairInput,
  { errors }: ComparedPairs,
): void {
  for (const { left: row, right: other, ...error } of batch.errors) {
    if (errors.length >= keptErrors) return;
    errors.push({
      left_line: left.line[slice.lefts[row] as number] as number,
      right_line: right.line[part.rights[other] as number] as number,
      ...error,
    });
  }
}

/** Says of rules that let too many pairs through which one does. */
export function tooManyPairs(error: ListedPairsError, { listed }: CompiledRuleSet): CommandError {
  const name = listed?.rules[error.rule]?.name ?? '';
  return new CommandError(
    `Blocking lets more than the ${maxPairs} pairs allowed through, most of them by ${JSON.stringify(name)}. ` +
      'Narrow this rule: add a key, a date window or an amount to it, or leave out values of many records',
  );
}
