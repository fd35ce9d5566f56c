import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** Kinds of records by their number: what a run suggests, what has no reference, what differs, what is alone. */
const kinds = { suggested: 200, unlike: 30, fee: 10, alone: 10 };
const wrong = [3, 50, 51, 120, 199];
const firstUnlike = kinds.suggested;
const firstFee = firstUnlike + kinds.unlike;
const firstAlone = firstFee + kinds.fee;
const perSide = firstAlone + kinds.alone;

const fee = 2.5;
const amountOf = (i: number): number => 100 + i;
const dateOf = (i: number): string => `2026-01-${String(1 + (i % 28)).padStart(2, '0')}`;

const lefts = Array.from({ length: perSide }, (_, i) => ({
  ref: `INV-${i}`,
  amount: amountOf(i),
  date: dateOf(i),
  memo: wrong.includes(i) ? 'not ours' : 'invoice',
}));

const rights = Array.from({ length: perSide }, (_, i) => ({
  ref: i < firstUnlike ? `INV-${i}` : `PAY-${i}`,
  amount: i >= firstAlone ? 7_000 + i : i >= firstFee ? amountOf(i) - fee : amountOf(i),
  date: dateOf(i),
}));

const sumOf = (rows: readonly { amount: number }[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);

/** A person who has no mouse: reads the page, presses keys, and is told where the focus and the rows are. */
class Desk {
  presses = 0;

  constructor(private readonly page: Page) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.presses += keys.length;
    expect(await this.page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  }

  async type(text: string): Promise<void> {
    this.presses += text.length;
    await this.page.keyboard.type(text);
  }

  /** The row that the keys are on: its name, and how far from the top of the screen it is. */
  async row(): Promise<{ name: string; top: number; isLast: boolean }> {
    const row = this.page.locator('.pane[aria-label=left] .table-row.active');
    const [name, box, place, size] = await Promise.all([
      row.locator('strong').first().innerText(),
      row.boundingBox(),
      row.getAttribute('aria-posinset'),
      row.getAttribute('aria-setsize'),
    ]);
    return { name, top: Math.round(box?.y ?? NaN), isLast: place === size };
  }
}

inChromium(`a month of ${2 * perSide} open items in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;
  let page: Page;
  let desk: Desk;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    books = await openReconciliation(bench.api, { lefts, rights, accept: 'review' });
    await runOf(bench.api, books);
    ({ page } = await bench.open(`/reconciliations/${books.id}/suggestions`, { key: books.tenant.key }));
    desk = new Desk(page);
  });

  afterAll(() => bench?.close());

  const heldCount = async (): Promise<number> => {
    const { body } = await books.tenant.api
      .get(`/v1/match-groups?reconciliationId=${books.id}&status=held&limit=1`)
      .expect(200);
    return (body as { total: number }).total;
  };

  const reviewAll = async (): Promise<void> => {
    let isUndone = false;
    for (let left = kinds.suggested; left > 0; left--) {
      await page.getByText(new RegExp(`of ${left} ·`)).waitFor();
      const isWrong = (await page.locator('.compared').innerText()).includes('not ours');
      // Hundreds of reviews at once would wait for each other for longer than one may wait on a busy machine.
      const answer = page.waitForResponse((response) => response.url().endsWith('/review'));
      await desk.press(isWrong ? 'x' : 'Enter');
      expect((await answer).status()).toBe(200);
      if (!isWrong || isUndone) continue;
      // One rejection is taken back: the keys are on its row again.
      isUndone = true;
      await desk.press('u');
      await page.getByText('Taken back').waitFor();
      await desk.press('x');
    }
    await page.getByText('No suggestion waits').waitFor();
    await desk.press('g', 'w');
  };

  const matchOne = async (name: string): Promise<void> => {
    const number = Number(name.slice(1));
    await desk.press('Enter');
    const candidates = page.locator(`.likeliest[aria-label="Likeliest for ${name}"] .candidate`);
    await candidates
      .filter({ hasText: `r${number}` })
      .first()
      .waitFor();
    const names = await candidates.locator('strong').allInnerTexts();
    await desk.press(String(names.indexOf(`r${number}`) + 1), 'm');
    if (number < firstFee) return;
    await page.getByRole('dialog').waitFor();
    await desk.type('Bank');
    await desk.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  const matchAll = async (): Promise<number> => {
    await page.locator('.pane[aria-label=left] .item-row strong').first().waitFor();
    let matched = 0;
    for (;;) {
      const { name, top, isLast } = await desk.row();
      const number = Number(name.slice(1));
      if (number >= firstUnlike && number < firstAlone) {
        await matchOne(name);
        matched++;
        await page.locator('.pane[aria-label=left]').getByText(name, { exact: true }).waitFor({ state: 'detached' });
        const next = await desk.row();
        if (!isLast) expect([name, next.top]).toEqual([name, top]);
        if (isLast) return matched;
      } else {
        if (isLast) return matched;
        await desk.press('j');
      }
    }
  };

  const explainAll = async (): Promise<void> => {
    await desk.press('g', 'e');
    // The workbench, which is being left, has a row of that name too.
    await page.locator('.exceptions').getByRole('option', { name: /^l3 / }).waitFor();
    await desk.press('*', 'a');
    await page.getByText(/items annotated/).waitFor();
    await desk.press('*', 'Enter');
    await page.getByRole('dialog').waitFor();
    await desk.type('Timing');
    await desk.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  const giveBalance = async (amount: number): Promise<void> => {
    await desk.press('b');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await desk.type(amount.toFixed(2));
    await desk.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };

  test('is reviewed, matched, explained and closed by keys alone, and focus and rows keep their places', async () => {
    await reviewAll();
    const matched = await matchAll();
    expect(matched).toBe(kinds.unlike + kinds.fee);
    await explainAll();
    await desk.press('g', 'c');
    await page.getByRole('heading', { name: /January 2026/ }).waitFor();
    await giveBalance(sumOf(lefts));
    await giveBalance(sumOf(rights));
    await page.getByRole('row', { name: /Unexplained 0\.00/ }).waitFor();
    await page.locator('.checklist li.done').nth(4).waitFor();
    await desk.press('c');
    await page.getByRole('dialog').waitFor();
    await desk.type('by keys');
    await desk.press('Enter');
    await page.getByText('January 2026 is closed.').waitFor();
    expect(await heldCount()).toBe(kinds.suggested - wrong.length + matched);
    const { body } = await books.tenant.api.get(`/v1/reconciliations/${books.id}/periods/2026-01`).expect(200);
    expect(body).toMatchObject({ status: 'closed' });
    console.log(`${desk.presses} keys for ${2 * perSide} items`);
  });
});
