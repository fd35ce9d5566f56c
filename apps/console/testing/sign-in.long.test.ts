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

  const invite = (email: string, tenant = bench.tenant) =>
    tenant.api.post('/v1/users', { email, name: 'Ana Souza', role: 'viewer' }).expect(201);

  /** Opens a screen without a session, and goes through the provider. */
  const goThrough = async (email: string, path: string): Promise<Page> => {
    const { page } = await bench.open('/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${bench.api.url}/app${path}`);
    await page.getByRole('button', { name: 'Continue with Test ID' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await page.locator('input[name=login]').fill(email);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${bench.api.url}/app/**`);
    return page;
  };

  test('leads back to the screen that was opened, signed in', async () => {
    await invite('ana@example.com');
    const page = await goThrough('ana@example.com', '/settings?part=account');
    await page.getByText('Ana Souza').waitFor();
    expect(page.url()).toBe(`${bench.api.url}/app/settings?part=account`);
    await page.close();
  });

  test('lets a person of two companies choose', async () => {
    const second = await bench.api.newTenant('Second');
    await invite('both@example.com');
    await invite('both@example.com', second);
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
