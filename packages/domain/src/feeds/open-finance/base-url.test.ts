import { isWithin, readBaseUrl, type BaseUrl } from './base-url';

const read = (text: string): BaseUrl => {
  const base = readBaseUrl(text);
  if (base === null) throw new Error(`${text} is not a base url`);
  return base;
};

describe('a base url', () => {
  test.each([
    ['https://api.bank.example', 'https://api.bank.example', ''],
    ['https://api.bank.example/', 'https://api.bank.example', ''],
    ['https://api.bank.example/api/v2/', 'https://api.bank.example', '/api/v2'],
    ['HTTPS://API.bank.example/api', 'https://api.bank.example', '/api'],
    ['https://api.bank.example:443/api', 'https://api.bank.example', '/api'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://[::1]:8080/x', 'http://[::1]:8080', '/x'],
  ])('%s', (text, origin, prefix) => {
    expect(readBaseUrl(text)).toEqual({ origin, prefix });
  });

  test.each([
    '',
    'api.bank.example',
    '//api.bank.example',
    'ftp://api.bank.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:api.bank.example',
    'https:/api.bank.example',
    'https://user@api.bank.example',
    'https://user:pass@api.bank.example',
    'https://api.bank.example@evil.example',
    'https://api.bank.example\\@evil.example',
    'https://api.bank.example/?x=1',
    'https://api.bank.example?',
    'https://api.bank.example/#x',
    'https://api.bank.example#',
    'https://api.bank.example/api/../evil',
    'https://api.bank.example/api/./x',
    'https://api.bank.example/..',
    'https://api.bank.example/api/..',
    'https://api.bank.example/%2e%2e/evil',
    'https://api.bank.example/api%2fevil',
    'https://api.bank.example/api%2F..%2Fevil',
    'https://api.bank.example/api\\evil',
    'https://api.bank.example//api',
    'https://api.bank.example/api//x',
    'https://api.bank.example/a b',
    'https://api.bank.example/a;b',
    'https://api.bank.example/a@b',
    'https://api.bank.example/a:b',
    ' https://api.bank.example',
    'https://api.bank.example ',
    'https://api.bank\t.example',
    'https://api.bank\n.example',
    'https://api.bank.example/\0',
    'https://аpi.bank.example',
    'https://api。bank.example',
    'https://api.bank.example/ä',
    'https://api%2ebank.example',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://127.1',
    'http://[::ffff:127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://127.0.0.1:08080',
    'https://api.bank.example:',
    'https://api.bank.example:99999',
    `https://api.bank.example/${'a'.repeat(2_100)}`,
  ])('is not %j', (text) => {
    expect(readBaseUrl(text)).toBeNull();
  });
});

describe('what lies at or below https://api.bank.example/api', () => {
  const listed = read('https://api.bank.example/api');

  test.each(['https://api.bank.example/api', 'https://api.bank.example/api/', 'https://api.bank.example/api/v2'])(
    '%s does',
    (text) => {
      expect(isWithin(read(text), listed)).toBe(true);
    },
  );

  test.each([
    'https://api.bank.example',
    'https://api.bank.example/',
    'https://api.bank.example/ap',
    'https://api.bank.example/api-evil',
    'https://api.bank.example/apis',
    'https://api.bank.example/API',
    'https://api.bank.example/x/api',
    'https://api.bank.example:8443/api',
    'http://api.bank.example/api',
    'https://api.bank.example./api',
    'https://api.bank.example.evil.example/api',
    'https://evil.example/api',
    'https://xapi.bank.example/api',
    'https://bank.example/api',
  ])('%s does not', (text) => {
    expect(isWithin(read(text), listed)).toBe(false);
  });
});
