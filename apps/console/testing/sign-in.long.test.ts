import type { Page } from 'playwright-core';
import { startIdentityProvider, type TestIdentityProvider } from '../../api/testing';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

inChromium(`signing in by an identity provider in Chromium${reason}`, () => {
  let provider: TestIdentityProvider;
  let bench: ConsoleBench;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    bench = await openBench(chromiumPath as string, { identityProvider: provider.provider });
    await provider.lead(`${bench.api.url}/app/oidc/callback`);
  });

  afterAll(async () => {
    await bench?.close();
    provider.close();
  });

  const invite = (email: string, { tenant = bench.tenant, role = 'viewer' } = {}) =>
    tenant.api.post('/v1/users', { email, name: 'Ana Souza', role }).expect(201);

  /** Signs in at the page of the provider. */
  const passProvider = async (page: Page, email: string): Promise<void> => {
    await page.locator('input[name=login]').fill(email);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${bench.api.url}/app/**`);
  };

  /** Opens a screen without a session, and goes through the provider. */
  const goThrough = async (email: string, path: string): Promise<Page> => {
    const { page } = await bench.open('/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${bench.api.url}/app${path}`);
    await page.getByRole('button', { name: 'Continue with Test ID' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await passProvider(page, email);
    return page;
  };

  test('leads back to the screen that was opened, signed in', async () => {
    await invite('ana@example.com');
    const page = await goThrough('ana@example.com', '/settings?part=account');
    await page.getByText('Ana Souza').waitFor();
    expect(page.url()).toBe(`${bench.api.url}/app/settings?part=account`);
    await page.close();
  });

  test('happens in another window when a session has ended, and keeps what was typed', async () => {
    await invite('eva@example.com', { role: 'admin' });
    const page = await goThrough('eva@example.com', '/settings?part=users');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: 'Invite a person' });
    await dialog.getByLabel('Email').fill('rui@example.com');
    await dialog.getByLabel('Name').fill('Rui Costa');
    await page.context().clearCookies();
    await dialog.locator('button[type=submit]').click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    const button = ended.getByRole('button', { name: 'Continue with Test ID' });
    const [second] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
    await passProvider(second, 'eva@example.com');
    await ended.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Rui Costa/ }).waitFor();
    await page.context().close();
  });

  test('lets a person of two companies choose', async () => {
    const second = await bench.api.newTenant('Second');
    await invite('both@example.com');
    await invite('both@example.com', { tenant: second });
    const page = await goThrough('both@example.com', '/');
    await page.getByLabel('Company').selectOption('Second');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Ana Souza').waitFor();
    await page.getByText('Second').waitFor();
    await page.close();
  });

  test.each([
    ['unverified@example.com', 'Your email is not verified there'],
    ['stranger@example.com', 'Nobody with the email stranger@example.com has been invited'],
  ])('tells %s why not', async (email, text) => {
    const page = await goThrough(email, '/');
    await page.getByText(text).waitFor();
    await page.getByRole('button', { name: 'Continue with Test ID' }).waitFor();
    await page.close();
  });
});

inChromium(`accepting an invitation in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  const password = 'four words that rhyme';

  const invite = async (email: string, name: string): Promise<string> => {
    const { body } = await bench.tenant.api.post('/v1/users', { email, name, role: 'viewer' }).expect(201);
    return (body as { invitation: { url: string } }).invitation.url;
  };

  const openSignedOut = async (url: string): Promise<Page> => {
    const { page } = await bench.open('/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await page.goto(url);
    return page;
  };

  const accept = async (page: Page, first = password, second = first): Promise<void> => {
    await page.getByLabel('New password', { exact: false }).first().fill(first);
    await page.getByLabel('New password again').fill(second);
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  };

  test('sets the password and signs in, once; a refused password is said and loses nothing', async () => {
    const url = await invite('rui@example.com', 'Rui Costa');
    const page = await openSignedOut(url);
    await page.getByRole('heading', { name: 'Welcome to Tieout' }).waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('password');
    expect(await violationsOf(page)).toEqual([]);
    await accept(page, password, 'four words that differ');
    await page.getByText('The two passwords are different.').waitFor();
    await accept(page, 'short');
    await page.getByText('The password must have at least 12 characters.').waitFor();
    await accept(page);
    await page.getByText('Rui Costa').waitFor();
    expect(page.url()).toMatch(/\/app\/?$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await page.goto(url);
    await accept(page);
    await page.getByText('ask an administrator of your company for another invitation').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await page.getByLabel('Email').waitFor();
    await page.close();
  });

  test('tells who is signed in, and signs in the invited person instead', async () => {
    const url = await invite('eva@example.com', 'Eva Lima');
    const { page } = await bench.open('/');
    await page.goto(url);
    await page.getByText('You are signed in as').waitFor();
    await accept(page);
    await page.getByText('Eva Lima').waitFor();
    await page.getByRole('navigation').first().waitFor();
    await page.close();
  });

  test('says of an incomplete link what to do', async () => {
    const page = await openSignedOut(`${bench.api.url}/app/invitation`);
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await page.close();
  });
});
