import fc from 'fast-check';
import { censorOf } from './censor';
import { snippetOf } from './answer-body';

const asIs = (text: string): string => text;

test('no body gives nothing', () => {
  expect(snippetOf(Buffer.alloc(0), asIs)).toBeNull();
});

test('text comes as it is', () => {
  expect(snippetOf(Buffer.from('{"ok": "é"}'), asIs)).toBe('{"ok": "é"}');
});

test.each([
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ['text with a character that the database does not take', Buffer.from('a\0b')],
])('%s come as a data url', (_title, body) => {
  expect(snippetOf(body, asIs)).toBe(`data:;base64,${body.toString('base64')}`);
});

test('a snippet never has more than 4096 bytes, and never half a character at its end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 16_384 }),
      (unit, length) => {
        const body = Buffer.from(unit.repeat(Math.ceil(length / unit.length))).subarray(0, length);
        const snippet = snippetOf(body, asIs) ?? '';
        expect(Buffer.byteLength(snippet)).toBeLessThanOrEqual(4_096);
        expect(snippet.startsWith('data:;base64,') || body.toString().startsWith(snippet)).toBe(true);
      },
    ),
  );
});

test.each([
  ['as it is', (secret: string) => `you sent ${secret}!`],
  ['as JSON', (secret: string) => `you sent ${JSON.stringify(secret).slice(1, -1)}!`],
  ['often', (secret: string) => `you sent ${secret}!`.repeat(500)],
])('a credential that the receiver sends back %s is censored', (_title, echo) => {
  const secret = 'Bearer "quoted\\" secret';
  expect(snippetOf(Buffer.from(echo(secret)), censorOf({ Authorization: secret }))).toMatch(
    /^(you sent \[redacted\]!)+(y.*)?$/,
  );
});

test('a credential that lies across the end of the snippet is censored', () => {
  expect(
    snippetOf(Buffer.from(`${'x'.repeat(4_090)}a-long-secret`), censorOf({ authorization: 'a-long-secret' })),
  ).toBe(`${'x'.repeat(4_090)}[redac`);
});

test('a credential among bytes that are not text is censored', () => {
  const snippet = snippetOf(Buffer.from('\0a-long-secret'), censorOf({ authorization: 'a-long-secret' }));
  expect(snippet).toBe(`data:;base64,${Buffer.from('\0[redacted]').toString('base64')}`);
});

const long = 'whsec_abc/+=def "ghi\\jkl" <&>~mno';
const unicode = (text: string, upper: boolean): string =>
  text.replace(
    /[^a-z]/g,
    (one) => `\\u00${upper ? one.charCodeAt(0).toString(16).toUpperCase() : one.charCodeAt(0).toString(16)}`,
  );

test.each<[string, string]>([
  ['with slashes escaped', JSON.stringify(long).slice(1, -1).replaceAll('/', '\\/')],
  ['with escapes of JSON in lower case', unicode(long, false)],
  ['with escapes of JSON in upper case', unicode(long, true)],
  ['in a url', encodeURIComponent(long)],
  ['in a url in lower case', encodeURIComponent(long).toLowerCase()],
  ['in a form', new URLSearchParams([['', long]]).toString().slice(1)],
  ['as a url', encodeURI(long)],
])('a credential that the receiver sends back %s is censored', (_title, echo) => {
  expect(snippetOf(Buffer.from(`a ${echo} b ${echo}`), censorOf({ authorization: long }))).toBe(
    'a [redacted] b [redacted]',
  );
});

test.each([0, 1, 2, 3])('a credential that the receiver sends back in base64 after %i bytes is censored', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const snippet = snippetOf(
      Buffer.from(Buffer.from(`${'x'.repeat(before)}${long} and so on`).toString(encoding)),
      censorOf({ authorization: long }),
    );
    expect(snippet).toMatch(/^.{0,4}\[redacted\].{12,17}$/);
  }
});

test('the beginning of a credential, however it is written, is censored where the body was cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(long, unicode(long, true), encodeURIComponent(long), entities(long, 10), entities(long, 16)),
      fc.nat(),
      (echo, at) => {
        const begun = echo.slice(0, 1 + (at % (echo.length - 1)));
        expect(snippetOf(Buffer.from(`it is: ${begun}`), censorOf({ authorization: long }), true)).toMatch(
          /^it is: (\[redacted\])?$/,
        );
      },
    ),
  );
});

const key = 'c2VjcmV0IGtleSB+fn4/Pz8=';
const password = 'p<ss"w&rd/1';
const basic = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
const entities = (text: string, radix: 10 | 16): string =>
  text.replace(/[^a-z]/g, (one) =>
    radix === 10 ? `&#${one.charCodeAt(0)};` : `&#x${one.charCodeAt(0).toString(16).toUpperCase()};`,
  );

test.each<[string, string, string]>([
  ['a token without its scheme', 'Bearer abc.DEF-123', 'abc.DEF-123'],
  ['a token without its scheme, in base64', 'Bearer abc.DEF-123', Buffer.from('abc.DEF-123').toString('base64')],
  ['a part of several', 'first-part second-part', 'second-part'],
  ['a key without its mark', `whsec_${key}`, key],
  ['a key after a scheme without its prefix', `Bearer whsec_${key}`, key],
  ['a key in hex', `whsec_${key}`, Buffer.from(key, 'base64').toString('hex')],
  ['a pair of Basic', basic, `user:${password}`],
  ['a pair of Basic in hex', basic, Buffer.from(`user:${password}`).toString('hex').toUpperCase()],
  ['a password of Basic', basic, password],
  ['a password of Basic as JSON', basic, JSON.stringify(password).slice(1, -1)],
  ['a password of Basic in a url', basic, encodeURIComponent(password)],
  ['a password of Basic in HTML', basic, 'p&lt;ss&quot;w&amp;rd/1'],
  ['the credential in lower case', 'Bearer abc.DEF-123', 'bearer abc.def-123'],
  ['the credential in upper case', 'Bearer abc.DEF-123', 'BEARER ABC.DEF-123'],
  ['the credential in hex', 'Bearer abc.DEF-123', Buffer.from('Bearer abc.DEF-123').toString('hex')],
  ['the credential in decimal entities', long, entities(long, 10)],
  ['the credential in hexadecimal entities', long, entities(long, 16)],
])('%s is censored', (_title, authorization, echo) => {
  expect(snippetOf(Buffer.from(`(${echo})`), censorOf({ authorization }))).toBe('([redacted])');
});

test('parts of less than 8 characters stay', () => {
  expect(snippetOf(Buffer.from('Bearer? short'), censorOf({ authorization: 'Bearer short abcdefgh' }))).toBe(
    'Bearer? short',
  );
});

test('nothing is kept of an answer that holds a credential of less than 8 characters', () => {
  const censor = censorOf({ authorization: 'abc/1' });
  const echoes = [
    'you sent abc/1',
    'you sent abc\\/1',
    `you sent ${Buffer.from('abc/1').toString('base64')}`,
    'you sent abc',
  ];
  expect(echoes.map((echo) => snippetOf(Buffer.from(echo), censor))).toEqual([null, null, null, 'you sent abc']);
});
