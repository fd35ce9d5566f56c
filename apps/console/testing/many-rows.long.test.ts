import type { CDPSession, Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';
import { addManyItems } from './many-items';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const perSide = Number(process.env['CONSOLE_ROWS'] ?? 20_000);
/** Rows that are scrolled over: a longer list is read page after page for many minutes. */
const scrolledRows = Math.min(perSide + 1, 100_000);

/** The page takes 50 MB at 100,000 rows. */
const bounds = { heapMb: 150, elements: 5_000 };

/** Source of functions of the page: how long frames and answers to keys take. */
const watchSource = `
  window.frames = [];
  let last = performance.now();
  const frame = (now) => { window.frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  window.keys = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.keys.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration);
  }).observe({ type: 'longtask' });
`;

/** Scrolls over the rows, 100 a frame, and waits wherever they have not been read. */
const scrollSource = `new Promise((resolve) => {
  const list = document.querySelector('.pane .table');
  window.frames.length = window.tasks.length = 0;
  const end = ${scrolledRows} * 52 - list.clientHeight;
  const step = () => {
    const isWaiting = list.querySelector('.skeleton') !== null;
    if (!isWaiting) list.scrollTop = Math.min(end, list.scrollTop + 5_200);
    if (list.scrollTop < end - 1 || isWaiting) requestAnimationFrame(step);
    else resolve({ frames: window.frames.slice(), tasks: window.tasks.slice() });
  };
  requestAnimationFrame(step);
})`;

interface Watched {
  frames: number[];
  tasks: number[];
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], share: number): number =>
  Math.round(sorted(values)[Math.floor(share * (values.length - 1))] ?? 0);

inChromium(`${perSide} open items a side in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;
  let page: Page;
  let devtools: CDPSession;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    const row = { ref: 'first', amount: 1, date: '2023-12-01' };
    books = await openReconciliation(bench.api, { lefts: [row], rights: [row] });
    await addManyItems(bench.api, books, 'left', perSide);
    await addManyItems(bench.api, books, 'right', perSide);
    ({ page } = await bench.open('/', { key: books.tenant.key }));
    devtools = await page.context().newCDPSession(page);
  });

  afterAll(() => bench?.close());

  const heapMb = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return Math.round(usedSize / 1_048_576);
  };

  /** Milliseconds from key to paint. */
  const answerTo = async (...keys: readonly string[]): Promise<number[]> => {
    await page.evaluate('window.keys.length = 0');
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(200);
    return page.evaluate('window.keys');
  };

  test('the page stays small however far it is scrolled, and keys act at once', async () => {
    const begun = Date.now();
    await page.goto(`${bench.api.url}/app/reconciliations/${books.id}/workbench`);
    await page.locator('.pane[aria-label=right] .item-row strong').first().waitFor();
    const firstRowsMs = Date.now() - begun;
    await page.evaluate(watchSource);
    const atFirst = await answerTo('j', 'j', 'j', 'Enter', 'PageDown', 'PageUp', 'Escape');
    const startMb = await heapMb();

    const scrolled: Watched = await page.evaluate(scrollSource);
    await page.locator(`.pane[aria-label=left] [aria-posinset="${scrolledRows}"] strong`).waitFor();
    const endMb = await heapMb();

    const toEnd = scrolledRows > perSide ? ['End'] : [];
    const atEnd = await answerTo('j', ...toEnd, 'k', 'k', 'Enter');
    const [name] = await page.locator('.table-row[aria-selected=true] strong').allInnerTexts();
    const partner = String(name).replace('left', 'right');
    await page
      .locator('.candidate', { hasText: `${partner} ` })
      .first()
      .waitFor();
    const names = await page.locator('.candidate strong').allInnerTexts();
    const digit = String(names.indexOf(partner) + 1);
    const matching = await answerTo(digit, 'm');
    await page.getByText('Matched', { exact: true }).waitFor();
    const undoing = await answerTo('u');
    await page.getByText('Taken apart again').waitFor();

    const { frames, tasks } = scrolled;
    const taskMs = Math.round(tasks.reduce((sum, ms) => sum + ms, 0));
    const slow = frames.filter((ms) => ms > 50).length / frames.length;
    console.log(
      `first rows ${firstRowsMs} ms; ${frames.length} frames, median ${quantile(frames, 0.5)} ms, ` +
        `95 % ${quantile(frames, 0.95)} ms, longest ${quantile(frames, 1)} ms, ` +
        `over 50 ms ${(100 * slow).toFixed(1)} %, ` +
        `${tasks.length} long tasks, in all ${taskMs} ms; heap ${startMb} MB, at the end ${endMb} MB; ` +
        `keys at first ${atFirst.join(' ')}, at the end ${atEnd.join(' ')}, match ${matching.join(' ')}, ` +
        `undo ${undoing.join(' ')} ms`,
    );
    const elements: number = await page.evaluate('document.querySelectorAll("*").length');
    expect(elements).toBeLessThan(bounds.elements);
    expect(endMb).toBeLessThan(bounds.heapMb);
  }, 600_000);
});
