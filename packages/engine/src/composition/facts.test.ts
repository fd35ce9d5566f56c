import { noDay } from '../values/calendar';
import type { CompositionParams } from '../definition/types';
import { readPlan } from './facts';
import { compile } from '../../fuzz/composition/compose';
import { planTooLong } from './limits';

const tooLong = { totalCount: planTooLong, position: null };
const none = { totalCount: null, position: null };

test.each<[unknown, { totalCount: number | null; position: number | null }]>([
  [12, { totalCount: 12, position: null }],
  ['12', { totalCount: 12, position: null }],
  ['3/12', { totalCount: 12, position: 3 }],
  ['03 DE 12', { totalCount: 12, position: 3 }],
  ['Parcela 3 de 12', { totalCount: 12, position: 3 }],
  ['PARCELA 12/12', { totalCount: 12, position: 12 }],
  ['plan 2-60', { totalCount: 60, position: 2 }],
  ['PARC 3/12 LOJA 24H', { totalCount: 12, position: 3 }],
  ['Parcela 3 de 12 R$ 100,00', { totalCount: 12, position: 3 }],
  ['order 7781, 3 of 12', { totalCount: 12, position: 3 }],
  ['2025-03-10 Parcela 3 / 12', { totalCount: 12, position: 3 }],
  ['10/03/2025 PARC 03/12', { totalCount: 12, position: 3 }],
  ['13/12', none],
  ['0/12', none],
  ['1/1', none],
  ['1/61', { totalCount: 61, position: 1 }],
  ['72/72', { totalCount: 72, position: 72 }],
  ['480/480', { totalCount: 480, position: 480 }],
  ['1/481', tooLong],
  ['Parcela 3 de 600', tooLong],
  ['1200/1200', tooLong],
  ['500/481', none],
  ['ref. 03/2025', none],
  ['doc 7/1201', none],
  ['1/600 parcela 2/12', { totalCount: 12, position: 2 }],
  ['LOJA 24 RUA 150', none],
  ['1.5/3', { totalCount: 3, position: null }],
  ['3,12', none],
  ['3.12', none],
  ['12 x 100,00', { totalCount: 12, position: null }],
  ['3/99999999999999999999', none],
  [2.5, none],
  [1, none],
  [72, { totalCount: 72, position: null }],
  [481, tooLong],
  [5_000, tooLong],
  ['481', tooLong],
  [' 600 ', tooLong],
  ['order 600', none],
  [NaN, none],
  [-3, none],
  ['', none],
  ['of', none],
  [null, none],
  [undefined, none],
  [true, none],
  [['3/12'], none],
])('%j as a plan is %j', (value, plan) => {
  expect(readPlan(value)).toEqual(plan);
});

function facts(
  composition: CompositionParams,
  record: Record<string, unknown>,
): ReturnType<ReturnType<typeof compile>['read']> {
  return compile({ composition }).read('right', record);
}

test('a record is read at the paths of its side', () => {
  const composition = {
    amountField: 'net.total',
    dateFieldLeft: 'due',
    dateFieldRight: 'booked.on',
    groupByField: 'bill.no',
    installmentDiscovery: { enabled: true, totalCountField: 'plan', unitValueField: 'unit' },
  };
  expect(
    facts(composition, {
      net: { total: '10.50' },
      due: '2020-01-01',
      booked: { on: '1970-01-03' },
      'bill.no': 7,
      plan: '2/3',
      unit: 3.5,
    }),
  ).toEqual({
    amount: { ok: true, units: 105, scale: 1 },
    day: 2,
    group: '7',
    matchKey: null,
    related: null,
    content: expect.any(Number) as number,
    totalCount: 3,
    position: 2,
    unitValue: { ok: true, units: 35, scale: 1 },
  });
});

test('what a record lacks or does not make sense is missing', () => {
  const composition = {
    groupByField: 'bill',
    installmentDiscovery: { enabled: true, totalCountField: 'plan', unitValueField: 'unit' },
  };
  const missing = { ok: false, reason: 'missing' };
  expect(facts(composition, {})).toEqual({
    amount: missing,
    day: noDay,
    group: null,
    matchKey: null,
    related: null,
    content: expect.any(Number) as number,
    ...none,
    unitValue: missing,
  });
  expect(facts(composition, { amount: 'x', date: 'x', bill: {}, plan: {}, unit: 'x' })).toEqual({
    amount: { ok: false, reason: 'unreadable' },
    day: noDay,
    group: null,
    matchKey: null,
    related: null,
    content: expect.any(Number) as number,
    ...none,
    unitValue: { ok: false, reason: 'unreadable' },
  });
});

test.each<[unknown, string | null]>([
  ['A', 'A'],
  [' A', ' A'],
  [7, '7'],
  [false, 'false'],
  [' ', null],
  ['', null],
  [null, null],
  [['A'], null],
])('a value of %j groups as %j', (bill, group) => {
  expect(facts({ groupByField: 'bill' }, { bill }).group).toBe(group);
});

test('fields that the rule set does not name, or has no use for, are not read', () => {
  expect(facts({ installmentDiscovery: { totalCountField: 'plan' } }, { plan: '1/600' })).toMatchObject(none);
  expect(facts({}, { amount: 1, group: 'A', plan: '1/2', unit: 5 })).toMatchObject({
    group: null,
    matchKey: null,
    related: null,
    content: expect.any(Number) as number,
    ...none,
    unitValue: { ok: false },
  });
});
