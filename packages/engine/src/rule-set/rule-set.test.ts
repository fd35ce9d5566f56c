import { compileRuleSet } from './compile';
import { ruleSetReferences, undeclaredReferences } from './references';
import type { RuleSetDefinition, RuleSetParams } from '../definition/types';
import { validateRuleSet } from './validate';

function batch(params: Partial<RuleSetParams> = {}, jsonataExpr: string | null = null): RuleSetDefinition {
  return {
    engine: 'jsonata-batch',
    jsonataExpr,
    version: 1,
    params: { Tmatch: 0.9, Tpossible: 0.5, matchers: [{ expr: 'true' }], ...params },
  };
}

function single(jsonataExpr: string | null, params: Partial<RuleSetParams> = {}): RuleSetDefinition {
  return { engine: 'jsonata', jsonataExpr, version: 1, params: { Tmatch: 0.9, Tpossible: 0.5, ...params } };
}

test('a sound rule set has no issues', () => {
  expect(validateRuleSet(single('left.a = right.a'))).toEqual([]);
  expect(
    validateRuleSet(
      batch(
        {
          windowDays: 3,
          amountTolerancePercent: 0.5,
          filters: ['left.a', 'right.b = 1'],
          assignment: 'one_to_one',
          matchers: [
            { id: 'x', name: 'X', expr: 'true', weight: 0, required: true },
            { expr: 'left.a = right.a', weight: 0.3 },
          ],
          blocking: { amountKey: 'amount', amountBucketSize: 0.0001, amountBucketWindow: 0, dateToleranceDays: 0 },
          composition: {
            enabled: true,
            direction: 'many_to_one',
            maxGroupSize: 60,
            dateStrategy: 'monthly',
            partial: { minCompletionRatio: 1, uniformityRatio: 0 },
            installmentDiscovery: { maxDivisor: 2, divisorTolerance: 0 },
          },
        },
        'left.cur = right.cur',
      ),
    ),
  ).toEqual([]);
  expect(validateRuleSet(single('true', { Tmatch: 1, Tpossible: 1 }))).toEqual([]);
  expect(validateRuleSet(single('true', { Tmatch: 100, Tpossible: 0 }))).toEqual([]);
  expect(validateRuleSet(single('true', { Tmatch: 0, Tpossible: 0 }))).toEqual([]);
});

