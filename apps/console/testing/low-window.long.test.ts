import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** A window of 1280 × 800 pixels at 200 %. */
const low = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

/** The rows of the list that are in sight whole, with nothing before them. */
const rowsInSight = `[...document.querySelectorAll('.pane.shown .table-row')].filter((row) => {
  const { top, bottom, left } = row.getBoundingClientRect();
  const isSeen = (y) => row.contains(document.elementFromPoint(left + 20, y));
  return top >= 0 && bottom <= innerHeight && isSeen(top + 2) && isSeen(bottom - 2);
}).length`;

inChromium(`the console in a low window in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    const rows = Array.from({ length: 30 }, (_, i) => ({ ref: `R${i}`, amount: 10 + i, date: '2026-03-10' }));
    books = await openReconciliation(bench.api, {
      lefts: rows,
      rights: rows.map((row) => ({ ...row, amount: 1_000 })),
    });
  });

  afterAll(() => bench?.close());

  const open = async (screen: string, options: object = {}): Promise<Page> =>
    (await bench.open(`/reconciliations/${books.id}/${screen}`, { key: books.tenant.key, ...options })).page;

  test('the workbench shows several rows, which the keys bring into sight', async () => {
    const page = await open('workbench', low);
    await page.getByText('l29').or(page.getByText('l0')).first().waitFor();
    for (let row = 0; row < 12; row++) await page.keyboard.press('j');
    expect(await page.evaluate(rowsInSight)).toBeGreaterThanOrEqual(4);
    await page.keyboard.press('l');
    await page.keyboard.press('j');
    expect(await page.evaluate(rowsInSight)).toBeGreaterThanOrEqual(4);
    await page.close();
  });

  test('the bar that saves the rules covers none of them', async () => {
    const page = await open('rules', low);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.waitFor();
    const [bar, window] = [await save.boundingBox(), page.viewportSize()];
    expect(bar?.y).toBeGreaterThan(window?.height ?? Infinity);
    await save.scrollIntoViewIfNeeded();
    expect(await save.isVisible()).toBe(true);
    await page.close();
  });

  test('what rules would change takes its place before it is known', async () => {
    const page = await open('rules');
    const shift = page.evaluate(`new Promise((done) => {
      let sum = 0;
      const add = (list) => list.getEntries().forEach((entry) => entry.hadRecentInput || (sum += entry.value));
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      const wait = () => document.querySelector('[aria-label="What it would change"] .live-counts')
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(sum)))
        : requestAnimationFrame(wait);
      wait();
    })`);
    await bench.api.startMatching();
    expect(await shift).toBeLessThan(0.05);
    await page.close();
  });

  test('a line of an adjustment is added and removed by keys', async () => {
    const page = await open('workbench');
    await page.getByText('l0', { exact: true }).click();
    await page.getByText('r0', { exact: true }).click();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: /^Remove line/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Add a line' }).press('Enter');
    await dialog.getByLabel('Amount').nth(1).fill('5');
    await dialog.getByRole('button', { name: 'Remove line 1' }).press('Enter');
    expect(
      await dialog.getByLabel('Amount').evaluateAll((all) => all.map((one) => (one as { value?: string }).value)),
    ).toEqual(['5']);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add a line');
    await page.close();
  });
});
