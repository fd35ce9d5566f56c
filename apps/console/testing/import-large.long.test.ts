import type { Page } from 'playwright-core';
import { newSource, uploadTo } from '../../api/testing';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const lineOf = (at: number): string => `2026-03-01;INV-${at};Rent of a month that is paid in advance;${at},50`;
const long = ['Booked;Number;Text;Amount', ...Array.from({ length: 90_000 }, (_, at) => lineOf(at))].join('\n');

const file = (content: string, name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

const statement = [
  ':20:START',
  ':25:20050550/1234567890',
  ':28C:1/1',
  ':60F:C260301EUR100,00',
  ':61:2603020302C25,00NTRFNONREF',
  ':86:166?00CREDIT?20INV-1?32CASA AURORA',
  ':62F:C260302EUR125,00',
  '-',
].join('\r\n');

/** Limits the bytes that a page sends in a second; -1 lifts the limit. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

inChromium(`large and unlike files in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  test('a preview takes the beginning of a large file, and is not made again for another dataset', async () => {
    const { page } = await bench.open('/import');
    const previews: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!request.url().endsWith('/files/preview')) return;
      previews.push(request.headerValue('content-length').then((bytes) => Number(bytes ?? 'none')));
    });
    await page.locator('input[type=file]').setInputFiles(file(long, 'long.csv'));
    await page.getByText('Every cell fits').waitFor();
    const dataset = page.getByRole('combobox', { name: /^Dataset/ });
    await dataset.fill('ledger');
    await dataset.press('Enter');
    await page.getByText('Every cell fits').waitFor();
    expect(previews).toHaveLength(1);
    expect(await previews[0]).toBeLessThan(1.5 * 1024 * 1024);
    await page.getByLabel('Totals at the end').selectOption('rows like others');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    expect(previews).toHaveLength(2);
    await bench.readFiles();
    await page.getByText('90,000').waitFor();
    await page.close();
  });

  test('on a slow line, preview and upload show how far they are, and are stopped', async () => {
    const { page } = await bench.open('/import');
    await page.getByText('Drop a file here').waitFor();
    await slowDown(page, 100_000);
    await page.locator('input[type=file]').setInputFiles(file(long, 'slow.csv'));
    await page.getByRole('progressbar', { name: 'Sending for the preview' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Drop a file here').waitFor();
    await slowDown(page, -1);
    await page.locator('input[type=file]').setInputFiles(file(long, 'slow.csv'));
    await page.getByText('Every cell fits').waitFor();
    await slowDown(page, 100_000);
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Sending for the preview' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Encoding').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Sending', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The upload was stopped. Nothing was imported.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
    await page.close();
  });

  test('a file goes to the source of files like it, or to a new one with its name', async () => {
    const tenant = bench.tenant;
    const source = await newSource(tenant.api);
    const json = JSON.stringify([{ code: 'a', total: 1.5 }]);
    await uploadTo(tenant.api, source, json, { dataset: 'web orders', fromColumns: 'true' }, 'orders.json');
    await newSource(tenant.api);
    await bench.readFiles();
    const { page } = await bench.open('/import');
    const target = page.getByRole('combobox', { name: /^Data source/ });
    await page.locator('input[type=file]').setInputFiles(file(json.replace('1.5', '2.5'), 'april.json'));
    await page.getByText('Like orders.json: its dataset web orders').waitFor();
    expect(await target.inputValue()).toBe(source);
    await page.locator('input[type=file]').first().setInputFiles(file(statement, 'march.sta'));
    await page.getByLabel('Name of the data source').waitFor();
    expect(await page.getByLabel('Name of the data source').inputValue()).toBe('MT940');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.readFiles();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.locator('input[type=file]').setInputFiles(file(statement.replaceAll('25,00', '35,00'), 'april.sta'));
    await page.getByText('Like march.sta: its dataset march').waitFor();
    expect(await target.locator('option:checked').innerText()).toBe('MT940');
    await page.close();
  });

  test('columns without a value stand behind a fold, and long names are seen to their ends', async () => {
    const names = ['counterparty_name', 'counterparty_account', 'counterparty_bank', 'creditor_id', 'mandate_id'];
    const content = [names.join(';'), 'Casa Aurora;DE01;COBADEFF;;', 'Alfa;DE02;COBADEFF;;'].join('\n');
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file(content, 'parties.csv'));
    await page.getByText('Every cell fits').waitFor();
    const fold = page.getByRole('button', { name: '2 columns without a value in the first rows' });
    expect(await page.getByLabel('Type: creditor_id').count()).toBe(0);
    await fold.click();
    // A field that is edited keeps its place and the cursor.
    await page.getByLabel('Field: creditor_id').focus();
    await page.keyboard.type('_2');
    expect(await page.getByLabel('Field: creditor_id_2').inputValue()).toBe('creditor_id_2');
    expect(await violationsOf(page)).toEqual([]);
    const column = page.getByLabel('Column: counterparty_account');
    expect((await column.boundingBox())?.width).toBeGreaterThan(200);
    expect(await column.getAttribute('title')).toBe('counterparty_account');
    await page.close();
  });

  test('a refusal says the controls of the page, and stays there until it is mended', async () => {
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file('Booked;Amount\n', 'names.csv'));
    await page.getByRole('alert').getByText('“Names of columns: none”').waitFor();
    expect(await page.locator('#content').innerText()).not.toMatch(/header=false/);
    await page.locator('input[type=file]').first().setInputFiles(file('Booked;Amount\n01.02.2026;7\n', 'named.csv'));
    await page.getByLabel('Field: amount', { exact: true }).fill('1st');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('alert').getByText('“1st”: Field: ').waitFor();
    await page.getByLabel('Field: 1st', { exact: true }).fill('first');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await page.close();
  });
});
