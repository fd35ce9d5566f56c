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

  test.each([
    ['suggestions?minScore=0,9', 'Score from', 'a number such as 0.9'],
    ['suggestions?minScore=abc&kind=pair', 'Score from', 'a number such as 0.9'],
    ['suggestions?minScore=%20', 'Score from', 'a number such as 0.9'],
    ['suggestions?kind=pairs', 'Kind', 'one of pair, composite'],
    ['suggestions?decision=match', 'Decision', 'one of MATCH, POSSIBLE'],
    ['workbench?amountMin=abc', 'Amount from', 'an amount such as 1200.50'],
    ['workbench?amountMax=1e400', 'Amount to', 'an amount such as 1200.50'],
    ['workbench?dateFrom=2026-02-30', 'Date from', 'a day such as 2026-01-31'],
    ['workbench?minAgeDays=1.5', 'Days old, at least', 'a whole number from 0 to 100000'],
    ['workbench?suggested=yes', 'Only those with a suggestion', 'true'],
    ['workbench?lsort=name', 'Sort', 'one of -age, age'],
    ['exceptions?minAge=abc', 'Age', 'a whole number from 0 to 100000'],
    ['exceptions?explained=maybe', 'Explained', 'one of yes, no'],
    ['exceptions?view=late&side=middle', 'Side', 'one of left, right'],
    ['exceptions?snoozed=true', 'Snoozed', 'one of only, any'],
    ['exceptions?state=open', 'State', 'excluded'],
    ['groups?status=gone', 'State', 'one of held, pending, released'],
    ['groups?period=2026-13', 'Month', 'a month such as 2026-01'],
    ['groups?stale=1', 'A record has changed since', 'true'],
    ['close?period=March', 'Month', 'a month such as 2026-01'],
    ['/activity?from=2026-99-01', 'From', 'a day such as 2026-01-31'],
    ['/activity?by=robot', 'By', 'one of user, key'],
  ])('%s lists nothing, and says which filter cannot be read and what it takes', async (path, label, mend) => {
    const page = await open(path);
    const said = page.locator('#content').getByRole('alert');
    await said.getByText(`${label}: “`).waitFor();
    expect(await said.innerText()).toContain(`Use ${mend}`);
    expect(await page.locator('.item-row, .table-row, .trail, .checklist').count()).toBe(0);
    await page
      .locator('.chip', { hasText: `${label}: ` })
      .getByRole('button')
      .waitFor();
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

  test.each(['suggestions?minScore=1000', 'groups?period=2020-01', 'exceptions?q=nowhere', '/activity?actor=nobody'])(
    '%s says that nothing fits the filter, and clears it',
    async (path) => {
      const page = await open(path);
      await page.getByText('Nothing fits the filter').waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await page.getByText('Nothing fits the filter').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
      await page.close();
    },
  );

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

  test.each([
    ['workbench?amountMin=1234.5&dateFrom=2026-03-01', ['Valor ≥ 1.234,50', 'A partir de 1 de mar. de 2026']],
    ['suggestions?minScore=0.125', ['Pontuação ≥ 0,125']],
    ['groups?period=2026-03', ['Mês: março de 2026']],
    ['exceptions?minAge=1000', ['1.000 dias ou mais']],
    ['/activity?from=2026-03-01', ['De: 1 de mar. de 2026']],
  ])('the chips of %s are written as the person writes amounts and days', async (path, chips) => {
    const page = await open(path, { locale: 'pt-BR' });
    await page.locator('.chip').first().waitFor();
    expect(await page.locator('.chip').allInnerTexts()).toEqual(chips);
    await page.close();
  });
});
