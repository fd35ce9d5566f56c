import {
  commonScale,
  excludeOutOfRange,
  ListedCandidates,
  recordState,
  RuleEntries,
  runToEnd,
  type CompiledRuleSet,
  type ListedPairsError,
  type PairCounts,
  type Side,
} from '@tieout/engine';
import { CommandError } from '../failure';
import { compareSlice, keptErrors, SliceResult, type ComparedTables, type PairFault } from './compare-slice';
import { compareWindows, windowWork, type WindowWork } from './compare-windows';
import type { HelperThread } from './helper-thread';
import { PairList } from './pair-list';
import type { SideTable } from './side-table';
import { listedSlices } from './slices';

/** Pairs that a comparison without blocking, or its rules, may have, as the service has it by default. */
const maxPairs = 50_000_000;

export interface ComparedPairs {
  pairs: PairList;
  counts: PairCounts;
  errors: PairFault[];
  amountScale: number;
  /** POSSIBLE pairs beyond the best ones of their left records. */
  cut: number;
}

interface ComparisonInput extends ComparedTables {
  /** Compares a part of the slices at the same time; null: there is none. */
  helper: HelperThread | null;
  onProgress: (share: number) => void;
}

/** Finds the candidate pairs of two files and compares them, slice by slice. */
export async function comparePairs(input: ComparisonInput): Promise<ComparedPairs> {
  const { compiled, left, right } = input;
  const amountScale = commonScale(left, right);
  if (compiled.blocking.comparesAmounts)
    for (const table of [left, right])
      for (const seq of excludeOutOfRange(table, amountScale)) table.leaveOut(seq, 'amount_out_of_range');
  const results = compiled.listed === null ? windowResults(input, amountScale) : listedResults(input, amountScale);
  const total: ComparedPairs = {
    pairs: new PairList(),
    counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
    errors: [],
    amountScale,
    cut: 0,
  };
  for await (const { pairs, counts, errors, cut } of results) {
    total.pairs.append(pairs);
    for (const decision of ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const)
      total.counts[decision] += counts[decision];
    total.errors.push(...errors.slice(0, keptErrors - total.errors.length));
    total.cut += cut;
  }
  return total;
}

async function* listedResults(input: ComparisonInput, amountScale: number): AsyncGenerator<SliceResult, void, void> {
  const { left, right, onProgress } = input;
  const total = Math.max(1, left.length);
  let done = 0;
  for (const slice of listedSlices(listedCandidates(input), { left, right }, amountScale)) {
    const result = new SliceResult(0);
    await compareSlice(input, { slice, amountScale }, result);
    yield result;
    done += slice.lefts.length;
    onProgress(done / total);
  }
}

/** Compares the windows, with a helper on two threads; the results come in the order of the slices. */
async function* windowResults(input: ComparisonInput, amountScale: number): AsyncGenerator<SliceResult, void, void> {
  const { compiled, helper, left, right, onProgress } = input;
  const work = await windowWork(input, helper, amountScale);
  const pairs = work.sides.left.keys.length * work.sides.right.keys.length;
  if (!compiled.blocking.active && pairs > maxPairs)
    throw new CommandError(
      `Without blocking ${pairs} pairs would be compared, more than the ${maxPairs} allowed: ` +
        'add params.blocking with an amountKey, a dateKey, keys or text, or filters',
    );
  // The helper is asked first: this thread reads no messages while it compares.
  const [others, own] = await Promise.all([
    helper?.compare(left, work, compiled.definition) ?? [],
    compareWindows(input, work, onProgress),
  ]);
  yield* [...own, ...others].sort((one, other) => one.at - other.at);
  markUncovered(left, work, 'left');
  markUncovered(right, work, 'right');
}

/** Marks the records that no window held. */
function markUncovered(table: SideTable, { sides, covered }: WindowWork, side: Side): void {
  sides[side].seqs.forEach((seq, place) => {
    if (covered[side][side === 'left' ? place : seq] !== 1) table.state[seq] = recordState.noCandidate;
  });
}

function listedCandidates({ compiled, left, right }: Pick<ComparedTables, 'compiled' | Side>): ListedCandidates {
  const { listed } = compiled;
  if (listed === null) throw new Error('windows decide');
  const entries = { left: entriesOf(left, listed.rules.length), right: entriesOf(right, listed.rules.length) };
  const columns = { left, right };
  const onStep = (): void => undefined;
  return runToEnd(ListedCandidates.prepare({ listed, columns, entries, same: undefined, maxPairs, onStep }));
}

const entriesOf = (table: SideTable, rules: number): SideTable['entries'] =>
  table.entries.length === rules ? table.entries : Array.from({ length: rules }, () => new RuleEntries());

/** Builds the error for rules with too many pairs, and names the rule that causes it. */
export function tooManyPairs(error: ListedPairsError, { listed }: CompiledRuleSet): CommandError {
  const name = listed?.rules[error.rule]?.name ?? '';
  return new CommandError(
    `Blocking lets more than the ${maxPairs} pairs allowed through, most of them by ${JSON.stringify(name)}. ` +
      'Narrow this rule: add a key, a date window or an amount to it, or leave out values of many records',
  );
}
