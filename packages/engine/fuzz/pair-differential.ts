import { rescale } from '../src/values/decimal';
import { explanationExpander } from '../src/scoring/explanation';
import { noDay } from '../src/values/calendar';
import type { PairBatch, PairError } from '../src/pairs/types';
import { compileRuleSet } from '../src/rule-set/compile';
import type { CompiledRuleSet } from '../src/rule-set/compile';
import type { PairResult } from '../src/scoring/types';
import type { RuleSetDefinition } from '../src/definition/types';
import { validateRuleSet } from '../src/rule-set/validate';
import type { JsonObject, Side } from '../src/values/types';
import { compileExpression } from '../src/expression/compile';
import { withCodeGeneration } from './code-generation';
import { minimise } from './minimise';
import { describe, hasSiblings, isOurLimit } from './oracle';
import { createPairOracle, scoreNoise } from './pair-oracle';
import { randomPairCase, smallerPairCases } from './pair-cases';
import type { PairCase } from './pair-cases';
import { createRandom } from './random';

export interface PairDifference {
  seed: number;
  what: string;
  ruleSet: string;
  left: string;
  right: string;
  expected: string;
  actual: string;
}

export interface PairTally {
  ruleSets: number;
  pairs: number;
  decisions: Record<string, number>;
}

type Found = { what: string; expected: string; actual: string };

const amountScale = 4;

export function newPairTally(): PairTally {
  return { ruleSets: 0, pairs: 0, decisions: {} };
}

/**
 * One random rule set over dirty records: the batch against the comparer, the comparer against the documentation,
 * with code generation and without. */
export async function fuzzPairs(seed: number, tally: PairTally): Promise<PairDifference | null> {
  const sample = randomPairCase(createRandom(seed));
  if (validateRuleSet(sample.definition).length > 0) return null;
  tally.ruleSets++;
  if ((await differenceOf(sample, tally)) === null) return null;
  const fails = async (candidate: PairCase): Promise<boolean> =>
    validateRuleSet(candidate.definition).length === 0 && (await differenceOf(candidate, newPairTally())) !== null;
  const cut = await minimise(sample, smallerPairCases, fails, 400);
  const found = await differenceOf(cut, newPairTally());
  if (found === null) throw new Error(`${JSON.stringify(cut.definition)} does not differ twice`);
  return {
    seed,
    ruleSet: JSON.stringify(cut.definition),
    left: describe(cut.left),
    right: describe(cut.right),
    ...found,
  };
}

async function differenceOf(sample: PairCase, tally: PairTally): Promise<Found | null> {
  for (const isCodeAllowed of [true, false]) {
    const found = await withCodeGeneration(isCodeAllowed, async () => {
      const rules = compileRuleSet(sample.definition);
      const rows = await compareAll(rules, sample);
      count(
        tally,
        rows.flat().map(({ result }) => result),
      );
      return (await oracleDifference(rules, sample, rows)) ?? batchDifference(rules, sample, rows);
    });
    if (found !== null) return { ...found, what: `${found.what} (code generation: ${isCodeAllowed})` };
  }
  return null;
}

function count(tally: PairTally, results: readonly PairResult[]): void {
  tally.pairs += results.length;
  for (const { decision } of results) tally.decisions[decision] = (tally.decisions[decision] ?? 0) + 1;
}

function compared(rules: CompiledRuleSet, side: Side, value: JsonObject) {
  const { amount, day } = rules.readKeys(side, value);
  const amountUnits = amount.ok ? rescale(amount.units, amount.scale, amountScale) : null;
  return { value, amount, day, row: { value, amountUnits, day: day.ok ? day.day : null } };
}

interface Compared {
  left: number;
  right: number;
  result: PairResult;
}

async function compareAll(rules: CompiledRuleSet, { left, right }: PairCase): Promise<Compared[][]> {
  const comparer = rules.comparer(amountScale);
  const rows: Compared[][] = [];
  for (const [leftIndex, one] of left.entries()) {
    const row: Compared[] = [];
    for (const [rightIndex, other] of right.entries()) {
      const result = await comparer.compare(compared(rules, 'left', one).row, compared(rules, 'right', other).row);
      row.push({ left: leftIndex, right: rightIndex, result });
    }
    rows.push(row);
  }
  return rows;
}

