import { findInexactInteger, findUnstorable } from './storable-json';

test('numbers that PostgreSQL writes without exponents may have 1,000,000 digits together', () => {
  const ofDigits = (count: number): number[] => Array.from({ length: count / 300 }, () => 1e300);
  expect(findUnstorable({ a: ofDigits(999_900), b: [1, 0, -12.5, 1e20] })).toBeUndefined();
  expect(findUnstorable({ a: ofDigits(999_900), b: [1e-300] })).toMatchObject({
    path: '/b/0',
    code: 'numbers_too_long',
  });
});

test.each([
  ['{"a":12345678901234567890}', '12345678901234567890'],
  ['[9007199254740993]', '9007199254740993'],
  [`[${'7'.repeat(400)}]`, '7'.repeat(400)],
  ['{"a":{"b":[-90071992547409931]}}', '-90071992547409931'],
])('%s holds an integer that parsing would change', (json, digits) => {
  expect(findInexactInteger(json)).toBe(digits);
});

test.each([
  '{"a":9007199254740992}',
  '{"a":"12345678901234567890"}',
  '{"12345678901234567891":"a \\" 12345678901234567891"}',
  '{"a":0.30000000000000004,"b":3.14159265358979323846,"c":1234567890123456e3}',
  '{"a":100000000000000000000}',
  '{"a":-35999907800576910}',
  '[]',
])('%s holds none', (json) => {
  expect(findInexactInteger(json)).toBeUndefined();
});
