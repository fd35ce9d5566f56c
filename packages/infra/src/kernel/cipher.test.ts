import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createCipher, createKnownKeys, type CipherContext } from './cipher';
import { ConfigError } from '../kernel/errors';
import type { Logger } from './logger';

const newKey = (): string => randomBytes(32).toString('base64');
const key = newKey();
const context: CipherContext = { tenantId: 'a', purpose: 'webhook secret', rowId: '1' };

test('any text is decrypted unchanged', () => {
  const cipher = createCipher(key);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => cipher.decrypt(cipher.encrypt(text, context), context) === text,
    ),
  );
});

test('an envelope shows nothing of the text and differs every time', () => {
  const cipher = createCipher(key);
  const envelope = cipher.encrypt('a secret text', context);
  expect(Buffer.from(envelope.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret');
  expect(cipher.encrypt('a secret text', context)).not.toBe(envelope);
});

test.each([
  ['another tenant', { ...context, tenantId: 'b' }],
  ['another purpose', { ...context, purpose: 'item parameters' }],
  ['another row', { ...context, rowId: '2' }],
  ['parts that are divided otherwise', { tenantId: 'a"', purpose: 'webhook secret', rowId: '1' }],
])('an envelope does not open for %s', (_title, other) => {
  const cipher = createCipher(key);
  const envelope = cipher.encrypt('text', context);
  expect(() => cipher.decrypt(envelope, other)).toThrow();
});

test('an envelope that was changed anywhere is not decrypted', () => {
  const cipher = createCipher(key);
  const [version, id, sealed] = cipher.encrypt('text', context).split('.') as [string, string, string];
  const bytes = Buffer.from(sealed, 'base64url');
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] as number) ^ change;
      expect(() => cipher.decrypt(`${version}.${id}.${changed.toString('base64url')}`, context)).toThrow();
    }),
  );
});

test.each(['', 'text', 'v2.00000000.AAAA', 'v1.00000000', 'v1..', 'v1.00000000.'])(
  '%j is not an envelope',
  (envelope) => {
    expect(() => createCipher(key).decrypt(envelope, context)).toThrow('webhook secret');
  },
);

test('a new first key encrypts; the old one after it still decrypts', () => {
  const old = createCipher(key).encrypt('text', context);
  const rotated = createCipher(`${newKey()}, ${key}`);
  expect(rotated.decrypt(old, context)).toBe('text');
  expect(() => createCipher(key).decrypt(rotated.encrypt('text', context), context)).toThrow('not in SECRETS_KEY');
});

test('the same key in base64, base64url and hex is the same key', () => {
  const bytes = randomBytes(32);
  const envelope = createCipher(bytes.toString('base64')).encrypt('text', context);
  const spellings = [bytes.toString('hex'), bytes.toString('base64url')];
  expect(spellings.map((spelling) => createCipher(spelling).decrypt(envelope, context))).toEqual(['text', 'text']);
});

test.each([
  '',
  'short',
  randomBytes(31).toString('base64'),
  randomBytes(33).toString('base64'),
  'g'.repeat(64),
  `${newKey()},`,
])('%j is refused as SECRETS_KEY', (keys) => {
  expect(() => createCipher(keys)).toThrow(ConfigError);
  expect(() => createCipher(keys)).toThrow('SECRETS_KEY');
});

test('a missing key is logged once a minute, a known key never', () => {
  const logged: string[] = [];
  let nowMs = 0;
  const cipher = createCipher(key);
  const [known] = cipher.keyIds as [string];
  const logger = { error: (_fields: object, message: string) => void logged.push(message) } as unknown as Logger;
  const keys = createKnownKeys(cipher, 'webhooks.secret', logger, () => nowMs);
  const report = (atMs: number, ...ids: string[]): number => {
    nowMs = atMs;
    keys.reportMissing(ids);
    return logged.splice(0).length;
  };
  expect([
    report(0, 'lost', known, 'lost'),
    report(59_999, 'lost'),
    report(59_999, 'lost', 'other'),
    report(60_000, 'lost', 'other'),
  ]).toEqual([1, 0, 1, 1]);
});
