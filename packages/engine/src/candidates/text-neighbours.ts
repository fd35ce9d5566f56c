import type { TextRule } from '../blocking/rules';
import { lowerBound } from '../values/binary-search';
import type { Side } from '../values/types';
import { indexTexts } from './text-index';
import type { TextIndex, TextSide, TextSides } from './text-index';

/** Cosines that are equal but for the rounding of their sums are ties. */
const scorePrecision = 1e12;
/** Slack of bounds, for the rounding of sums. */
const boundSlack = 1e-9;

interface NeighboursInput extends TextSides {
  rule: TextRule;
  /** The seq that each left record has on the right, or -1; undefined where the sides are two datasets. */
  same: Int32Array | undefined;
  /** True if the left records are a sample: a right one would find others than among all. */
  isSampled?: boolean | undefined;
}

/**
 * Finds the pairs in which one record is among the most similar ones of the other. The similarity is the cosine of the
 * words of two records, each weighted by how rare it is. It is exact, and the result depends only on the data.
 */
export class TextNeighbours {
  private readonly starts: Uint32Array;
  private readonly rights: Uint32Array;

  private constructor({ columns, rule: { top } }: NeighboursInput, { left, right }: Record<Side, Found>) {
    const { length } = columns.left;
    this.starts = new Uint32Array(length + 1);
    eachPair(left, top, (own) => this.starts[own + 1]!++);
    eachPair(right, top, (_, other) => this.starts[other + 1]!++);
    for (let seq = 0; seq < length; seq++) this.starts[seq + 1]! += this.starts[seq] as number;
    const place = this.starts.slice();
    this.rights = new Uint32Array(this.starts[length] as number);
    eachPair(left, top, (own, other) => (this.rights[place[own]!++] = other));
    eachPair(right, top, (own, other) => (this.rights[place[other]!++] = own));
    for (let seq = 0; seq < length; seq++) this.rights.subarray(this.starts[seq], this.starts[seq + 1]).sort();
  }

  /** Finds the neighbours of all records, one after each step. */
  static *find(input: NeighboursInput): Generator<void, TextNeighbours, void> {
    const index = indexTexts(input, input.rule);
    const left = yield* findNeighbours(input, index, 'left');
    const right = input.isSampled ? noneFound : yield* findNeighbours(input, index, 'right');
    return new TextNeighbours(input, { left, right });
  }

  /** Visits the right neighbours of a left record, some of them twice. */
  visit(left: number, visit: (right: number) => void): void {
    for (let at = this.starts[left] as number; at < (this.starts[left + 1] as number); at++)
      visit(this.rights[at] as number);
  }

  has(left: number, right: number): boolean {
    const end = this.starts[left + 1] as number;
    const at = lowerBound(this.starts[left] as number, end, (place) => (this.rights[place] as number) < right);
    return at < end && this.rights[at] === right;
  }
}

/** The neighbours of each record: the first `count` of `top` places. */
interface Found {
  count: Uint8Array;
  seqs: Uint32Array;
}

const noneFound: Found = { count: new Uint8Array(0), seqs: new Uint32Array(0) };

function eachPair({ count, seqs }: Found, top: number, visit: (own: number, other: number) => void): void {
  for (let own = 0; own < count.length; own++)
    for (let at = 0; at < (count[own] as number); at++) visit(own, seqs[own * top + at] as number);
}

/** Finds the most similar records of the other side for each record of a side. */
function* findNeighbours(input: NeighboursInput, index: TextIndex, side: Side): Generator<void, Found, void> {
  const other = side === 'left' ? 'right' : 'left';
  const { top } = input.rule;
  const { length } = input.columns[side];
  const found = { count: new Uint8Array(length), seqs: new Uint32Array(length * top) };
  const search = new NeighbourSearch(index, { side, other, top, columns: input.columns[other] });
  const itself = side === 'left' ? input.same : input.same && turnedSame(input.same, length);
  for (let seq = 0; seq < length; seq++) {
    yield;
    found.count[seq] = search.find(seq, itself?.[seq] ?? -1, found.seqs.subarray(seq * top, (seq + 1) * top));
  }
  return found;
}

function turnedSame(same: Int32Array, rights: number): Int32Array {
  const lefts = new Int32Array(rights).fill(-1);
  same.forEach((right, left) => {
    if (right >= 0) lefts[right] = left;
  });
  return lefts;
}

interface SearchOptions {
  side: Side;
  other: Side;
  top: number;
  /** The other side. */
  columns: TextSide;
}

/**
 * Adds up the weights of common words, rare words first, whose records are few. It stops before frequent words once no
 * record that shares only those can be among the best: with S the rest of the squared weights, its cosine is at most
 * √S / length, because its own length is at least that of the common words. What remains is computed word by word.
 */
