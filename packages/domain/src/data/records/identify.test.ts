import type { FieldDefinition } from '../../kernel/ports';
import { identifyBodies, identityOf } from './identify';

const field = (key: string, rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  key,
  type: 'string',
  sourcePath: null,
  transformExpr: null,
  isIdentity: true,
  ...rest,
});

test('one identity field gives its value as text', () => {
  expect(identityOf([field('id'), field('other', { isIdentity: false })], { id: 'A-1', other: 'x' })).toBe('A-1');
  expect(identityOf([field('id', { type: 'number' })], { id: 17 })).toBe('17');
});

test('several identity fields give a JSON array, null for one that is missing', () => {
  expect(identityOf([field('a'), field('b')], { a: 'x', b: 'y' })).toBe('["x","y"]');
  expect(identityOf([field('a'), field('b')], { a: 'x' })).toBe('["x",null]');
});

test('no value in any identity field gives no identity', () => {
  expect(identityOf([field('a'), field('b')], { a: '', b: null })).toBeNull();
  expect(identityOf([], { a: 1 })).toBeNull();
});

test('two notations of a value are one identity', () => {
  const fields = [field('amount', { type: 'amount' }), field('day', { type: 'date' })];
  expect(identityOf(fields, { amount: 100, day: '2026-01-02' })).toBe(
    identityOf(fields, { amount: '100.00', day: '2026-01-02T08:00:00Z' }),
  );
});

test('an identity does not depend on the order of keys', () => {
  const fields = [field('ref', { type: 'object' })];
  expect(identityOf(fields, { ref: { a: 1, b: 2 } })).toBe(identityOf(fields, { ref: { b: 2, a: 1 } }));
});

test('a value that cannot be coerced still identifies the record', () => {
  expect(identityOf([field('n', { type: 'number' })], { n: 'unknown' })).toBe('unknown');
});

test.each([
  ['NUL', '$base64decode("AAAA")'],
  ['half a surrogate pair', '$split("\u{1f600}", "")[0]'],
  ['a value nested too deep', '$reduce([1..90000], function($a, $i){{"a": $a}}, {})'],
])('an expression that gives %s gives no identity', async (_value, transformExpr) => {
  expect(await identifyBodies({ fields: [field('id', { transformExpr })], bodies: [{}] })).toEqual([null]);
});

test('expressions give an identity, and a failing one gives none', async () => {
  const fields = [field('id', { transformExpr: '$uppercase(ref)' })];
  expect(await identifyBodies({ fields, bodies: [{ ref: 'a1' }, { ref: 5 }, {}] })).toEqual(['A1', null, null]);
});
