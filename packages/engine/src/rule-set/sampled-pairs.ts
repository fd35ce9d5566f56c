import { compileBlockingRules } from '../blocking/rules';
import type { BlockingRules } from '../blocking/rules';
import type { RuleSetDefinition } from '../definition/types';
import { compileRuleSet } from './compile';
import type { CompiledRuleSet } from './compile';
import type { JsonObject, Side } from '../values/types';
import { ListedCandidates, ListedPairsError } from '../candidates/listed-candidates';
import { RuleEntries } from '../candidates/rule-entries';
import { recordState } from '../candidates/side';
import type { CandidateSide } from '../candidates/side';

/** Pairs that are found before some are chosen. */
const maxFound = 500_000;

export interface SampledPairsInput {
  definition: RuleSetDefinition;
  records: Record<Side, readonly JsonObject[]>;
  /** The right record that is the same as each left one, or -1; absent where the sides are two datasets. */
  same?: readonly number[] | undefined;
  limit: number;
}

/** Indexes into the lists of records. */
export type SampledPair = Record<Side, number>;

/**
 * Chooses pairs that filters of a side and blocking let through, among records at hand: the first pair of each left
 * record, then the second one of each, until there are enough.
 */
export async function sampledPairs({ definition, records, same, limit }: SampledPairsInput): Promise<SampledPair[]> {
  const compiled = compileRuleSet(definition);
  const admitted = {
    left: await admit(compiled, 'left', records.left),
    right: await admit(compiled, 'right', records.right),
  };
  const rules = rulesOf(definition, compiled);
  const lists = rules === null ? everyPair(admitted, same) : await listed(rules, { admitted, records, same });
  const chosen: SampledPair[] = [];
  for (let round = 0; chosen.length < limit; round++) {
    const before = chosen.length;
    for (const { left, rights } of lists) {
      const right = rights[round];
      if (right !== undefined && chosen.length < limit) chosen.push({ left, right });
    }
    if (chosen.length === before) break;
  }
  return chosen;
}

interface LeftList {
  left: number;
  rights: ArrayLike<number>;
}

async function admit(compiled: CompiledRuleSet, side: Side, records: readonly JsonObject[]): Promise<number[]> {
  const places: number[] = [];
  for (const [place, record] of records.entries())
    if ((await compiled.admitRecord(side, record)).admitted) places.push(place);
  return places;
}

/** Returns blocking as rules, also where windows of amount and date are all of it; null without blocking. */
function rulesOf({ params }: RuleSetDefinition, { listed: rules, blocking }: CompiledRuleSet): BlockingRules | null {
  if (rules !== null) return rules;
  if (!blocking.active) return null;
  const { rules: _rules, enabled: _enabled, ...own } = params.blocking ?? {};
  return compileBlockingRules({ ...params, blocking: { rules: [own] } });
}

function everyPair({ left, right }: Record<Side, number[]>, same: readonly number[] | undefined): LeftList[] {
  return left.map((place) => ({ left: place, rights: right.filter((other) => other !== same?.[place]) }));
}

interface ListInput {
  admitted: Record<Side, readonly number[]>;
  records: Record<Side, readonly JsonObject[]>;
  same: readonly number[] | undefined;
}

/** Lists the pairs of rules; of the first half of the left records where those of all are too many. */
async function listed(rules: BlockingRules, { admitted, records, same }: ListInput): Promise<LeftList[]> {
  const right = await place(rules, 'right', records.right, admitted.right);
  for (let lefts = admitted.left; ; lefts = lefts.slice(0, lefts.length >>> 1)) {
    const left = await place(rules, 'left', records.left, lefts);
    right.columns.state.set(right.initial);
    const steps = ListedCandidates.prepare({
      listed: rules,
      columns: { left: left.columns, right: right.columns },
      entries: { left: left.entries, right: right.entries },
      same: same && Int32Array.from(same),
      maxPairs: maxFound,
      onStep: () => undefined,
    });
    try {
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      const found = new Map<number, Uint32Array>();
      for (const { seq, count, rights } of step.value.all()) found.set(seq, rights.slice(0, count));
      return lefts.flatMap((place) => {
        const rights = found.get(place);
        return rights ? [{ left: place, rights }] : [];
      });
    } catch (error) {
      if (!(error instanceof ListedPairsError) || lefts.length <= 1) throw error;
    }
  }
}

interface PlacedSide {
  columns: CandidateSide;
  entries: RuleEntries[];
  /** The states before pairs were listed. */
  initial: Uint8Array;
}

async function place(
  rules: BlockingRules,
  side: Side,
  records: readonly JsonObject[],
  admitted: readonly number[],
): Promise<PlacedSide> {
  const entries = rules.rules.map(() => new RuleEntries());
  const state = new Uint8Array(records.length).fill(recordState.filtered);
  for (const seq of admitted) {
    const { places } = await rules.place(side, records[seq] as JsonObject);
    state[seq] = places.some((one) => one !== null) ? recordState.candidate : recordState.unblocked;
    for (const [rule, one] of places.entries()) if (one !== null) entries[rule]?.add(seq, one);
  }
  const { length } = records;
  const columns: CandidateSide = {
    length,
    state,
    bucket: new Float64Array(length),
    day: new Int32Array(length),
    units: new Float64Array(length).fill(NaN),
    scale: new Uint8Array(length),
    compare: (one, other) => one - other,
  };
  return { columns, entries, initial: state.slice() };
}
