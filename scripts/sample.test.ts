import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { candidateWindows, compileRuleSet, oneToOne, readAmount, rescale } from '@tieout/engine';
import type { CompiledRuleSet, ComparedRecord, RankedPair, RuleSetParams, Side } from '@tieout/engine';

const root = path.join(__dirname, '..');
const sample = (name: string): string => readFileSync(path.join(root, 'sample', name), 'utf8');

type Row = Record<string, string>;

/** The sample's files quote nothing. */
function rows(name: string): Row[] {
  const [header = '', ...lines] = sample(name).trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])));
}

interface Keyed {
  id: string;
  record: ComparedRecord;
  bucket: number;
  day: number;
}

const amountScale = 2;

function unitsOf(value: unknown): number | null {
  const amount = readAmount(value);
  return amount.ok ? rescale(amount.units, amount.scale, amountScale) : null;
}

async function admitted(ruleSet: CompiledRuleSet, side: Side, records: Row[], idField: string): Promise<Keyed[]> {
  const kept: Keyed[] = [];
  for (const value of records) {
    if (!(await ruleSet.admitRecord(side, value)).admitted) continue;
    const keys = ruleSet.readKeys(side, value);
    const key = ruleSet.blocking.keyOf(keys);
    if ('reason' in key) throw new Error(`${value[idField] ?? ''}: ${key.reason}`);
    const record = { value, amountUnits: unitsOf(value['amount']), day: keys.day.ok ? keys.day.day : null };
    kept.push({ id: value[idField] ?? '', record, ...key });
  }
  return kept.sort((a, b) => a.bucket - b.bucket || a.day - b.day || (a.id < b.id ? -1 : 1));
}

async function reconcile(ruleSet: CompiledRuleSet, left: Keyed[], right: Keyed[]): Promise<Set<string>> {
  const comparer = ruleSet.comparer(amountScale);
  const windows = candidateWindows(ruleSet.blocking, {
    length: right.length,
    bucket: Float64Array.from(right, ({ bucket }) => bucket),
    day: Int32Array.from(right, ({ day }) => day),
    units: Float64Array.from(right, ({ record }) => record.amountUnits ?? Number.NaN),
  }, amountScale);
  const pairs: RankedPair[] = [];
  for (const [index, { bucket, day, record }] of left.entries()) {
    windows.seek(bucket, day, record.amountUnits ?? Number.NaN);
    for (let range = 0; range < windows.count; range += 1) {
      for (let other = windows.from[range] as number; other < (windows.to[range] as number); other += 1) {
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
  const matched = new Set<string>();
  const assignment = oneToOne(left.length, right.length);
  const decide = (pair: RankedPair, verdict: { kind: string }): void => {
    if (verdict.kind === 'match') matched.add(`${left[pair.left]?.id ?? ''}|${right[pair.right]?.id ?? ''}`);
  };
  for (const pair of pairs) assignment.push(pair, decide);
  assignment.end(decide);
  return matched;
}

describe('the shipped sample', () => {
  it('is byte for byte what its generator makes', () => {
    const check = spawnSync(process.execPath, ['scripts/sample-generate.mjs', '--check'], { cwd: root, encoding: 'utf8' });
    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });

  it('names in its truth only invoices and bank lines that exist, and each one-to-one record once', () => {
    const invoices = new Set(rows('invoices.csv').map((row) => row['invoice_no']));
    const lines = new Set(rows('bank-lines.csv').map((row) => row['line_id']));
    const truth = rows('truth.csv');
    expect(truth.filter((row) => !invoices.has(row['invoice_no']) || !lines.has(row['line_id']))).toEqual([]);
    const single = truth.filter((row) => row['kind'] === 'one_to_one');
    expect(new Set(single.map((row) => row['invoice_no'])).size).toBe(single.length);
    expect(new Set(single.map((row) => row['line_id'])).size).toBe(single.length);
  });

  it('is reconciled by its rule set with a precision and a recall of at least 95 percent', async () => {
    const { engine, params } = JSON.parse(sample('rule-set.json')) as { engine: 'jsonata-batch'; params: RuleSetParams };
    const ruleSet = compileRuleSet({ engine, params, jsonataExpr: null, version: 1 });
    // A quarter of the year is enough to judge by.
    const invoices = rows('invoices.csv').filter((row) => (row['issued_on'] ?? '') < '2025-04-01');
    const left = await admitted(ruleSet, 'left', invoices, 'invoice_no');
    const right = await admitted(ruleSet, 'right', rows('bank-lines.csv'), 'line_id');
    const matched = await reconcile(ruleSet, left, right);
    const issued = new Set(invoices.map((row) => row['invoice_no']));
    const truth = rows('truth.csv').filter((row) => issued.has(row['invoice_no']));
    const keysOf = (kind: string): Set<string> =>
      new Set(truth.filter((row) => row['kind'] === kind).map((row) => `${row['invoice_no'] ?? ''}|${row['line_id'] ?? ''}`));
    const single = keysOf('one_to_one');
    const groups = keysOf('group');
    const judged = [...matched].filter((pair) => !groups.has(pair));
    const correct = judged.filter((pair) => single.has(pair)).length;
    expect(correct / judged.length).toBeGreaterThanOrEqual(0.95);
    expect(correct / single.size).toBeGreaterThanOrEqual(0.95);
  });
});
