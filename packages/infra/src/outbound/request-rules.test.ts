import fc from 'fast-check';
import { addressRules } from './addresses';
import { checkHeaders, checkUrl, type UrlRules } from './request-rules';

const rules: UrlRules = { allowedPorts: [443, 8443], isListed: addressRules([]).isListed };

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://EXAMPLE.com:443/Hook?a=b', 'https://example.com/Hook?a=b'],
  ['https://example.com:8443/hook', 'https://example.com:8443/hook'],
  ['https://bücher.example/x y', 'https://xn--bcher-kva.example/x%20y'],
  ['https://local.example.com/', 'https://local.example.com/'],
  ['https://mylocalhost/', 'https://mylocalhost/'],
  ['https://example.com./hook', 'https://example.com/hook'],
  ['https://ex%61mple%2Ecom/', 'https://example.com/'],
  ['https://ｅｘａｍｐｌｅ。com/', 'https://example.com/'],
  ['https://_hooks.my-host.example.com/', 'https://_hooks.my-host.example.com/'],
])('%s is accepted and normalised', (text, url) => {
  expect(checkUrl(text, rules)).toEqual({ ok: true, url });
});

test.each([
  'http://example.com',
  'ftp://example.com',
  'wss://example.com',
  'example.com',
  '//example.com',
  '',
  'https://',
  'https://exa mple.com',
  'https://a%00b.com',
  'https://[fe80::1%25eth0]/',
  'javascript:1',
])('%j is not an https url', (text) => {
  expect(checkUrl(text, rules)).toMatchObject({ ok: false, reason: 'not_https' });
});

test.each([
  ['a user', 'https://user@example.com'],
  ['a password', 'https://:pass@example.com'],
  ['a fragment', 'https://example.com/#part'],
  ['an empty fragment', 'https://example.com/#'],
  ['another port', 'https://example.com:22/'],
  ['port 0', 'https://example.com:0/'],
  ['too much text', `https://example.com/${'a'.repeat(2_048)}`],
  ['localhost', 'https://localhost/'],
  ['localhost with a dot', 'https://localhost./'],
  ['a name below localhost', 'https://a.localhost/'],
  ['a name of the local network', 'https://printer.local/'],
  ['an internal name', 'https://metadata.google.internal/'],
  ['an internal name in capitals', 'https://DB.INTERNAL/'],
  ['an internal name with a dot', 'https://x.internal./'],
  ['an internal name with two dots', 'https://x.internal../'],
  ['an internal name with a dot in percents', 'https://x.internal%2E/'],
  ['an internal name with two dots in percents', 'https://x.internal%2e%2e/'],
  ['an internal name with a letter in percents', 'https://x.intern%61l/'],
  ['an internal name in wide letters', 'https://x。ｉｎｔｅｒｎａｌ/'],
  ['localhost in circled letters', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/'],
  ['localhost with a soft hyphen', 'https://local\u00ADhost/'],
  ['a name that ends with dots', 'https://example.com../'],
  ['a name that begins with a dot', 'https://.example.com/'],
  ['an empty label', 'https://a..example.com/'],
  ['nothing but a dot', 'https://./'],
  ['a label of 64 characters', `https://${'a'.repeat(64)}.example.com/`],
  ['a name of more than 253 characters', `https://${'a.'.repeat(127)}example/`],
  ['a name with a sign', "https://a!b'c.example.com/"],
  ['127.0.0.1', 'https://127.0.0.1/'],
  ['127.0.0.1 with a dot', 'https://127.0.0.1./'],
  ['a public address', 'https://93.184.216.34/'],
  ['one number', 'https://2130706433/'],
  ['hexadecimal', 'https://0x7f.1/'],
  ['octal', 'https://0177.0.0.1/'],
  ['two parts', 'https://127.1/'],
  ['zero', 'https://0/'],
  ['wide digits', 'https://１２７.０.０.１/'],
  ['circled digits', 'https://①②⑦.⓪.⓪.①/'],
  ['ideographic dots', 'https://127。0。0。1/'],
  ['the address of all, v6', 'https://[::]/'],
  ['loopback, v6', 'https://[::1]/'],
  ['mapped', 'https://[::ffff:127.0.0.1]/'],
  ['compatible', 'https://[::127.0.0.1]/'],
  ['translated', 'https://[64:ff9b::7f00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['metadata', 'https://169.254.169.254/latest'],
  ['a public address, v6', 'https://[2606:4700::1111]/'],
])('%s is not allowed', (_title, text) => {
  expect(checkUrl(text, rules)).toMatchObject({ ok: false, reason: 'not_allowed' });
});

test('no spelling of an IPv4 address is allowed', () => {
  const base = fc.constantFrom({ prefix: '', radix: 10 }, { prefix: '0x', radix: 16 }, { prefix: '0', radix: 8 });
  const part = fc.tuple(fc.nat(255), base).map(([value, { prefix, radix }]) => prefix + value.toString(radix));
  const whole = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((value) => [String(value)]);
  fc.assert(
    fc.property(fc.oneof(fc.array(part, { minLength: 1, maxLength: 4 }), whole), (parts) => {
      expect(checkUrl(`https://${parts.join('.')}/`, rules)).toMatchObject({ ok: false, reason: 'not_allowed' });
    }),
  );
});

test.each(['https://10.1.2.3/', 'https://167838211/', 'https://[fd00::5]/'])(
  '%s is allowed where the operator lists its range',
  (text) => {
    expect(checkUrl(text, { ...rules, isListed: addressRules(['10.1.0.0/16', 'fd00::/8']).isListed })).toMatchObject({
      ok: true,
    });
  },
);

test('a refusal reads on from the name of the field and says what would be accepted', () => {
  expect(checkUrl('https://example.com:22/', rules)).toEqual({
    ok: false,
    reason: 'not_allowed',
    message: 'must not use port 22; allowed: 443, 8443',
  });
});

test.each(['a', 'Bearer abc', '!~', 'x'.repeat(1_024)])('a printable value is accepted: %j', (value) => {
  expect(() => checkHeaders({ Authorization: value })).not.toThrow();
});

test.each(['', ' a', 'a ', 'a\r\nX-Evil: 1', 'a\nb', 'a\tb', 'naïve', 'π', 'a\0b', '\x7f'])(
  'a value that a client would alter is refused without showing it: %j',
  (value) => {
    expect(() => checkHeaders({ Authorization: value })).toThrow(
      new TypeError('header Authorization must be printable ASCII without spaces at its ends'),
    );
  },
);

test.each(['', 'a b', 'a:b', 'é', 'Host', 'content-length', 'Transfer-Encoding', 'Connection'])(
  'the header name %j is refused',
  (name) => {
    expect(() => checkHeaders({ [name]: 'x' })).toThrow(TypeError);
  },
);
