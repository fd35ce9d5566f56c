import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench, type OpenOptions } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const rows = [1_234.5, 20, 30].map((amount, at) => ({ ref: `x${at}`, amount, date: '2026-03-10' }));

inChromium(`the filters in the address, in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    books = await openReconciliation(bench.api, { lefts: rows, rights: rows, accept: 'review' });
    await runOf(bench.api, books);
  });

  afterAll(() => bench?.close());

  const open = async (path: string, options: OpenOptions = {}): Promise<Page> => {
    const at = path.startsWith('/') ? path : `/reconciliations/${books.id}/${path}`;
    return (await bench.open(at, { key: books.tenant.key, ...options })).page;
  };

  test('a screen whose filter cannot be read lists nothing, and says which one and what it takes', async () => {
    const page = await open('workbench?amountMin=abc');
    for (const [path, label, mend] of [
      ['workbench?amountMin=abc', 'Amount from', 'an amount such as 1200.50'],
      ['exceptions?view=late&side=middle', 'Side', 'one of left, right'],
      ['groups?status=gone', 'State', 'one of held, pending, released'],
      ['close?period=March', 'Month', 'a month such as 2026-01'],
    ] as const) {
      await page.goto(`${bench.api.url}/app/reconciliations/${books.id}/${path}`);
      const said = page.locator('#content').getByRole('alert');
      await said.getByText(`${label}: “`).waitFor();
      expect(await said.innerText()).toContain(`Use ${mend}`);
      expect(await page.locator('.item-row, .table-row, .checklist').count()).toBe(0);
      await page
        .locator('.chip', { hasText: `${label}: ` })
        .getByRole('button')
        .waitFor();
    }
    await page.close();
  });

  test('a score that cannot be read offers no decision about many, until it is removed', async () => {
    const page = await open('suggestions?minScore=0,9');
    await page.getByText('Score from: “0,9” cannot be read.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('b');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Confirm/ }).count()).toBe(0);
    await page.getByRole('alert').getByRole('button', { name: 'Remove the filter' }).click();
    await page.getByText('1 of 3').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('b');
    await page.getByText('3 suggestions that fit the filter can be confirmed').waitFor();
    await page.close();
  });

  test('an activity that cannot be filtered as asked is not downloaded', async () => {
    const page = await open('/activity?to=abc');
    await page.getByText('To: “abc” cannot be read.').waitFor();
    expect(await page.getByRole('button', { name: /^Download/ }).isDisabled()).toBe(true);
    await page.close();
  });

  test('a list that no item fits says so, and clears its filter', async () => {
    const page = await open('suggestions?minScore=1000');
    const at = `/reconciliations/${books.id}`;
    for (const path of [
      `${at}/suggestions?minScore=1000`,
      `${at}/groups?period=2020-01`,
      `${at}/exceptions?q=nowhere`,
      '/activity?actor=nobody',
    ]) {
      await page.goto(`${bench.api.url}/app${path}`);
      await page.getByText('Nothing fits the filter').waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await page.getByText('Nothing fits the filter').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
    }
    await page.close();
  });

  test('one side that fits a filter stays beside the other, which fits none', async () => {
    const page = await open('workbench?lq=nowhere&rq=x1');
    const side = (name: RegExp) => page.getByRole('region', { name });
    await side(/left/).getByText('Nothing fits the filter').waitFor();
    await side(/right/).getByText('r1', { exact: true }).waitFor();
    await side(/left/).getByRole('button', { name: 'Clear the filter' }).click();
    await side(/left/).getByText('l0', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?rq=x1');
    await page.close();
  });

  test('the work that a month counts is what its link lists', async () => {
    const [january, april] = ['2026-01-10', '2026-04-10'];
    const own = await openReconciliation(bench.api, {
      lefts: [
        { ref: 'a', amount: 1, date: january },
        { ref: 'b', amount: 2 },
        { ref: 'c', amount: 3, date: april },
        { ref: 'd', amount: 4, date: january },
      ],
      rights: [{ ref: 'e', amount: 5, date: january }],
    });
    const annotate = (names: readonly string[], set: object) =>
      own.tenant.api
        .post(`/v1/reconciliations/${own.id}/open-items/annotate`, {
          recordIds: names.map((name) => own.recordIds.get(name)),
          set,
        })
        .expect(200);
    await annotate(['l0'], { snoozedUntil: '9999-01-01' });
    await annotate(['l3'], { note: 'known' });
    const { page } = await bench.open(`/reconciliations/${own.id}/close?period=2026-01`, { key: own.tenant.key });
    await page.getByRole('listitem').filter({ hasText: 'has a reason' }).getByText('3 to go').click();
    await page.locator('.item-row').first().waitFor();
    expect((await page.locator('.table-row strong').allInnerTexts()).sort()).toEqual(['l0', 'l1', 'r0']);
    await page.getByText('Up to 31 Jan 2026, or without a date').waitFor();
    await page.close();
  });

  test('the chips are written as the person writes amounts and days', async () => {
    const page = await open('workbench?amountMin=1234.5&dateFrom=2026-03-01', { locale: 'pt-BR' });
    await page.locator('.chip').first().waitFor();
    const chips = ['Valor ≥ 1.234,50', 'A partir de 1 de mar. de 2026'];
    expect(await page.locator('.chip').allInnerTexts()).toEqual(chips);
    await page.close();
  });
});