async function oracleDifference(
  rules: CompiledRuleSet,
  { definition, left, right }: PairCase,
  rows: Compared[][],
): Promise<Found | null> {
  const decide = createPairOracle(definition, (definition.params.filters ?? []).filter(isPairFilter));
  const anyCode = sourcesOf(definition).some(hasSiblings);
  for (const { left: leftIndex, right: rightIndex, result } of rows.flat()) {
    const one = compared(rules, 'left', left[leftIndex] ?? {});
    const other = compared(rules, 'right', right[rightIndex] ?? {});
    // An amount that the batch's scale cannot hold never reaches a comparison.
    if ([one, other].some(({ amount, row }) => amount.ok && row.amountUnits === null)) continue;
    const permitted = await decide(one, other);
    const actual = result.decision === 'ERROR' ? `ERROR ${result.error.code}` : result.decision;
    const what = `pair ${leftIndex}, ${rightIndex} against the documentation`;
    const fails = (decision: string): boolean => decision.startsWith('ERROR');
    if (anyCode && fails(actual) && [...permitted.decisions].some(fails)) continue;
    if (
      result.decision === 'ERROR' &&
      [...permitted.decisions].some((wanted) => isOurLimit(result.error.code, wanted.replace('ERROR ', '')))
    )
      continue;
    if (!permitted.decisions.has(actual)) return { what, expected: [...permitted.decisions].join(' or '), actual };
    if (permitted.score === null || result.decision === 'ERROR' || result.decision === 'NO_MATCH') continue;
    const isClose = Math.abs(result.score - permitted.score) <= scoreNoise * rules.scale;
    if (!isClose) return { what, expected: `score ${permitted.score}`, actual: `score ${result.score}` };
  }
  return null;
}

function sourcesOf({ jsonataExpr, params }: RuleSetDefinition): string[] {
  return [
    ...(jsonataExpr === null ? [] : [jsonataExpr]),
    ...(params.filters ?? []),
    ...(params.matchers ?? []).map(({ expr }) => expr),
  ];
}

function isPairFilter(source: string): boolean {
  const { left, right } = compileExpression(source).references;
  return [left, right].every((side) => side.all || side.keys.length > 0);
}

interface Seen {
  counts: Record<string, number>;
  scoreSum: number;
  errors: PairError[];
  kept: string[];
}

const newSeen = (): Seen => ({
  counts: { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 },
  scoreSum: 0,
  errors: [],
  kept: [],
});

/** The batch sees the right side in two chunks. */
async function batchDifference(
  rules: CompiledRuleSet,
  { left, right }: PairCase,
  rows: Compared[][],
): Promise<Found | null> {
  const half = Math.ceil(right.length / 2);
  const batch = rules.openBatch(amountScale);
  for (const value of left) addRow(rules, 'left', value, batch);
  const actual = newSeen();
  const expected = newSeen();
  for (const [from, to] of [
    [0, half],
    [half, right.length],
  ] as const) {
    for (const value of right.slice(from, to)) addRow(rules, 'right', value, batch);
    for (const [leftIndex, row] of rows.entries()) {
      for (let next = 0; next < to - from;) next = await batch.compare(leftIndex, next, to - from);
      for (const pair of row.slice(from, to)) expect(expected, { ...pair, right: pair.right - from });
    }
    for (let index = 0; index < batch.kept.length; index++) {
      const { kept } = batch;
      const explanation = explanationExpander(rules.definition)(kept.stored(index));
      actual.kept.push(
        keptText(kept.left(index), kept.right(index), kept.decision(index), kept.score(index), explanation),
      );
    }
    actual.errors.push(...batch.errors);
    batch.clearRight();
  }
  Object.assign(actual, { counts: { ...batch.counts }, scoreSum: batch.scoreSum });
  for (const what of ['counts', 'errors', 'kept', 'scoreSum'] as const) {
    const [wanted, got] = [expected[what], actual[what]].map(describe);
    if (wanted === undefined || got === undefined || wanted === got) continue;
    return {
      what: `${what} of the batch against the comparer`,
      expected: wanted,
      actual: got,
    };
  }
  return null;
}

function addRow(rules: CompiledRuleSet, side: Side, value: JsonObject, batch: PairBatch): void {
  const { row } = compared(rules, side, value);
  const add = side === 'left' ? batch.addLeft : batch.addRight;
  add.call(batch, value, row.amountUnits ?? NaN, row.day ?? noDay);
}

/** Notes what a batch has to say of a pair. */
function expect(seen: Seen, { left, right, result }: Compared): void {
  seen.counts[result.decision] = (seen.counts[result.decision] ?? 0) + 1;
  if (result.decision === 'ERROR') {
    const { code, message, expression } = result.error;
    seen.errors.push({ left, right, code, message, expression });
  }
  if (result.decision !== 'MATCH' && result.decision !== 'POSSIBLE') return;
  seen.scoreSum += result.score;
  seen.kept.push(keptText(left, right, result.decision, result.score, JSON.stringify(result.explanation)));
}

function keptText(left: number, right: number, decision: string, score: number, explanation: string): string {
  return `${left}|${right} ${decision} ${score} ${explanation}`;
}
