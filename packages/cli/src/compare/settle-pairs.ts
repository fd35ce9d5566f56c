import { createHash } from 'node:crypto';
import {
  amountDelta,
  createAssignment,
  equalityTexts,
  noDay,
  recordKeys,
  sortedOrder,
  unitsAt,
  type CompiledRuleSet,
  type JsonObject,
  type RankedPair,
  type RecordClasses,
  type Side,
} from '@tieout/engine';
import { pairMark, type PairList } from './pair-list';
import type { SideTable } from './side-table';

interface SettleInput extends Record<Side, SideTable> {
  compiled: CompiledRuleSet;
  pairs: PairList;
  amountScale: number;
  complete: Record<Side, (value: JsonObject) => JsonObject>;
}

/** Leaves each record at most one MATCH: see `createAssignment` of the engine. */
export function assignPairs(input: SettleInput): void {
  const { pairs, left, right } = input;
  const matches = [...pairs.present()].filter((pair) => pairs.isMatch(pair));
  const ranked = rankedPairs(input, matches);
  const records = { left: left.length, right: right.length };
  const run = (classes?: Record<Side, RecordClasses>) => {
    const assignment = createAssignment({ records, classes });
    for (const { pair } of ranked) assignment.push(pair);
    assignment.end();
    return assignment;
  };
  let assignment = run();
  if (assignment.hasTies) assignment = run({ left: classesOf(input, 'left'), right: classesOf(input, 'right') });
  for (const { at, pair } of ranked) {
    const loss = assignment.lossOf(pair);
    if (loss === 'exchangeable') pairs.mark(at, pairMark.gone);
    else if (loss !== null) pairs.demote(at, pairMark[loss]);
  }
}

interface RankedEntry {
  at: number;
  pair: RankedPair;
}

/** Orders pairs: the best score first, then fewer days, then the smaller gap; a missing value counts as the largest. */
function rankedPairs(input: SettleInput, matches: readonly number[]): RankedEntry[] {
  const { pairs, left, right, amountScale } = input;
  const entries = matches.map((at): RankedEntry => {
    const [one, other] = [pairs.left[at] as number, pairs.right[at] as number];
    const [leftUnits, rightUnits] = [unitsAt(left, one, amountScale), unitsAt(right, other, amountScale)];
    const [leftDay, rightDay] = [left.ownDay[one] as number, right.ownDay[other] as number];
    const hasGap = !Number.isNaN(leftUnits) && !Number.isNaN(rightUnits);
    return {
      at,
      pair: {
        left: one,
        right: other,
        score: pairs.score[at] as number,
        days: leftDay === noDay || rightDay === noDay ? null : Math.abs(rightDay - leftDay),
        gap: hasGap ? Math.abs(amountDelta(leftUnits, rightUnits, amountScale)) : null,
      },
    };
  });
  const rankOf = (value: (pair: RankedPair) => number): Uint32Array => {
    const distinct = [...new Set(entries.map(({ pair }) => value(pair)))].sort((one, other) => one - other);
    const ranks = new Map(distinct.map((known, rank) => [known, rank]));
    return Uint32Array.from(entries, ({ pair }) => ranks.get(value(pair)) as number);
  };
  const order = sortedOrder(entries.length, [
    rankOf(({ score }) => -score),
    rankOf(({ days }) => days ?? Infinity),
    rankOf(({ gap }) => gap ?? Infinity),
  ]);
  return Array.from(order, (place) => entries[place] as RankedEntry);
}

/** Classes the records of MATCH pairs by what the rule set reads. */
function classesOf({ compiled, pairs, complete, ...tables }: SettleInput, side: Side): RecordClasses {
  const table = tables[side];
  const own = (): Int32Array => Int32Array.from({ length: table.length }, (_, seq) => seq);
  const classes = { same: own(), alike: own() };
  const firsts = { same: new Map<string, number>(), alike: new Map<string, number>() };
  const keys = recordKeys(compiled.definition.params)[side];
  const wanted = new Uint8Array(table.length);
  for (const pair of pairs.present()) if (pairs.isMatch(pair)) wanted[pairs[side][pair] as number] = 1;
  for (let seq = 0; seq < table.length; seq++) {
    if (wanted[seq] !== 1) continue;
    const value = selected(compiled, side, complete[side](table.records.readAt(seq)));
    const texts = equalityTexts(
      value,
      { units: table.units[seq] as number, scale: table.scale[seq] as number, day: table.ownDay[seq] as number },
      keys,
    );
    for (const kind of ['same', 'alike'] as const) {
      const text = shortText(texts[kind]);
      const first = firsts[kind].get(text);
      if (first === undefined) firsts[kind].set(text, seq);
      classes[kind][seq] = first ?? seq;
    }
  }
  return classes;
}

/** Picks the fields of a record that the rule set reads, in the order of the rule set. */
function selected(compiled: CompiledRuleSet, side: Side, value: JsonObject): JsonObject {
  const { all, keys } = compiled.references[side];
  if (all) return value;
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]));
}

const maxPlainText = 64;

const shortText = (text: string): string =>
  text.length <= maxPlainText ? text : createHash('sha256').update(text, 'utf16le').digest('base64');
