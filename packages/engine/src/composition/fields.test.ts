import { compileRuleSet } from '../rule-set/compile';
import { ruleSetReferences, undeclaredReferences } from '../rule-set/references';
import type { CompositionParams, RuleSetDefinition } from '../definition/types';

function ruleSet(composition: CompositionParams): RuleSetDefinition {
  return {
    engine: 'jsonata',
    jsonataExpr: 'left.memo = right.memo',
    version: 1,
    params: { Tmatch: 0.9, Tpossible: 0.5, composition },
  };
}

const everything: CompositionParams = {
  enabled: true,
  amountField: 'net.total',
  dateFieldLeft: 'due',
  dateFieldRight: 'booked',
  groupByField: 'bill',
  installmentDiscovery: { totalCountField: 'plan', unitValueField: 'unit' },
};

test('a job reads the fields of composition, the groups on the side of the members alone', () => {
  const expected = {
    left: { all: false, keys: ['amount', 'date', 'due', 'memo', 'net', 'net.total', 'plan', 'unit'] },
    right: { all: false, keys: ['amount', 'bill', 'booked', 'date', 'memo', 'net', 'net.total', 'plan', 'unit'] },
  };
  expect(compileRuleSet(ruleSet(everything)).references).toEqual(expected);
});

test.each([
  ['right_to_many_left', true, false],
  ['both', true, true],
])('with direction %s groups are read on the left: %s, on the right: %s', (direction, left, right) => {
  const { references } = compileRuleSet(ruleSet({ ...everything, direction }));
  expect([references.left.keys.includes('bill'), references.right.keys.includes('bill')]).toEqual([left, right]);
});

test('a rule set that does not compose reads nothing for it', () => {
  const compiled = compileRuleSet(ruleSet({ ...everything, enabled: false }));
  expect(compiled.composition).toBeNull();
  expect(compiled.references.left.keys).toEqual(['amount', 'date', 'memo']);
  expect(ruleSetReferences(ruleSet({ ...everything, enabled: false })).left.keys).toEqual(['memo']);
});

test('the references of a rule set name the fields of composition', () => {
  expect(ruleSetReferences(ruleSet(everything)).right.keys).toEqual([
    'bill',
    'booked',
    'memo',
    'net',
    'net.total',
    'plan',
    'unit',
  ]);
});

test('every undeclared field is reported at the key that names it', () => {
  const declared = { left: new Set(['memo']), right: new Set(['memo']) };
  const issues = undeclaredReferences(ruleSet(everything), declared);
  expect(issues.map(({ path, code, token }) => `${path} ${code} ${token}`)).toEqual([
    '/params/composition/amountField undeclared_field net.total',
    '/params/composition/amountField undeclared_field net.total',
    '/params/composition/dateFieldLeft undeclared_field due',
    '/params/composition/dateFieldRight undeclared_field booked',
    '/params/composition/groupByField undeclared_field bill',
    '/params/composition/installmentDiscovery/totalCountField undeclared_field plan',
    '/params/composition/installmentDiscovery/totalCountField undeclared_field plan',
    '/params/composition/installmentDiscovery/unitValueField undeclared_field unit',
    '/params/composition/installmentDiscovery/unitValueField undeclared_field unit',
  ]);
});

test('a dotted path is declared with its first key, and a plan on either side suffices', () => {
  const declared = {
    left: new Set(['memo', 'net', 'due', 'plan']),
    right: new Set(['memo', 'net.total', 'booked', 'bill', 'unit']),
  };
  expect(undeclaredReferences(ruleSet(everything), declared)).toEqual([]);
});

test('composition that is off names no fields', () => {
  const declared = { left: new Set(['memo']), right: new Set(['memo']) };
  expect(undeclaredReferences(ruleSet({ ...everything, enabled: false }), declared)).toEqual([]);
});
