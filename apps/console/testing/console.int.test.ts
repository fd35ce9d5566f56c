import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

inChromium(`the console in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  test.each([['light'], ['dark']] as const)('the way in has no fault of access in %s', async (colorScheme) => {
    const { page, log } = await bench.open('/', { colorScheme });
    await page.getByText('No reconciliation yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(log.requests.filter((url) => !url.startsWith(bench.api.url) && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });
});
