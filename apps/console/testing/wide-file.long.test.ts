import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const columns = Array.from({ length: 600 }, (_, at) => `column_${at}`);
const line = (row: number): string => columns.map((_, at) => `${row}-${at}`).join(',');
const text = [columns.join(','), ...Array.from({ length: 50 }, (_, row) => line(row))].join('\n');

inChromium(`a file of many columns in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  test('is shown with each choice of a column made only where it is opened, and reads what is chosen', async () => {
    const { page } = await bench.open('/import');
    await page.getByText('Drop a file here').waitFor();
    const buffer = Buffer.from(text);
    await page.locator('input[type=file]').setInputFiles({ name: 'wide.csv', mimeType: 'text/csv', buffer });
    await page.getByLabel('Field: column_599', { exact: true }).waitFor();
    expect(await page.locator('option').count()).toBeLessThan(20 * columns.length);
    const column = page.getByLabel('Column: column_3', { exact: true });
    expect(await column.inputValue()).toBe('column_3');
    await column.focus();
    expect(await column.locator('option').allInnerTexts()).toEqual(columns);
    await column.selectOption('column_7');
    await page.getByLabel('Field: column_3', { exact: true }).focus();
    expect(await column.inputValue()).toBe('column_7');
    await page.locator('.mapping tr', { has: column }).getByText('0-7', { exact: true }).waitFor();
    await page.close();
  });
});
