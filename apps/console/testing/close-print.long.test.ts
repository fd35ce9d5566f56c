import { openReconciliation } from '../../api/testing/open-books';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const rowsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ ref: `r${at}`, amount: 10 * (at + 1), date: '2026-03-10' }));

inChromium(`a month on paper in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  test('lists every open item, and says what is left out when it is printed past the button', async () => {
    const own = await openReconciliation(bench.api, { lefts: rowsOf(150), rights: rowsOf(85) });
    const address = `/reconciliations/${own.id}/close?period=2026-03`;
    const { page } = await bench.open(address, { key: own.tenant.key });
    const items = page.getByRole('region', { name: 'Open items at the end of the month' }).locator('tbody tr');
    await items.first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByText('135 further open items are not listed here.').waitFor();
    await page.emulateMedia({ media: 'screen' });
    expect(await items.count()).toBe(100);
    await page.evaluate(
      `window.print = () => {
         const said = document.createElement('p');
         said.textContent = document.querySelectorAll('.item-id').length + ' items printed';
         document.body.append(said);
       }`,
    );
    await page.keyboard.press('p');
    await page.getByText('235 items printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(/not listed here/).count()).toBe(0);
    await page.close();
  });
});
