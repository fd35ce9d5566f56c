import { openFinancePolicy, type OpenFinanceEnvironment } from './settings';

const policyOf = (env: Partial<OpenFinanceEnvironment>) => openFinancePolicy({ OPENFINANCE_TIMEOUT_MS: 1_000, ...env });

test('without settings the sandbox is the only provider', () => {
  expect(policyOf({})).toEqual({ base: null, allowed: [], credentials: new Map(), timeoutMs: 1_000 });
});

test('a list may hold spaces and empty parts', () => {
  expect(policyOf({ OPENFINANCE_ALLOWED_BASE_URLS: 'https://a.example/v1, ,http://10.0.0.1:81,' }).allowed).toEqual([
    { origin: 'https://a.example', prefix: '/v1' },
    { origin: 'http://10.0.0.1:81', prefix: '' },
  ]);
});

test('a credential belongs to its origin and may hold equal signs', () => {
  expect(
    policyOf({ OPENFINANCE_CREDENTIALS: 'https://a.example=one==,https://b.example:444=two' }).credentials,
  ).toEqual(
    new Map([
      ['https://a.example', 'one=='],
      ['https://b.example:444', 'two'],
    ]),
  );
});

test.each([
  ['OPENFINANCE_BASE_URL', 'https://user@a.example'],
  ['OPENFINANCE_BASE_URL', 'a.example'],
  ['OPENFINANCE_ALLOWED_BASE_URLS', 'https://a.example,https://b.example/..'],
  ['OPENFINANCE_CREDENTIALS', 'https://a.example'],
  ['OPENFINANCE_CREDENTIALS', 'https://a.example/v1=secret'],
  ['OPENFINANCE_CREDENTIALS', 'https://a.example='],
  ['OPENFINANCE_CREDENTIALS', 'https://a.example=sec ret'],
])('%s=%s is refused with the name of the setting', (setting, value) => {
  expect(() => policyOf({ [setting]: value })).toThrow(setting);
});

test('a refusal does not show a credential', () => {
  expect(() => policyOf({ OPENFINANCE_CREDENTIALS: 'a.example=hidden' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hidden') as string }) as Error,
  );
});
