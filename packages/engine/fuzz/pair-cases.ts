import type { RuleSetDefinition, MatcherParams, RuleSetParams } from '../src/definition/types';
import type { JsonObject } from '../src/values/types';
import { randomExpression } from './expressions';
import type { Random } from './random';
import { dirtyRecord, pickText, smallerData } from './records';
import { render } from './term';

/** A rule set with both sides of a batch. */
export interface PairCase {
  definition: RuleSetDefinition;
  left: JsonObject[];
  right: JsonObject[];
}

const fieldNames = ['a', 'b', 'amount', 'name', 'date', 'ref', 'x', 'constructor'];

/** Matchers as users write them; L and R are placeholders for a field of each side. */
const matcherTemplates = [
  'L = R',
  'L != R',
  'L < R',
  '$abs(L - R) <= 0.01 * $abs(L)',
  '$lowercase($trim(L)) = $lowercase($trim(R))',
  '$contains(R, L)',
  '$abs($toMillis(L) - $toMillis(R)) <= 86400000',
  'L = R ? 1 : L > R ? 0.5 : 0',
  'L = R ? 1 : null',
  '$exists(L) and $exists(R) and L = R',
  '$similarity(L, R)',
  '$tokenSet(L, R) > 0.5 ? 1 : 0',
  '$levenshtein($normalize(L), $normalize(R))',
  '$amountClose(L, R, 0.5, 1)',
  '$daysBetween(L, R)',
  'L & "" = R & ""',
  '$string(L) = $string(R)',
  '$substring(L, 0, 3) = $substring(R, 0, 3)',
  'L in [R, "foo"]',
  'R in left.tags',
  '$count(left.items) = $count(right.items)',
  '$sum(left.items.x) - R',
  '(L + R) / 2',
  'L / R',
  '-L = R',
  'L % R',
  '$not(L = R)',
  'left.items[a=0].x = R',
  '$max([L, R]) - $min([L, R]) < 1',
  '$number(L) = $number(R)',
  '$match(L, /[0-9]+/).match = R',
  '$uppercase(L) = R',
  '$length(L) = $length(R)',
  '($d := L - R; $d < 0 ? 0 : $d)',
  '$error(L)',
  'null',
  'true',
  '0.25',
  'L',
  'R',
  'L and R',
  'L or R',
  '$assert(L = R, "no")',
  '$round(L, 1) = $round(R, 1)',
  '$floor(L) = $floor(R)',
  'L.a = R',
  '$split(L, " ")[0] = $split(R, " ")[0]',
  '$power(L, R)',
  '$boolean(L) = $boolean(R)',
];
const oneSided = [
  'L',
  'R',
  'L = "foo"',
  'L > 1',
  '$exists(R)',
  'R != null',
  '$contains(L, "o")',
  '$error("x")',
  'true',
];
const scoreTemplates = [
  '{"score": L = R ? 1 : 0.5, "reasons": [L, R]}',
  '{"score": L, "reasons": {"left": L}}',
  'L = R ? {"score": 0.9, "reasons": "same"} : 0.3',
  '{"score": 2}',
  '{"reasons": 1}',
];

const blockingTemplates = [
  { amountKey: 'amount' },
  { dateKey: 'date', dateToleranceDays: 2 },
  { amountKeyLeft: 'a', dateKey: 'date' },
  { enabled: false, amountKey: 'x' },
];

export function randomPairCase(random: Random): PairCase {
  const left = random.list(1, 4, () => pairRecord(random));
  return {
    definition: randomDefinition(random),
    left,
    right: random.list(1, 5, () => (random.chance(0.6) ? counterpart(random, random.pick(left)) : pairRecord(random))),
  };
}

/** Makes the record that the other side might have for the same fact. */
function counterpart(random: Random, record: JsonObject): JsonObject {
  const { amount } = record;
  return {
    ...structuredClone(record),
    ...(random.chance(0.4) && typeof amount === 'number' ? { amount: amount * 1.005 } : {}),
    ...(random.chance(0.3) ? { name: pickText(random) } : {}),
  };
}