class NeighbourSearch {
  private readonly sums: Float64Array;
  private readonly touched: Uint32Array;
  private readonly isOwn: Uint8Array;
  private readonly bestSeqs: Uint32Array;
  private readonly bestScores: Float64Array;
  private readonly partial: Float64Array;
  private best = 0;

  constructor(
    private readonly index: TextIndex,
    private readonly options: SearchOptions,
  ) {
    const records = index.lengths[options.other].length;
    this.sums = new Float64Array(records);
    this.touched = new Uint32Array(records);
    this.isOwn = new Uint8Array(index.weights.length);
    this.bestSeqs = new Uint32Array(options.top);
    this.bestScores = new Float64Array(options.top);
    this.partial = new Float64Array(options.top);
  }

  /** Writes the seqs of the best records to `into`. Returns their number. */
  find(seq: number, itself: number, into: Uint32Array): number {
    const { index, sums, touched, isOwn } = this;
    const { side, other } = this.options;
    const own = index.words[side];
    const words = own.values.subarray(own.starts[seq], own.starts[seq + 1]);
    const length = index.lengths[side][seq] as number;
    const lengths = index.lengths[other];
    const { starts, values } = index.records[other];
    const rare = words.slice().sort((one, two) => (index.weights[two] as number) - (index.weights[one] as number));
    let rest = 0;
    for (const word of rare) rest += index.weights[word] as number;
    let count = 0;
    let minCosine = 0;
    for (const word of rare) {
      const from = starts[word] as number;
      const to = starts[word + 1] as number;
      if (count >= this.options.top && to - from > count) {
        minCosine = this.minOfBest(count, length, itself);
        if (Math.sqrt(rest) / length < minCosine - boundSlack) break;
      }
      const weight = index.weights[word] as number;
      for (let at = from; at < to; at++) {
        const record = values[at] as number;
        if (sums[record] === 0) touched[count++] = record;
        sums[record]! += weight;
      }
      rest -= weight;
    }
    rest = Math.max(0, rest);
    for (const word of words) isOwn[word] = 1;
    this.best = 0;
    for (let at = 0; at < count; at++) {
      const record = touched[at] as number;
      const bound = ((sums[record] as number) + rest) / (length * (lengths[record] as number));
      sums[record] = 0;
      if (bound < minCosine - boundSlack || record === itself) continue;
      this.offer(record, bound, length);
    }
    for (const word of words) isOwn[word] = 0;
    into.set(this.bestSeqs.subarray(0, this.best));
    return this.best;
  }

  /** Returns the worst of the best cosines by the words so far; 0 where there are too few. */
  private minOfBest(count: number, length: number, itself: number): number {
    const { sums, touched, partial } = this;
    const { top, other } = this.options;
    const lengths = this.index.lengths[other];
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const record = touched[at] as number;
      const cosine = (sums[record] as number) / (length * (lengths[record] as number));
      if (record === itself || (kept === top && cosine <= (partial[top - 1] as number))) continue;
      let place = kept < top ? kept++ : top - 1;
      for (; place > 0 && (partial[place - 1] as number) < cosine; place--)
        partial[place] = partial[place - 1] as number;
      partial[place] = cosine;
    }
    return kept < top ? 0 : (partial[top - 1] as number);
  }

  /** Takes a record among the best, unless it is worse than all of them. */
  private offer(record: number, bound: number, length: number): void {
    const { bestScores, bestSeqs } = this;
    const { top, columns } = this.options;
    const isFull = this.best === top;
    if (isFull && Math.ceil((bound + boundSlack) * scorePrecision) < (bestScores[top - 1] as number)) return;
    const score = this.scoreOf(record, length);
    const isBetter = (place: number): boolean => {
      const known = bestScores[place] as number;
      return known === score ? columns.compare(record, bestSeqs[place] as number) < 0 : known < score;
    };
    if (isFull && !isBetter(top - 1)) return;
    let place = isFull ? top - 1 : this.best++;
    for (; place > 0 && isBetter(place - 1); place--) {
      bestScores[place] = bestScores[place - 1] as number;
      bestSeqs[place] = bestSeqs[place - 1] as number;
    }
    bestScores[place] = score;
    bestSeqs[place] = record;
  }

  private scoreOf(record: number, length: number): number {
    const { index, isOwn } = this;
    const { starts, values } = index.words[this.options.other];
    let sum = 0;
    for (let at = starts[record] as number; at < (starts[record + 1] as number); at++) {
      const word = values[at] as number;
      if (isOwn[word] === 1) sum += index.weights[word] as number;
    }
    const cosine = sum / (length * (index.lengths[this.options.other][record] as number));
    return Math.round(cosine * scorePrecision);
  }
}
