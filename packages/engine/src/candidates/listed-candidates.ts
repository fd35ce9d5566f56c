import type { BlockingRules, ListedRule } from '../blocking/rules';
import type { Side } from '../values/types';
import { gather, grown, sortedOrder } from './order';
import type { RuleEntries } from './rule-entries';
import { RuleIndex } from './rule-index';
import { candidatesOf, recordState } from './side';
import type { CandidateSide } from './side';
import { commonScale } from './sorted-side';
import { TextNeighbours } from './text-neighbours';

/** The right candidates of one left record. */
export interface LeftCandidates {
  /** The place of the record in the order of the stage. */
  place: number;
  seq: number;
  count: number;
  /** Seqs of the first `count` right records, ascending. */
  rights: Uint32Array;
  /** Bit i of a byte: rule i lets the pair through. */
  rules: Uint8Array;
}

interface ListedInput {
  listed: BlockingRules;
  columns: Record<Side, CandidateSide>;
  /** The entries of each rule. */
  entries: Record<Side, readonly RuleEntries[]>;
  /** The seq that each left record has on the right, or -1; undefined where the sides are two datasets. */
  same: Int32Array | undefined;
  /** True if the left records are a sample: see TextNeighbours. */
  isSampled?: boolean | undefined;
  maxPairs: number;
  /** Is called between short steps of work. */
  onStep: () => void;
}

/** Visits for each pair that a plan may list: a rule visits a pair again for each further code that finds it. */
const maxVisitsOfPair = 16;

/** Says that rules let more pairs through than may be listed. */
export class ListedPairsError extends Error {
  /** @param rule index of the rule with the max number of pairs @param done share of the left records so far */
  constructor(
    readonly rule: number,
    readonly rulePairs: number,
    readonly done: number,
  ) {
    super('too many pairs are listed');
  }
}

/**
 * Finds every pair that a rule lets through, once, by left record in the order of the stage. The time depends on the
 * pairs, the memory on the records.
 */
export class ListedCandidates {
  pairs = 0;
  readonly rulePairs: number[];
  /** Left candidates in the order of the stage. */
  readonly order: Uint32Array;
  private readonly indexes: RuleIndex[];
  private readonly starts: Uint32Array[];
  /** The place, counted from 1, of the left record that last found each right record. */
  private readonly foundIn: Uint32Array;
  private readonly foundBy: Uint8Array;
  private rights = new Uint32Array(256);
  private visits = 0;

  private constructor(
    private readonly input: ListedInput,
    /** The similar texts of each rule that compares texts. */
    private readonly neighbours: readonly (TextNeighbours | null)[],
  ) {
    const { listed, columns, entries, onStep } = input;
    this.rulePairs = listed.rules.map(() => 0);
    this.starts = entries.left.map((own) => own.starts(columns.left.length));
    this.indexes = listed.rules.map(({ blocking }, at) => {
      const [left, right] = [entries.left[at] as RuleEntries, entries.right[at] as RuleEntries];
      onStep();
      return new RuleIndex(blocking, right, columns.right, commonScale(left, right));
    });
    this.order = orderOf(columns.left);
    this.foundIn = new Uint32Array(columns.right.length);
    this.foundBy = new Uint8Array(columns.right.length);
  }

  /** Finds similar texts, in steps. */
  static *prepare(input: ListedInput): Generator<void, ListedCandidates, void> {
    const { listed, columns, entries, same, isSampled } = input;
    const neighbours: (TextNeighbours | null)[] = [];
    for (const [at, { text: rule }] of listed.rules.entries()) {
      const words = { left: (entries.left[at] as RuleEntries).words, right: (entries.right[at] as RuleEntries).words };
      neighbours.push(rule === null ? null : yield* TextNeighbours.find({ rule, words, columns, same, isSampled }));
    }
    return new ListedCandidates(input, neighbours);
  }

  /** Visits the left records that have candidates, and marks the records of both sides that have none. */
  *all(): Generator<LeftCandidates, void, void> {
    const { left, right } = this.input.columns;
    for (let place = 0; place < this.order.length; place++) {
      this.input.onStep();
      const found = this.find(place);
      if (found.count > 0) yield found;
      else left.state[found.seq] = recordState.noCandidate;
    }
    for (let seq = 0; seq < right.length; seq++) {
      if (right.state[seq] === recordState.candidate && this.foundIn[seq] === 0)
        right.state[seq] = recordState.noCandidate;
    }
  }

  /** @throws ListedPairsError */
  private find(place: number): LeftCandidates {
    const { input, indexes, starts, foundIn, foundBy, rulePairs } = this;
    const seq = this.order[place] as number;
    const itself = input.same?.[seq] ?? -1;
    let count = 0;
    for (let rule = 0; rule < indexes.length; rule++) {
      const entries = input.entries.left[rule] as RuleEntries;
      const bit = 1 << rule;
      const visit = (right: number): void => {
        this.visits++;
        if (right === itself) return;
        if (foundIn[right] !== place + 1) {
          foundIn[right] = place + 1;
          foundBy[right] = 0;
          if (count === this.rights.length) this.rights = grown(this.rights, new Uint32Array(count * 2));
          this.rights[count++] = right;
        }
        if (((foundBy[right] as number) & bit) !== 0) return;
        foundBy[right]! |= bit;
        rulePairs[rule]!++;
      };
      const texts = this.neighbours[rule] ?? null;
      if (texts !== null && !hasConditions(input.listed.rules[rule] as ListedRule)) {
        texts.visit(seq, visit);
        continue;
      }
      const agree = texts === null ? visit : (right: number) => texts.has(seq, right) && visit(right);
      const own = starts[rule] as Uint32Array;
      for (let at = own[seq] as number; at < (own[seq + 1] as number); at++) {
        (indexes[rule] as RuleIndex).visit(entries, at, agree);
        if (this.visits > maxVisitsOfPair * input.maxPairs) this.refuse(place);
      }
    }
    this.pairs += count;
    if (this.pairs > input.maxPairs) this.refuse(place);
    const rights = this.rights.subarray(0, count).sort();
    const rules = new Uint8Array(count);
    for (let at = 0; at < count; at++) rules[at] = foundBy[rights[at] as number] as number;
    return { place, seq, count, rights, rules };
  }

  private refuse(place: number): never {
    const { rulePairs } = this;
    const maxPairs = Math.max(...rulePairs);
    throw new ListedPairsError(rulePairs.indexOf(maxPairs), maxPairs, (place + 1) / this.order.length);
  }
}

/** Returns whether a rule of similar texts has other conditions, which its pairs meet too. */
const hasConditions = ({ blocking, hasKeys }: ListedRule): boolean => hasKeys || blocking.active;

/** Returns the seqs of the candidates of a side in the order of the stage. */
function orderOf(columns: CandidateSide): Uint32Array {
  const seqs = candidatesOf(columns);
  const { length } = seqs;
  const order = sortedOrder(length, [
    gather(columns.bucket, seqs, new Float64Array(length)),
    gather(columns.day, seqs, new Int32Array(length)),
  ]);
  return order.map((at) => seqs[at] as number);
}
