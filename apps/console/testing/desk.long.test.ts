import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { openUser } from '../../api/testing/people';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { gate, openBench, violationsOf, type ConsoleBench, type OpenOptions } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** A text that a page must show and never run. */
const hostile = '<img src=x onerror="document.title=1">\u202e=1+1';

const day = '2026-01-10';
const lefts = [
  { ref: 'a', amount: 10, date: day },
  { ref: 'b', amount: 20.5, date: day },
  { ref: hostile, amount: 7, date: day },
];
const rights = [
  { ref: 'a', amount: 10, date: day },
  { ref: 'c', amount: 99, date: day },
];

const narrow = { width: 390, height: 844 };

/** Adds up how much of the page moves without its person. */
const watchMoves = `
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.moved += value;
  }).observe({ type: 'layout-shift' });
`;

/** Says whether the page is wider than its window. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth');

inChromium(`the screens beside the workbench in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    books = await openReconciliation(bench.api, { lefts, rights });
    await runOf(bench.api, books);
  });

  afterAll(() => bench?.close());

  const open = async (path: string, options: OpenOptions = {}): Promise<Page> => {
    const { page } = await bench.open(path, { key: books.tenant.key, ...options });
    return page;
  };
  const at = (screen: string): string => `/reconciliations/${books.id}/${screen}`;

  /** Goes down the list from its first row, and chooses the rows of records. */
  const chooseByKeys = async (page: Page, ...names: readonly string[]): Promise<void> => {
    const rows = await page.locator('.table-row strong').allInnerTexts();
    for (const [at, name] of rows.entries()) {
      if (at > 0) await page.keyboard.press('j');
      if (names.includes(name)) await page.keyboard.press(' ');
    }
  };

  const screens = [
    ['runs', () => at('runs'), /Passes|Passagens/],
    ['exceptions', () => at('exceptions'), /^l1$/],
    ['changed matches', () => at('exceptions?view=stale'), /No match has changed|Nenhum conciliado/],
    ['late items', () => at('exceptions?view=late'), /No item is late|Nenhum item está atrasado/],
    ['failed records', () => at('exceptions?view=failed'), /No record has failed|Nenhum registro falhou/],
    ['rejected rows', () => at('exceptions?view=rejected'), /No row was rejected|Nenhuma linha/],
    ['close', () => at('close'), /^(Unexplained|Sem explicação)$/],
    ['activity', () => '/activity', /Rule set created|Regras: criação/],
    ['own access', () => '/settings?part=account', /Where you are|Onde você está/],
    ['users', () => '/settings?part=users', /No user yet|Ainda não há usuário/],
    ['keys', () => '/settings?part=keys', /everything|tudo/],
    ['webhooks', () => '/settings?part=webhooks', /No webhook|Nenhum webhook/],
    ['connections', () => '/settings?part=connections', /No bank connection|Nenhuma conexão/],
    ['usage', () => '/settings?part=usage', /This month|Este mês/],
    ['reasons', () => '/settings?part=reasons', /bank_fee/],
  ] as const;

  const looks: readonly (readonly [string, OpenOptions])[] = [
    ['in light', { colorScheme: 'light' }],
    ['in dark, Portuguese and 390 pixels', { colorScheme: 'dark', locale: 'pt-BR', viewport: narrow }],
  ];

  test.each(looks)('every screen has no fault of access and is not wider than its window %s', async (_, options) => {
    const page = await open('/', options);
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, path, text] of screens) {
      await page.evaluate(`history.pushState({}, '', '/app${path()}'); dispatchEvent(new PopStateEvent('popstate'))`);
      await page.locator('#content').getByText(text).first().waitFor({ state: 'attached' });
      found[name] = [await violationsOf(page), await overflows(page)];
      expected[name] = [[], false];
    }
    expect(found).toEqual(expected);
    await page.close();
  });

  test('a caller without the permission is told so', async () => {
    const { key } = await bench.api.newKey(books.tenant, ['reconciliations:read']);
    const page = await open('/activity', { key });
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  test('a run is started, watched and undone by the keyboard', async () => {
    const page = await open(at('runs'));
    await page.getByText('Passes').waitFor();
    await bench.api.startMatching();
    await page.keyboard.press('d');
    await page.getByText('What a full run would change').waitFor();
    await page.getByRole('button', { name: 'Kept 1' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the run' }).press('Enter');
    await page.getByText('1 group was released.').waitFor();
    expect(Object.keys(await books.open())).toHaveLength(5);
    await page.close();
  });

  test('open items are explained and excluded by the keyboard, and their texts stay texts', async () => {
    const page = await open(at('exceptions'));
    await page.getByText('l1', { exact: true }).waitFor();
    await chooseByKeys(page, 'l1', 'l2');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Comment', { exact: true }).fill(hostile);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('2 items annotated.').waitFor();
    expect(await page.title()).toBe('Exceptions · Tieout');
    expect(await page.locator('img').count()).toBe(0);
    expect(Object.keys(await books.open('explained=true')).sort()).toEqual(['l1', 'l2']);
    await page.getByText('r1', { exact: true }).click();
    await page.keyboard.press('x');
    await page.getByRole('dialog').getByLabel('Reason').selectOption('duplicate');
    await page.getByRole('dialog').getByRole('button', { name: 'Exclude' }).press('Enter');
    await page.getByText('1 item excluded.').waitFor();
    expect(Object.keys(await books.open('excluded=true'))).toEqual(['r1']);
    await page.close();
  });

  test('a month is given its balances, closed, reported and opened again', async () => {
    const page = await open(at('close?period=2026-01'));
    await page.getByRole('heading', { name: /January 2026/ }).waitFor();
    for (const [side, amount] of [
      ['left', '37.50'],
      ['right', '109'],
    ] as const) {
      await page.keyboard.press('b');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Side').selectOption(side);
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByLabel('Amount').press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('row', { name: /Unexplained 0\.00/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 1000 });
    expect(await page.getByRole('row', { name: /Unexplained 0\.00/ }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Close the month' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Comment').fill('looked at');
    await page.keyboard.press('Enter');
    await page.getByText('January 2026 is closed.').waitFor();
    await page.getByText('Certificate', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.keyboard.press('x');
    expect((await download).suggestedFilename()).toBe('2026-01.xlsx');
    await page.getByRole('button', { name: /^Open it again/ }).click();
    await page.getByRole('dialog').getByLabel('Why').fill('a late invoice');
    await page.keyboard.press('Enter');
    await page.getByText('Open again: January 2026.').waitFor();
    await page.close();
  });

  test('nothing of a month moves that is read already while the rest comes', async () => {
    const page = await open(at('runs'));
    await page.evaluate(watchMoves);
    const [showMonth, showSummary, showWork] = [
      await gate(page, '**/periods/2026-01'),
      await gate(page, '**/summary?period=2026-01'),
      await gate(page, '**/open-items?**totals=true**'),
    ];
    const path = `/app${at('close?period=2026-01')}`;
    await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.locator('#content .skeleton').first().waitFor();
    await showMonth();
    await page.locator('.checklist').waitFor();
    await page.evaluate('window.moved = 0');
    await showSummary();
    await page.locator('.month td').getByText('l1', { exact: true }).waitFor();
    await showWork();
    await page.locator('.checklist .badge').first().waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.evaluate('window.moved')).toBeLessThan(0.01);
    await page.close();
  });

  test('the trail is verified, and its entries tell what they changed', async () => {
    const page = await open('/activity?object=reconciliation');
    await page.getByText('Reconciliation created').click();
    await page.getByRole('row', { name: /name.*bank/ }).waitFor();
    await page.keyboard.press('v');
    await page.getByText(/^The trail is whole/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  test('a run that a trigger could not start is told on the runs, with its reason', async () => {
    const refusal = {
      trigger: 'schedule',
      at: '2026-01-10T07:00:00Z',
      error: { code: 'x', message: 'No pass is left' },
    };
    await bench.api.service.deps.db.system.query(
      `update reconciliations set refusal = $2::jsonb, refused_until = now() + interval '1 hour' where id = $1::uuid`,
      [books.id, JSON.stringify(refusal)],
    );
    const page = await open(at('runs'));
    await page.getByText(/No run could be started \(By schedule, .*No pass is left/).waitFor();
    await page.getByText(/It is tried again/).waitFor();
    await page.close();
  });

  test('a person is invited, given another role and removed', async () => {
    await openUser(bench.api, books.tenant, { role: 'viewer', email: 'vera@example.com' });
    const page = await open('/settings?part=users');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Name').fill('Ana');
    await page.keyboard.press('Enter');
    await page.getByText(/\/app\/.*[A-Za-z0-9_-]{20}/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    const role = page.getByLabel('Role: Ana');
    const saveRole = await gate(page, '**/v1/users/*');
    // The arrow keys pass a role that nothing stores.
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await role.press(key);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    expect(await role.inputValue()).toBe('approver');
    await saveRole();
    await page.getByText('Saved.').waitFor();
    expect(await role.inputValue()).toBe('approver');
    await page
      .getByRole('row', { name: /vera@example.com/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('The viewer is deleted.').waitFor();
    await page.close();
  });
});