test.each<[string, RuleSetDefinition, string, string]>([
  ['Tpossible above Tmatch', single('true', { Tpossible: 0.95 }), '/params/Tpossible', 'tpossible_gt_tmatch'],
  ['Tmatch above 100', single('true', { Tmatch: 101 }), '/params/Tmatch', 'out_of_range'],
  ['Tpossible below 0', single('true', { Tpossible: -0.1 }), '/params/Tpossible', 'out_of_range'],
  ['engine jsonata without expression', single(null), '/jsonataExpr', 'jsonata_expr_required'],
  [
    'matchers with engine jsonata',
    single('true', { matchers: [{ expr: 'true' }] }),
    '/params/matchers',
    'matchers_not_allowed',
  ],
  ['a batch without matchers', batch({ matchers: undefined }), '/params/matchers', 'matchers_required'],
  ['a batch with no matcher', batch({ matchers: [] }), '/params/matchers', 'matchers_required'],
  [
    'an id twice',
    batch({
      matchers: [
        { id: 'x', expr: '1' },
        { id: 'x', expr: '1' },
      ],
    }),
    '/params/matchers/1/id',
    'duplicate_matcher_id',
  ],
  [
    'a default id twice',
    batch({ matchers: [{ id: 'm2', expr: '1' }, { expr: '1' }] }),
    '/params/matchers/1/id',
    'duplicate_matcher_id',
  ],
  ['an empty id', batch({ matchers: [{ id: '', expr: '1' }] }), '/params/matchers/0/id', 'empty'],
  [
    'a weight below 0',
    batch({
      matchers: [
        { expr: '1', weight: -1 },
        { expr: '1', weight: 2 },
      ],
    }),
    '/params/matchers/0/weight',
    'out_of_range',
  ],
  ['weights that sum to 0', batch({ matchers: [{ expr: '1', weight: 0 }] }), '/params/matchers', 'weights_sum'],
  [
    'weights beyond any sum',
    batch({
      matchers: [
        { expr: '1', weight: 1e308 },
        { expr: '1', weight: 1e308 },
      ],
    }),
    '/params/matchers',
    'weights_sum',
  ],
  ['a negative windowDays', batch({ windowDays: -1 }), '/params/windowDays', 'out_of_range'],
  ['a negative tolerance', batch({ amountTolerancePercent: -1 }), '/params/amountTolerancePercent', 'out_of_range'],
  ['a tolerance beyond all amounts', batch({ amountTolerance: 1e20 }), '/params/amountTolerance', 'out_of_range'],
  [
    'a tolerance of blocking beyond all amounts',
    batch({ blocking: { amountTolerance: 1e20 } }),
    '/params/blocking/amountTolerance',
    'out_of_range',
  ],
  [
    'a tolerance of sums beyond all amounts',
    batch({ composition: { amountTolerance: 1e20 } }),
    '/params/composition/amountTolerance',
    'out_of_range',
  ],
  [
    'a match key with an empty step',
    batch({ composition: { matchKeys: [{ left: 'a..b', right: 'b' }] } }),
    '/params/composition/matchKeys/0/left',
    'invalid_path',
  ],
  [
    'a match key that begins with a dot',
    batch({ composition: { matchKeys: [{ left: 'a', right: '.b' }] } }),
    '/params/composition/matchKeys/0/right',
    'invalid_path',
  ],
  [
    'an amount key with an empty step',
    batch({ blocking: { amountKeyLeft: 'a..b' } }),
    '/params/blocking/amountKeyLeft',
    'invalid_path',
  ],
  ['an unknown assignment', batch({ assignment: 'many' as 'none' }), '/params/assignment', 'not_allowed'],
  [
    'a bucket size of 0',
    batch({ blocking: { amountBucketSize: 0 } }),
    '/params/blocking/amountBucketSize',
    'out_of_range',
  ],
  [
    'a bucket size below 0.0001',
    batch({ blocking: { amountBucketSize: 0.00009 } }),
    '/params/blocking/amountBucketSize',
    'out_of_range',
  ],
  ['an empty key', batch({ blocking: { amountKey: '' } }), '/params/blocking/amountKey', 'empty'],
  ['a group of 1', batch({ composition: { maxGroupSize: 1 } }), '/params/composition/maxGroupSize', 'out_of_range'],
  ['a group of 61', batch({ composition: { maxGroupSize: 61 } }), '/params/composition/maxGroupSize', 'out_of_range'],
  ['an unknown direction', batch({ composition: { direction: 'up' } }), '/params/composition/direction', 'not_allowed'],
  [
    'an unknown date strategy',
    batch({ composition: { dateStrategy: 'weekly' } }),
    '/params/composition/dateStrategy',
    'not_allowed',
  ],
  [
    'a ratio above 1',
    batch({ composition: { partial: { minCompletionRatio: 1.1 } } }),
    '/params/composition/partial/minCompletionRatio',
    'out_of_range',
  ],
  ['a blank field', batch({ composition: { amountField: '  ' } }), '/params/composition/amountField', 'empty'],
  [
    'a divisor of 1',
    batch({ composition: { installmentDiscovery: { maxDivisor: 1 } } }),
    '/params/composition/installmentDiscovery/maxDivisor',
    'out_of_range',
  ],
  [
    'a divisor of 61',
    batch({ composition: { installmentDiscovery: { maxDivisor: 61 } } }),
    '/params/composition/installmentDiscovery/maxDivisor',
    'out_of_range',
  ],
  [
    'a broken divisor',
    batch({ composition: { installmentDiscovery: { maxDivisor: 2.5 } } }),
    '/params/composition/installmentDiscovery/maxDivisor',
    'out_of_range',
  ],
  [
    'a divisor tolerance above a half',
    batch({ composition: { installmentDiscovery: { divisorTolerance: 0.51 } } }),
    '/params/composition/installmentDiscovery/divisorTolerance',
    'out_of_range',
  ],
  [
    'a divisor tolerance below 0',
    batch({ composition: { installmentDiscovery: { divisorTolerance: -0.01 } } }),
    '/params/composition/installmentDiscovery/divisorTolerance',
    'out_of_range',
  ],
  [
    'an empty count field',
    batch({ composition: { installmentDiscovery: { totalCountField: '' } } }),
    '/params/composition/installmentDiscovery/totalCountField',
    'empty',
  ],
  [
    'an empty unit field',
    batch({ composition: { installmentDiscovery: { unitValueField: '' } } }),
    '/params/composition/installmentDiscovery/unitValueField',
    'empty',
  ],
  [
    'a broken group size',
    batch({ composition: { maxGroupSize: 2.5 } }),
    '/params/composition/maxGroupSize',
    'out_of_range',
  ],
  [
    'a negative tolerance of composition',
    batch({ composition: { amountTolerancePercent: -0.1 } }),
    '/params/composition/amountTolerancePercent',
    'out_of_range',
  ],
  [
    'negative days of composition',
    batch({ composition: { dateToleranceDays: -1 } }),
    '/params/composition/dateToleranceDays',
    'out_of_range',
  ],
  ['an empty amount field', batch({ composition: { amountField: '' } }), '/params/composition/amountField', 'empty'],
  ['an empty group field', batch({ composition: { groupByField: '' } }), '/params/composition/groupByField', 'empty'],
  [
    'an empty left date field',
    batch({ composition: { dateFieldLeft: '' } }),
    '/params/composition/dateFieldLeft',
    'empty',
  ],
  [
    'an empty right date field',
    batch({ composition: { dateFieldRight: '' } }),
    '/params/composition/dateFieldRight',
    'empty',
  ],
  [
    'no members',
    batch({ composition: { partial: { minMembers: 0 } } }),
    '/params/composition/partial/minMembers',
    'out_of_range',
  ],
  [
    'more members than any group has',
    batch({ composition: { partial: { minMembers: 61 } } }),
    '/params/composition/partial/minMembers',
    'out_of_range',
  ],
  [
    'a part of more members than a group may have',
    batch({ composition: { maxGroupSize: 5, partial: { minMembers: 6 } } }),
    '/params/composition/partial/minMembers',
    'out_of_range',
  ],
  [
    'a part of more members than a group has by default',
    batch({ composition: { partial: { minMembers: 13 } } }),
    '/params/composition/partial/minMembers',
    'out_of_range',
  ],
  [
    'a tolerance of composition above the target',
    batch({ composition: { amountTolerancePercent: 100.1 } }),
    '/params/composition/amountTolerancePercent',
    'out_of_range',
  ],
  [
    'a uniformity above 1',
    batch({ composition: { partial: { uniformityRatio: 1.1 } } }),
    '/params/composition/partial/uniformityRatio',
    'out_of_range',
  ],
  [
    'a uniformity below 0',
    batch({ composition: { partial: { uniformityRatio: -0.1 } } }),
    '/params/composition/partial/uniformityRatio',
    'out_of_range',
  ],
  ['an expression that is too long', single(`"${'x'.repeat(65_536)}"`), '/jsonataExpr', 'too_long'],
  [
    'a matcher with $eval',
    batch({ matchers: [{ expr: '$eval("1")' }] }),
    '/params/matchers/0/expr',
    'eval_not_allowed',
  ],
])('%s is refused', (_name, definition, path, code) => {
  expect(validateRuleSet(definition)).toEqual([expect.objectContaining({ path, code })]);
});

