import type { TextRule } from '../blocking/rules';
import { rareRecords } from '../blocking/words';
import type { Side } from '../values/types';
import type { WordEntries } from './rule-entries';
import { recordState } from './side';
import type { CandidateSide } from './side';

/** Lists of numbers by an index: list i is [starts[i], starts[i + 1]) of `values`. */
export interface NumberLists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** The records of one side as the search for similar texts needs them. */
export type TextSide = Pick<CandidateSide, 'length' | 'state' | 'compare'>;

export interface TextSides {
  words: Record<Side, WordEntries>;
  columns: Record<Side, TextSide>;
}

/** The texts of both sides, with each word as a number. */
export interface TextIndex {
  /** The square of the weight of each word, which is the logarithm of how rare it is. */
  readonly weights: Float64Array;
  /** The words of each record, in an order that depends only on the words. */
  readonly words: Record<Side, NumberLists>;
  /** The records that hold each word. */
  readonly records: Record<Side, NumberLists>;
  /** The length of each record's vector; 0 without a word that is compared. */
  readonly lengths: Record<Side, Float64Array>;
}

/** Numbers the words of both sides that are compared, and indexes the records by them. */
export function indexTexts(sides: TextSides, { maxDocumentShare }: TextRule): TextIndex {
  const holders = new Map<number, number>();
  let records = 0;
  for (const side of ['left', 'right'] as const)
    eachCandidate(sides, side, (seq) => {
      if (sides.words[side].count(seq) > 0) records++;
      sides.words[side].each(seq, (code) => holders.set(code, (holders.get(code) ?? 0) + 1));
    });
  const max = Math.max(rareRecords, maxDocumentShare * records);
  const codes = Float64Array.from(holders.keys()).sort();
  const isCompared = (code: number): boolean => {
    const count = holders.get(code) as number;
    return count > 1 && count <= max && count < records;
  };
  const compared = codes.filter(isCompared);
  const weights = Float64Array.from(compared, (code) => Math.log(records / (holders.get(code) as number)) ** 2);
  // A word that only one record has finds no other record, but makes its record less similar to others.
  const alone = Math.log(records) ** 2;
  const numbers = new Map<number, number>();
  compared.forEach((code, number) => numbers.set(code, number));
  const of = (side: Side): Pick<SideTexts, 'words' | 'lengths'> =>
    textsOf(sides, side, { numbers, weights, alone, holders });
  const [left, right] = [of('left'), of('right')];
  return {
    weights,
    words: { left: left.words, right: right.words },
    records: { left: turned(left.words, weights.length), right: turned(right.words, weights.length) },
    lengths: { left: left.lengths, right: right.lengths },
  };
}

interface SideTexts {
  words: NumberLists;
  lengths: Float64Array;
}

interface Vocabulary {
  numbers: ReadonlyMap<number, number>;
  weights: Float64Array;
  /** The weight of a word that only one record has. */
  alone: number;
  holders: ReadonlyMap<number, number>;
}

function textsOf(sides: TextSides, side: Side, { numbers, weights, alone, holders }: Vocabulary): SideTexts {
  const { length } = sides.columns[side];
  const starts = new Uint32Array(length + 1);
  const lengths = new Float64Array(length);
  eachCandidate(sides, side, (seq) => {
    sides.words[side].each(seq, (code) => {
      const number = numbers.get(code);
      if (number !== undefined) starts[seq + 1]!++;
      lengths[seq]! += number === undefined ? (holders.get(code) === 1 ? alone : 0) : (weights[number] as number);
    });
    lengths[seq] = Math.sqrt(lengths[seq] as number);
  });
  for (let seq = 0; seq < length; seq++) starts[seq + 1]! += starts[seq] as number;
  const values = new Uint32Array(starts[length] as number);
  let place = 0;
  eachCandidate(sides, side, (seq) =>
    sides.words[side].each(seq, (code) => {
      const number = numbers.get(code);
      if (number !== undefined) values[place++] = number;
    }),
  );
  return { words: { starts, values }, lengths };
}

/** Returns the records of each word. */
function turned({ starts, values }: NumberLists, words: number): NumberLists {
  const ends = new Uint32Array(words + 1);
  for (const word of values) ends[word + 1]!++;
  for (let word = 0; word < words; word++) ends[word + 1]! += ends[word] as number;
  const place = ends.slice();
  const records = new Uint32Array(values.length);
  for (let seq = 0; seq + 1 < starts.length; seq++)
    for (let at = starts[seq] as number; at < (starts[seq + 1] as number); at++)
      records[place[values[at] as number]!++] = seq;
  return { starts: ends, values: records };
}

function eachCandidate({ columns }: TextSides, side: Side, visit: (seq: number) => void): void {
  const { state, length } = columns[side];
  for (let seq = 0; seq < length; seq++) if (state[seq] === recordState.candidate) visit(seq);
}
