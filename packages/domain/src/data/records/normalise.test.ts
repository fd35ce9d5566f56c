import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import { normaliseInPlace, type NormalisedRecord } from './normalise';

const field = (key: string, rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  key,
  type: 'string',
  sourcePath: null,
  transformExpr: null,
  isIdentity: false,
  ...rest,
});

async function normalise(fields: FieldDefinition[], data: JsonObject): Promise<NormalisedRecord | undefined> {
  return (await normaliseInPlace(fields, [data]))[0];
}

test('a field takes the value of its expression, else of its source path, else of its key', async () => {
  const fields = [
    field('total', { type: 'amount', sourcePath: 'ignored', transformExpr: 'net + tax' }),
    field('city', { sourcePath: 'customer.address.city' }),
    field('note'),
  ];
  const data = { net: 10, tax: 2.5, ignored: 1, customer: { address: { city: 'Recife' } }, note: 'x' };
  expect(await normalise(fields, data)).toEqual({
    status: 'ready',
    fields: { total: 12.5, city: 'Recife', note: 'x' },
  });
});

test('a source path that is a whole key of the data is that key', async () => {
  expect(await normalise([field('v', { sourcePath: 'a.b' })], { 'a.b': 'key', a: { b: 'walk' } })).toEqual({
    status: 'ready',
    fields: { v: 'key' },
  });
});

test('missing, null and empty values leave the field out', async () => {
  const fields = [
    field('toString', { transformExpr: 'nothing' }),
    field('a'),
    field('b', { type: 'amount' }),
    field('c', { type: 'date' }),
    field('d', { transformExpr: 'nothing' }),
  ];
  expect(await normalise(fields, { b: null, c: '' })).toEqual({ status: 'ready', fields: {} });
});

test('a value that cannot be coerced fails the record and is named with its field', async () => {
  expect(await normalise([field('due', { type: 'date' })], { due: '2025-02-30' })).toEqual({
    status: 'failed',
    error: {
      field: 'due',
      value: '2025-02-30',
      code: 'invalid_date',
      message: expect.stringContaining('YYYY-MM-DD') as string,
    },
  });
});

test('an expression that throws fails the record with its code', async () => {
  expect(await normalise([field('sum', { type: 'number', transformExpr: '"a" + 1' })], {})).toMatchObject({
    status: 'failed',
    error: { field: 'sum', value: null, code: 'transform_failed', message: expect.stringContaining('T2001') as string },
  });
});

test('a record fails at the field that exceeds the max size, and later fields are not computed', async () => {
  const fields = [field('name'), field('padded', { transformExpr: '$pad("", size, "x")' })];
  const results = await normaliseInPlace(fields, [
    { name: 'a', size: 2_200_000 },
    { name: 'b', size: 2_000_000 },
  ]);
  expect(results[0]).toMatchObject({
    status: 'failed',
    error: {
      field: 'padded',
      value: null,
      code: 'fields_too_large',
      message: expect.stringContaining('2097152 characters') as string,
    },
  });
  expect(results[1]).toMatchObject({ status: 'ready', fields: { name: 'b' } });
  const copies = Array.from({ length: 2_000 }, (_, i) => field(`f${i}`, { sourcePath: 'name' }));
  expect(await normalise(copies, { name: 'x'.repeat(900_000) })).toMatchObject({
    status: 'failed',
    error: { field: 'f2', code: 'fields_too_large' },
  });
});

test('an expression that never ends fails its record and not the others', async () => {
  const endless = field('x', { transformExpr: '(slow ? ($f := function($n) { $f($n + 1) }; $f(0)) : "fine")' });
  const results = await normaliseInPlace([endless], [{ slow: true }, { slow: false }]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { field: 'x', code: 'transform_timeout' } });
  expect(results[1]).toEqual({ status: 'ready', fields: { x: 'fine' } });
});

test('the value of an error is cut and can be stored', async () => {
  const result = await normalise([field('n', { type: 'number' })], { n: `\0${'x'.repeat(5000)}` });
  if (result?.status !== 'failed') throw new Error('the record should have failed');
  const shown = String(result.error.value);
  expect(shown.length).toBeLessThan(1100);
  expect(shown).not.toContain('\0');
});

describe('expressions of fields run within the limits of matchers', () => {
  test.each([
    ['endless recursion', '($f := function($n){ 1 + $f($n) }; $f(1))', 'D1011'],
    ['a long range', '$sum([1..10000000])', 'D2015'],
    ['a text that doubles', '$reduce([1..28], function($a, $i){$a & $a}, "aaaa")', 'string_too_long'],
    ['a wide padding', '$pad("x", 500000000)', 'string_too_long'],
  ])('%s fails its record with the reason, and no other', async (_fault, transformExpr, code) => {
    const fields = [field('v', { transformExpr: `run ? ${transformExpr} : "fine"` })];
    const results = await normaliseInPlace(fields, [{ run: true }, { run: false }]);
    expect(results).toEqual([
      {
        status: 'failed',
        error: { field: 'v', value: null, code: 'transform_failed', message: expect.stringContaining(code) as string },
      },
      { status: 'ready', fields: { v: 'fine' } },
    ]);
  });

  test('a pattern with catastrophic backtracking returns', async () => {
    const fields = [field('v', { type: 'boolean', transformExpr: '$contains(text, /^(a+)+$/)' })];
    expect(await normalise(fields, { text: `${'a'.repeat(40)}!` })).toEqual({ status: 'ready', fields: { v: false } });
  });

  test('the functions of matchers are available', async () => {
    const fields = [field('v', { transformExpr: '$normalize(name)' }), field('n', { transformExpr: '$digits(ref)' })];
    expect(await normalise(fields, { name: '  ÁCME  Ltda. ', ref: 'R-12/3' })).toMatchObject({
      status: 'ready',
      fields: { n: '123' },
    });
  });
});
