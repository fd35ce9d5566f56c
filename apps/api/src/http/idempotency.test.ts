import { fingerprint } from './idempotency';

const base = fingerprint('POST', '/v1/records', 'dataset=a&x=1', { a: 1, b: [2] });

test('the order of query parameters and of keys does not matter', () => {
  expect(fingerprint('POST', '/v1/records', 'x=1&dataset=a', { b: [2], a: 1 })).toBe(base);
});

test.each([
  ['method', fingerprint('PATCH', '/v1/records', 'dataset=a&x=1', { a: 1, b: [2] })],
  ['path', fingerprint('POST', '/v1/other', 'dataset=a&x=1', { a: 1, b: [2] })],
  ['query', fingerprint('POST', '/v1/records', 'dataset=b&x=1', { a: 1, b: [2] })],
  ['body', fingerprint('POST', '/v1/records', 'dataset=a&x=1', { a: 1, b: [3] })],
  ['type of a value', fingerprint('POST', '/v1/records', 'dataset=a&x=1', { a: '1', b: [2] })],
])('another %s makes another request', (_, other) => {
  expect(other).not.toBe(base);
});

test('bytes are compared as bytes', () => {
  const of = (text: string) => fingerprint('POST', '/v1/records/bulk', '', Buffer.from(text));
  expect(of('{"a":1}')).toBe(of('{"a":1}'));
  expect(of('{"a":1}')).not.toBe(of('{"a": 1}'));
});
