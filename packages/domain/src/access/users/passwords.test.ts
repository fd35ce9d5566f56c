import { defaultSettings } from '../../kernel/scope';
import { checkPassword, faultOfPassword, hashPassword } from './passwords';

const { passwordCost } = defaultSettings;
const cheapCost = 16;
const email = 'ana.souza@example.com';

test.each([
  'four words that rhyme',
  'correct horse battery',
  'Ünïcødé-wörds',
  'パスワードは長い言葉です',
  'kT9#vQ2!mX7$',
  `${'long '.repeat(10)}x`,
  'ana.souza likes green tea',
])('%j is good', (password) => {
  expect(faultOfPassword(password, email)).toBeUndefined();
});

test.each([
  ['eleven chrs', 'at least 12'],
  ['x1'.repeat(129), 'at most 256'],
  ['ababababababab', '5 different'],
  ['ana.souza@example.com', 'email'],
  ['ana.souza123', 'email'],
  ['Password123456', 'guessed'],
  ['Passw0rd!2026', 'guessed'],
  ['p@ssword.p@ssword', 'guessed'],
  ['qwerty123456', 'guessed'],
  ['1357924680135', 'guessed'],
  ['abcdefghijklm', 'guessed'],
  ['mnbvcxzlkjhgfd', 'guessed'],
  ['!!??--++##$$%%', 'guessed'],
])('%j is refused, as it %s', (password, fault) => {
  expect(faultOfPassword(password, email)).toContain(fault);
});

test('a password is recognised in every form of its characters, and no other one is', async () => {
  const stored = await hashPassword('wörter die reimen', passwordCost);
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w+/=]+\$[\w+/=]+$/);
  expect(await checkPassword('wo\u0308rter die reimen', [stored], passwordCost)).toEqual([true]);
  expect(await checkPassword('worter die reimen', [stored], passwordCost)).toEqual([false]);
});

test('passwords of one email share their salt, so that one hash tells of all of them', async () => {
  const first = await hashPassword('one', cheapCost);
  const second = await hashPassword('two', cheapCost, first);
  expect(second.split('$').slice(0, 5)).toEqual(first.split('$').slice(0, 5));
  expect(await checkPassword('two', [first, second], cheapCost)).toEqual([false, true]);
});

test('a password that was hashed at another cost is recognised', async () => {
  const cheap = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA==$';
  const [, , , , salt] = cheap.split('$');
  const { scryptSync } = await import('node:crypto');
  const hash = scryptSync('old', Buffer.from(salt as string, 'base64'), 32, { N: 1024, r: 8, p: 1 });
  expect(await checkPassword('old', [`${cheap}${hash.toString('base64')}`], passwordCost)).toEqual([true]);
});
