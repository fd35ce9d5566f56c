import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const file = (content: string) => ({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

inChromium(`readings of files in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  test('what a file leaves open is settled by the controls that its warnings name', async () => {
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file('no,day\n1,01/02/2026\n2,03/04/2026\n'));
    await page.getByText('It is read as no date').waitFor();
    expect(await page.locator('#content').innerText()).not.toMatch(/dateFormat|upload the file/);
    await page.getByRole('button', { name: 'Dates: MM/DD/YYYY' }).click();
    await page.getByText('It is read as no date').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Dates', { exact: true }).inputValue()).toBe('MM/DD/YYYY');
    await page.getByLabel('Totals at the end').selectOption('rows like others');
    await page.getByText('Every cell fits').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  test('a file that is refused is read in the format that its person names', async () => {
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file('<rows><row>no</row></rows>\n<rows/>,5\n<rows/>,6\n'));
    await page.getByRole('alert').getByText('say that its format is csv').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Format').selectOption('csv');
    await page.getByText(/^CSV, /).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  });
});
