import type { FieldDefinition, JsonObject } from './field';
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
  expect(await normalise(fields, data)).toEqual({ status: 'ready', fields: { total: 12.5, city: 'Recife', note: 'x' } });
});

test('a source path that is a whole key of the data is that key', async () => {
  expect(await normalise([field('v', { sourcePath: 'a.b' })], { 'a.b': 'key', a: { b: 'walk' } })).toEqual({
    status: 'ready',
    fields: { v: 'key' },
  });
});

test('missing, null and empty values leave the field out', async () => {
  const fields = [field('a'), field('b', { type: 'amount' }), field('c', { type: 'date' }), field('d', { transformExpr: 'nothing' })];
  expect(await normalise(fields, { b: null, c: '' })).toEqual({ status: 'ready', fields: {} });
});

test('a value that cannot be coerced fails the record and is named with its field', async () => {
  expect(await normalise([field('due', { type: 'date' })], { due: '2025-02-30' })).toEqual({
    status: 'failed',
    error: { field: 'due', value: '2025-02-30', code: 'invalid_date', message: expect.stringContaining('YYYY-MM-DD') as string },
  });
});

test('an expression that throws fails the record with the code of the expression', async () => {
  expect(await normalise([field('sum', { type: 'number', transformExpr: '"a" + 1' })], {})).toMatchObject({
    status: 'failed',
    error: { field: 'sum', value: null, code: 'transform_failed', message: expect.stringContaining('T2001') as string },
  });
});

test('an expression that never ends fails its record and not the others', async () => {
  const endless = field('x', { transformExpr: '(slow ? ($f := function($n) { $f($n + 1) }; $f(0)) : "fine")' });
  const results = await normaliseInPlace([endless], [{ slow: true }, { slow: false }]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { field: 'x', code: 'transform_timeout' } });
  expect(results[1]).toEqual({ status: 'ready', fields: { x: 'fine' } });
});

test('the value that an error shows is cut and can be stored', async () => {
  const result = await normalise([field('n', { type: 'number' })], { n: `\0${'x'.repeat(5000)}` });
  if (result?.status !== 'failed') throw new Error('the record should have failed');
  const shown = String(result.error.value);
  expect(shown.length).toBeLessThan(1100);
  expect(shown).not.toContain('\0');
});
