import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

inChromium(`bank connections in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string, { itemPolicy: { pollMs: 20, maxPollMs: 20 } });
    await bench.api.startItems();
  });

  afterAll(() => bench?.close());

  test('a bank is connected, and fills a dataset', async () => {
    const { page, log } = await bench.open('/settings?part=connections');
    await page.getByRole('button', { name: 'Connect a bank' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^User/).fill('ok');
    await dialog.getByLabel(/^Password/).fill('any');
    await dialog.getByLabel(/^Dataset/).fill('bank lines');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Connect a bank' }).click();
    await page.getByText('The bank is being connected').waitFor();
    await page.getByText('bank lines').waitFor();
    expect(log.faults.filter((fault) => !fault.includes('ERR_ABORTED'))).toEqual([]);
    await page.close();
  });

  test('a bank that refused the login is given another one, and a dataset later', async () => {
    const { page } = await bench.open('/settings?part=connections');
    await page.getByRole('button', { name: 'Connect a bank' }).click();
    const dialog = page.getByRole('dialog');
    const logIn = async (user: string, button: string): Promise<void> => {
      await dialog.getByLabel(/^User/).fill(user);
      await dialog.getByLabel(/^Password/).fill('any');
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await logIn('bad-password', 'Connect a bank');
    const card = page.locator('article', { hasText: 'fills no dataset' });
    await card.getByText('login refused').waitFor();
    await card.getByRole('button', { name: 'Log in again' }).click();
    await logIn('ok', 'Log in again');
    await card.getByText('up to date').waitFor();
    await card.getByRole('button', { name: 'Fill a dataset' }).click();
    await dialog.getByLabel(/^Dataset/).fill('later lines');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Fill a dataset' }).click();
    await page.getByText('later lines').waitFor();
    await page.close();
  });
});
