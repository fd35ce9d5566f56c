import { readFileSync } from 'node:fs';
import path from 'node:path';
import { candidateWindows, compileRuleSet, createAssignment, readAmount, rescale } from '@tieout/engine';
import type {
  CompiledRuleSet,
  ComparedRecord,
  RankedPair,
  RuleSetDefinition,
  RuleSetParams,
  Side,
} from '@tieout/engine';

export const root = path.join(__dirname, '..');
const sample = (name: string): string => readFileSync(path.join(root, 'sample', name), 'utf8');

export type Row = Record<string, string>;

/** The sample's files quote nothing. */
export function rows(name: string): Row[] {
  const [header = '', ...lines] = sample(name).trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])));
}

/** Returns the records that pass the rule set's filters, ordered by id, and its MATCH pairs as `left|right`. */
export interface MatchedPairs {
  ruleSet: CompiledRuleSet;
  left: Row[];
  right: Row[];
  pairs: string[];
}

/** Decimal places of all amounts in the sample. */
export const amountScale = 2;
/** The column that identifies a row is the first. */
export const idOf = (row: Row): string => Object.values(row)[0] ?? '';

function unitsOf(value: unknown): number | null {
  const amount = readAmount(value);
  return amount.ok ? rescale(amount.units, amount.scale, amountScale) : null;
}

/** The rows of a side that the rule set's filters let through, in the order of their ids. */
async function admitted(ruleSet: CompiledRuleSet, side: Side, records: Row[]): Promise<Row[]> {
  const kept: Row[] = [];
  for (const row of records) if ((await ruleSet.admitRecord(side, row)).admitted) kept.push(row);
  return kept.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

interface Keyed {
  id: string;
  record: ComparedRecord;
  bucket: number;
  day: number;
}

function keyed(ruleSet: CompiledRuleSet, side: Side, records: Row[]): Keyed[] {
  const all = records.map((value) => {
    const keys = ruleSet.readKeys(side, value);
    const key = ruleSet.blocking.keyOf(keys);
    if ('reason' in key) throw new Error(`${idOf(value)}: ${key.reason}`);
    const record = { value, amountUnits: unitsOf(value['amount']), day: keys.day.ok ? keys.day.day : null };
    return { id: idOf(value), record, ...key };
  });
  return all.sort((a, b) => a.bucket - b.bucket || a.day - b.day || (a.id < b.id ? -1 : 1));
}

async function matchPairs(ruleSet: CompiledRuleSet, left: Keyed[], right: Keyed[]): Promise<string[]> {
  const comparer = ruleSet.comparer(amountScale);
  const windows = candidateWindows(
    ruleSet.blocking,
    {
      length: right.length,
      bucket: Float64Array.from(right, ({ bucket }) => bucket),
      day: Int32Array.from(right, ({ day }) => day),
      units: Float64Array.from(right, ({ record }) => record.amountUnits ?? Number.NaN),
    },
    amountScale,
  );
  const pairs: RankedPair[] = [];
  for (const [index, { bucket, day, record }] of left.entries()) {
    windows.seek(bucket, day, record.amountUnits ?? Number.NaN);
    for (let range = 0; range < windows.count; range++) {
      for (let other = windows.from[range] as number; other < (windows.to[range] as number); other++) {
        const candidate = right[other] as Keyed;
        const result = await comparer.compare(record, candidate.record);
        if (result.decision === 'ERROR') throw new Error(result.error.message);
        if (result.decision !== 'MATCH') continue;
        const days = Math.abs((record.day ?? 0) - (candidate.record.day ?? 0));
        const gap = Math.abs((record.amountUnits ?? 0) - (candidate.record.amountUnits ?? 0));
        pairs.push({ left: index, right: other, score: result.score, days, gap });
      }
    }
  }
  pairs.sort((a, b) => b.score - a.score || (a.days ?? 0) - (b.days ?? 0) || (a.gap ?? 0) - (b.gap ?? 0));
  const nameOf = (leftIndex: number, rightIndex: number): string =>
    `${left[leftIndex]?.id ?? ''}|${right[rightIndex]?.id ?? ''}`;
  const assignment = createAssignment({ records: { left: left.length, right: right.length } });
  for (const pair of pairs) assignment.push(pair);
  assignment.end();
  return pairs.filter((pair) => assignment.lossOf(pair) === null).map((pair) => nameOf(pair.left, pair.right));
}

/** Runs the pairwise part of a rule set of the sample over two of its files, without a service. */
export async function matchPairsOf(ruleSetFile: string, leftFile: string, rightFile: string): Promise<MatchedPairs> {
  const {
    engine,
    jsonataExpr = null,
    params,
  } = JSON.parse(sample(ruleSetFile)) as Pick<RuleSetDefinition, 'engine'> & {
    jsonataExpr?: string;
    params: RuleSetParams;
  };
  const ruleSet = compileRuleSet({ engine, params, jsonataExpr, version: 1 });
  const left = await admitted(ruleSet, 'left', rows(leftFile));
  const right = await admitted(ruleSet, 'right', rows(rightFile));
  return {
    ruleSet,
    left,
    right,
    pairs: await matchPairs(ruleSet, keyed(ruleSet, 'left', left), keyed(ruleSet, 'right', right)),
  };
}
