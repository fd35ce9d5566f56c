import {
  Browser,
  openUser,
  signedIn,
  startIdentityProvider,
  startTestApi,
  type TestApi,
  type TestIdentityProvider,
  type TestTenant,
} from '../../../testing';

let provider: TestIdentityProvider;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  provider = await startIdentityProvider();
  api = await startTestApi({ identityProvider: provider.provider });
  await provider.lead(`${api.url}/app/oidc/callback`);
  tenant = await api.newTenant();
});

afterAll(async () => {
  await api.close();
  provider.close();
});

const isConsole = (url: string): boolean => url.startsWith(`${api.url}/app/`) && !url.includes('/oidc/');
const isCallback = (url: string): boolean => url.startsWith(`${api.url}/app/oidc/callback`);

/** Goes to the provider, signs in there and consents, and stops before it leads on to where `stop` says. */
async function goThrough(browser: Browser, email: string, { to = '/app/', stop = isConsole } = {}): Promise<string> {
  const login = await browser.open(`${api.url}/app/oidc/begin?to=${encodeURIComponent(to)}`);
  const consent = await browser.open(login.url, { form: { prompt: 'login', login: email, password: 'any' }, stop });
  return stop(consent.url) ? consent.url : (await browser.open(consent.url, { form: { prompt: 'consent' }, stop })).url;
}

const enter = (browser: Browser, body: object = {}) =>
  api.request.post('/v1/sessions/provider').set('cookie', browser.cookies(api.url)).send(body);

const invite = async (email: string, own = tenant) =>
  (await own.api.post('/v1/users', { email, name: 'Invited', role: 'preparer' }).expect(201)).body as {
    id: string;
    invitation: { token: string };
  };

test('the sign-in page is told of the provider', async () => {
  const { body } = await api.request.get('/v1/sessions/methods').expect(200);
  expect(body).toMatchObject({ provider: { name: 'Test ID', begin: '/app/oidc/begin' } });
});

