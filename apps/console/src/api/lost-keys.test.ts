import { LostKeys } from './lost-keys';

const request = 'ana POST /v1/webhooks {}';

test.each([
  ['no answer', 0],
  ['an answer of a gateway', 502],
  ['a failure of the service', 500],
  ['a key in use', 409],
  ['a throttled request', 429],
])('an equal request takes the same key after %s', (_, status) => {
  const keys = new LostKeys();
  expect(keys.of(request, 'first')).toBe('first');
  keys.answered(request, status);
  expect(keys.of(request, 'second')).toBe('first');
});

test.each([201, 400, 403])('an equal request is a new one after an answer of %i', (status) => {
  const keys = new LostKeys();
  keys.of(request, 'first');
  keys.answered(request, status);
  expect(keys.of(request, 'second')).toBe('second');
});

test('another request takes its own key, and old requests are forgotten', () => {
  const keys = new LostKeys();
  keys.of(request, 'first');
  for (let i = 0; i < 50; i++) expect(keys.of(`${request} ${i}`, `key ${i}`)).toBe(`key ${i}`);
  expect(keys.of(request, 'second')).toBe('second');
});
