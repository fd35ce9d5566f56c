import { generateKey, hashSecret, parseKey } from './key-format';

test('a new key parses into its parts', () => {
  const key = generateKey();
  const parts = parseKey(key.text);
  expect(parts?.keyId).toBe(key.keyId);
  expect(hashSecret(parts?.secret ?? '')).toEqual(key.secretHash);
  expect(key.text.endsWith(key.last4)).toBe(true);
});

test('keys differ in id and in secret', () => {
  const keys = Array.from({ length: 200 }, generateKey);
  expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(200);
  expect(new Set(keys.map(({ secretHash }) => secretHash.toString('hex'))).size).toBe(200);
});

test('a change of any one character is found without the database', () => {
  const { text } = generateKey();
  for (let i = 0; i < text.length; i++) {
    const other = text[i] === 'x' ? 'y' : 'x';
    expect(parseKey(text.slice(0, i) + other + text.slice(i + 1))).toBeUndefined();
  }
});

test.each(['', 'rk_', 'rk__', 'x'.repeat(70), `rk_${'é'.repeat(66)}`])('%j is not a key', (text) => {
  expect(parseKey(text)).toBeUndefined();
});