test('the provider gets a challenge, a state and a nonce that are new each time', async () => {
  const begin = async (): Promise<URLSearchParams> => {
    const { url } = await new Browser().open(`${api.url}/app/oidc/begin`, { stop: () => true });
    return new URL(url).searchParams;
  };
  const [first, second] = [await begin(), await begin()];
  expect(Object.fromEntries(first)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${api.url}/app/oidc/callback`,
  });
  for (const name of ['code_challenge', 'state', 'nonce']) {
    expect(first.get(name)).toMatch(/^[\w-]{43}$/);
    expect(first.get(name)).not.toBe(second.get(name));
  }
});

test('an invited person signs in without a password, and the invitation is void', async () => {
  const { id, invitation } = await invite('Ana@Example.com');
  const browser = new Browser();
  expect(await goThrough(browser, 'ana@example.com', { to: '/app/settings?part=users' })).toBe(
    `${api.url}/app/settings?part=users&sign-in=ready`,
  );
  const answer = await enter(browser).expect(201);
  expect(answer.body).toMatchObject({ status: 'ok', me: { user: { id, role: 'preparer' } } });
  const session = signedIn(api, answer);
  await session.api.get('/v1/me').expect(200);
  const accept = { token: invitation.token, password: 'four words that rhyme' };
  await api.request.post('/v1/users/accept').send(accept).expect(404);
});

test('a person whom nobody has invited gets no user and no session', async () => {
  const browser = new Browser();
  await goThrough(browser, 'stranger@example.com');
  expect((await enter(browser).expect(404)).body).toMatchObject({ code: 'user_not_found' });
  const { body } = await tenant.api.get('/v1/users').expect(200);
  expect(JSON.stringify(body)).not.toContain('stranger@example.com');
});

test.each([
  ['switched off', (id: string) => tenant.api.patch(`/v1/users/${id}`, { active: false }).expect(200)],
  ['deleted', (id: string) => tenant.api.delete(`/v1/users/${id}`).expect(204)],
])('a user who is %s does not get in', async (how, change) => {
  const email = `${how.replace(' ', '-')}@example.com`;
  const { id } = await invite(email);
  await change(id);
  const browser = new Browser();
  await goThrough(browser, email);
  await enter(browser).expect(404);
});

test('an email that the provider has not verified lets nobody in', async () => {
  await invite('unverified@example.com');
  const browser = new Browser();
  expect(await goThrough(browser, 'unverified@example.com')).toBe(`${api.url}/app/?sign-in=unverified`);
  await enter(browser).expect(401);
});

test('an email that is another one as it is written lets nobody in', async () => {
  await invite('plain@example.com');
  const browser = new Browser();
  await goThrough(browser, '\uff50lain@example.com');
  await enter(browser).expect(404);
});

test('a person of several tenants chooses one, and no other', async () => {
  const second = await api.newTenant('Second');
  const third = await api.newTenant('Third');
  const email = 'both@example.com';
  await openUser(api, tenant, { role: 'viewer', email });
  await invite(email, second);
  const browser = new Browser();
  await goThrough(browser, email);
  const { body } = await enter(browser).expect(200);
  expect(body).toMatchObject({ status: 'choose_tenant', tenants: [{ name: 'Acme' }, { name: 'Second' }] });
  await enter(browser, { tenantId: third.tenantId }).expect(404);
  const chosen = await enter(browser, { tenantId: second.tenantId }).expect(201);
  expect(chosen.body).toMatchObject({ me: { tenant: { name: 'Second' } } });
});

describe('a way back', () => {
  test('that did not begin in the same browser lets nobody in', async () => {
    await invite('victim@example.com');
    const callback = await goThrough(new Browser(), 'victim@example.com', { stop: isCallback });
    const other = new Browser();
    const { url } = await other.open(callback, { stop: isConsole });
    expect(url).toBe(`${api.url}/app/?sign-in=expired`);
    await enter(other).expect(401);
  });

  test.each([
    ['another state', { state: 'other' }, 'failed'],
    ['a code that the provider does not know', { code: 'other' }, 'failed'],
    ['another issuer', { iss: 'https://evil.example' }, 'failed'],
  ])('with %s lets nobody in', async (_what, change, outcome) => {
    const browser = new Browser();
    const callback = new URL(await goThrough(browser, 'victim@example.com', { stop: isCallback }));
    for (const [name, value] of Object.entries(change)) callback.searchParams.set(name, value);
    const { url } = await browser.open(callback.href, { stop: isConsole });
    expect(url).toBe(`${api.url}/app/?sign-in=${outcome}`);
    await enter(browser).expect(401);
  });

  test('that tells of a refusal says so', async () => {
    const browser = new Browser();
    const { url: asked } = await browser.open(`${api.url}/app/oidc/begin`, { stop: () => true });
    const { searchParams } = new URL(asked);
    const answer = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    });
    const { url } = await browser.open(`${api.url}/app/oidc/callback?${answer.toString()}`, { stop: isConsole });
    expect(url).toBe(`${api.url}/app/?sign-in=refused`);
  });

  test('works once', async () => {
    const browser = new Browser();
    const callback = await goThrough(browser, 'victim@example.com', { stop: isCallback });
    await browser.open(callback, { stop: isConsole });
    const { url } = await browser.open(callback, { stop: isConsole });
    expect(url).toBe(`${api.url}/app/?sign-in=expired`);
  });

  test.each(['https://evil.example/', '//evil.example', '/app/../v1/me', '/v1/me', '\\evil'])(
    'leads to the console, and not to %s',
    async (to) => {
      const browser = new Browser();
      expect(await goThrough(browser, 'victim@example.com', { to })).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/app\/\?/);
    },
  );
});

test('the cookie of a sign-in is not readable, and is sent over encrypted connections only', async () => {
  const answer = await api.request.get('/app/oidc/begin').set('host', 'tieout.example').expect(302);
  const [cookie] = answer.headers['set-cookie'] as unknown as string[];
  expect(cookie).toMatch(
    /^tieout_sign_in_pending=v1\.[\w.-]+; Expires=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie).not.toContain(new URL(String(answer.headers['location'])).searchParams.get('state'));
});