/** Few distinct values, so that sides agree often. */
function pairRecord(random: Random): JsonObject {
  const record = dirtyRecord(random);
  if (random.chance(0.5)) record['name'] = random.pick(['foo', ' Foo', 'FOO', 'bar']);
  if (random.chance(0.5)) record['a'] = random.below(3);
  return record;
}

function randomDefinition(random: Random): RuleSetDefinition {
  const batch = random.chance(0.75);
  const [Tmatch, Tpossible] = random.pick([
    [1, 0],
    [0.9, 0.5],
    [0.5, 0.2],
    [0.6, 0.3],
    [0.8, 0.8],
    [0, 0],
    [80, 40],
    [100, 0],
    [50, 0.5],
    [1, 1],
  ] as const);
  const params: RuleSetParams = { Tmatch, Tpossible };
  if (batch) params.matchers = random.list(1, 5, () => randomMatcher(random));
  if (random.chance(0.2)) params.windowDays = random.pick([0, 2, 3.5, 30]);
  if (random.chance(0.2)) params.amountTolerancePercent = random.pick([0, 1, 12.5, 50]);
  if (random.chance(0.2))
    params.filters = random.list(1, 2, () =>
      fill(random, random.pick(random.chance(0.5) ? oneSided : matcherTemplates)),
    );
  if (random.chance(0.2)) params.blocking = random.pick(blockingTemplates);
  const main = !batch || random.chance(0.2) ? mainExpression(random, batch) : null;
  return { engine: batch ? 'jsonata-batch' : 'jsonata', jsonataExpr: main, params, version: 1 + random.below(3) };
}

function randomMatcher(random: Random): MatcherParams {
  return {
    expr: random.chance(0.8) ? fill(random, random.pick(matcherTemplates)) : render(randomExpression(random, 'pair')),
    ...(random.chance(0.7) ? { weight: random.pick([0, 0.1, 0.2, 0.4, 1, 3, 1e-9]) } : {}),
    ...(random.chance(0.25) ? { required: true } : {}),
    ...(random.chance(0.1) ? { name: '"a\\b' } : {}),
  };
}

function mainExpression(random: Random, gate: boolean): string {
  if (random.chance(0.3)) return render(randomExpression(random, 'pair'));
  return fill(random, random.pick(gate || random.chance(0.5) ? matcherTemplates : scoreTemplates));
}

function fill(random: Random, template: string): string {
  return template.replace(/\b[LR]\b/g, (side) => `${side === 'L' ? 'left' : 'right'}.${random.pick(fieldNames)}`);
}

export function* smallerPairCases({ definition, left, right }: PairCase): Generator<PairCase> {
  const { params } = definition;
  for (const index of left.keys()) if (left.length > 1) yield { definition, left: left.toSpliced(index, 1), right };
  for (const index of right.keys()) if (right.length > 1) yield { definition, left, right: right.toSpliced(index, 1) };
  for (const key of ['filters', 'windowDays', 'amountTolerancePercent', 'blocking'] as const) {
    if (params[key] !== undefined)
      yield { definition: { ...definition, params: { ...params, [key]: undefined } }, left, right };
  }
  const matchers = params.matchers ?? [];
  for (const [index, matcher] of matchers.entries()) {
    if (matchers.length > 1)
      yield {
        definition: { ...definition, params: { ...params, matchers: matchers.toSpliced(index, 1) } },
        left,
        right,
      };
    for (const expr of ['true', 'null']) {
      if (matcher.expr.length > expr.length) {
        yield {
          definition: { ...definition, params: { ...params, matchers: matchers.with(index, { ...matcher, expr }) } },
          left,
          right,
        };
      }
    }
  }
  for (const smaller of smallerData(left)) yield { definition, left: smaller as JsonObject[], right };
  for (const smaller of smallerData(right)) yield { definition, left, right: smaller as JsonObject[] };
}