test('the threshold message names Tmatch', () => {
  expect(validateRuleSet(single('true', { Tpossible: 0.95 }))[0]?.message).toBe('must be <= Tmatch (0.9)');
});

test('65,536 characters are allowed, also beyond the basic plane', () => {
  expect(validateRuleSet(single(`"${'😀'.repeat(65_534)}"`))).toEqual([]);
});

test('every syntax error is reported with path, position and token', () => {
  const issues = validateRuleSet(batch({ filters: ['left.a', 'left.('], matchers: [{ expr: '1 + + ]' }] }, 'left ='));
  expect(issues.map(({ path }) => path)).toEqual(['/jsonataExpr', '/params/matchers/0/expr', '/params/filters/1']);
  for (const issue of issues) expect(issue.code).toMatch(/^S\d{4}$/);
  expect(issues[1]).toMatchObject({ position: expect.any(Number) as number, token: '+' });
  expect(issues[1]?.message).toContain('position');
});

test('references are the union over gate, matchers and filters', () => {
  const definition = batch({ filters: ['left.status'], matchers: [{ expr: 'left.a = right.b' }] }, '$exists(right)');
  expect(ruleSetReferences(definition)).toEqual({
    left: { all: false, keys: ['a', 'status'] },
    right: { all: true, keys: ['b'] },
  });
});

test('every undeclared field is reported at the expression that names it', () => {
  const definition = batch({
    filters: ['left.status = "x"', 'left.('],
    matchers: [{ expr: 'left.a = right.`b.c`' }, { expr: 'left.nope = right.nope' }],
  });
  const declared = { left: new Set(['a', 'status']), right: new Set(['b.c']) };
  expect(undeclaredReferences(definition, declared)).toEqual([
    expect.objectContaining({
      path: '/params/matchers/1/expr',
      code: 'undeclared_field',
      token: 'nope',
      message: expect.stringContaining('left.nope') as string,
    }),
    expect.objectContaining({
      path: '/params/matchers/1/expr',
      code: 'undeclared_field',
      token: 'nope',
      message: expect.stringContaining('right.nope') as string,
    }),
  ]);
});

test('a rule set that cannot be compiled says why', () => {
  expect(() => compileRuleSet(single(null))).toThrow(
    expect.objectContaining({ code: 'jsonata_expr_required' }) as Error,
  );
  expect(() => compileRuleSet(batch({ filters: ['('] }))).toThrow(expect.objectContaining({ code: 'S0203' }) as Error);
});

test("records are read at their side's keys, and an amount that leaves no room for cents is out of range", () => {
  const rules = compileRuleSet(single('true', { blocking: { amountKeyLeft: 'net', dateKey: 'meta.due' } }));
  expect(rules.readKeys('left', { net: '1.50', meta: { due: '1970-01-02' } })).toEqual({
    amount: { ok: true, units: 15, scale: 1 },
    day: { ok: true, day: 1 },
  });
  expect(rules.readKeys('right', { amount: 9e15, 'meta.due': 'x' })).toEqual({
    amount: { ok: false, reason: 'out_of_range' },
    day: { ok: false, reason: 'unreadable' },
  });
});
