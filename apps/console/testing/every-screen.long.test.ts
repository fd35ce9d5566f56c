import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { openUser, password, type SignedInUser } from '../../api/testing/people';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, widthOf, type ConsoleBench, type OpenOptions } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const hostile = {
  memo: '=HYPERLINK("http://x";"click")',
  note: '\u202Egnp.exe\u202D',
  unbroken: 'x'.repeat(400),
  long: `${markup} `.repeat(12_000),
  [`${markup}${'k'.repeat(150)}`]: '\u0007\uFFFE',
  nested: { a: [{ b: markup }] },
};

const row = (ref: string, amount: number | string): object => ({ ref, amount, date: '2026-01-10', ...hostile });

/** Sizes as a person has them: a window of 1280 pixels at 200 % is 640 wide. */
const looks: readonly (readonly [string, OpenOptions])[] = [
  ['at 200 % in light', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: 'light' }],
  [
    'at 390 pixels in dark, in Portuguese, without motion',
    {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'pt-BR',
      reducedMotion: 'reduce',
    },
  ],
  ['at 1280 pixels in dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
];

/** Elements that can have the focus and do not show it. */
const unseenFocus = `(() => {
  const unseen = [];
  const parts = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  for (const element of document.querySelectorAll('#content :is(' + parts + ')')) {
    if (element.disabled || element.offsetParent === null) continue;
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) continue;
    const style = getComputedStyle(element);
    const pane = element.closest('.pane');
    const isSeen = style.outlineStyle !== 'none' || style.boxShadow !== 'none' ||
      (pane !== null && getComputedStyle(pane).boxShadow !== 'none');
    if (!isSeen) unseen.push(element.outerHTML.slice(0, 120));
  }
  return unseen;
})()`;

/** Texts that are cut off at the edge of the window, and that nothing scrolls into sight. */
const cutOff = `(() => {
  const cut = [];
  for (const element of document.querySelectorAll('#content *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const { right, width } = element.getBoundingClientRect();
    if (!hasText || width === 0 || right <= innerWidth + 1) continue;
    let around = element.parentElement;
    const isMeant = ({ overflowX, textOverflow }) => /auto|scroll/.test(overflowX) || textOverflow === 'ellipsis';
    while (around !== null && !isMeant(getComputedStyle(around))) around = around.parentElement;
    if (around === null) cut.push(element.outerHTML.slice(0, 120));
  }
  return cut;
})()`;

/** Choices that are too narrow to show what is chosen. */
const squashed = `[...document.querySelectorAll('#content select')]
  .filter((choice) => choice.offsetParent !== null && choice.clientWidth < 64)
  .map((choice) => choice.outerHTML.slice(0, 120))`;

inChromium(`every screen with hostile records in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let books: ReconciledBooks;
  let group: string;
  let viewer: SignedInUser;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
    const refs = [markup, 'b', `${'w'.repeat(300)}`, '\u202Edeb'];
    const rows = refs.map((ref, at) => row(ref, at === 2 ? '-99999999999.99' : 10 * (at + 1)));
    books = await openReconciliation(bench.api, {
      lefts: rows,
      rights: rows,
      accept: 'review',
      name: `${markup.slice(0, 80)} ${'n'.repeat(100)}`,
    });
    await runOf(bench.api, books);
    const { body } = await books.tie(['l3'], ['r3'], { note: markup.repeat(10) }).expect(201);
    group = (body as { id: string }).id;
    const set = { assignee: markup, note: `${markup}${'y'.repeat(500)}`, reasonCode: 'timing' };
    await books.tenant.api
      .patch(`/v1/reconciliations/${books.id}/open-items/${books.recordIds.get('l0')}`, set)
      .expect(204);
    viewer = await openUser(bench.api, books.tenant, { role: 'viewer' });
  });

  afterAll(() => bench?.close());

  const at = (screen: string): string => `/reconciliations/${books.id}/${screen}`;

  /** Addresses, and a part that is there once a screen is complete. */
  const screens = (): readonly (readonly [string, string, string])[] => [
    ['overview', '/', '.overview-card .rate'],
    ['workbench', at('workbench'), '.item-row strong'],
    ['suggestions', at('suggestions'), '.waterfall'],
    ['groups', at('groups'), '.item-row strong'],
    ['group', at(`groups/${group}`), '.history'],
    ['runs', at('runs'), '.run'],
    ['exceptions', at('exceptions'), '.exception strong'],
    ['rules', at('rules'), '.pair-head'],
    ['close', at('close?period=2026-01'), '.statement'],
    ['import', '/import', 'input[type=file]'],
    ['activity', '/activity', '#content .split, #content li, #content table'],
    ['settings', '/settings?part=users', '#content td select'],
  ];

  const go = (page: Page, path: string): Promise<void> =>
    page.evaluate(`history.pushState({}, '', '/app${path}'); dispatchEvent(new PopStateEvent('popstate'))`);

  test.each(looks)('fits, shows the focus, has no fault of access and no markup %s', async (_, options) => {
    const { page } = await bench.open('/', { key: books.tenant.key, ...options });
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [screen, path, part] of screens()) {
      await go(page, path);
      await page.locator(part).first().waitFor({ state: 'attached' });
      found[screen] = {
        violations: await violationsOf(page),
        isTooWide: (await widthOf(page)) > (options.viewport?.width ?? 0),
        markup: await page.locator('#content :is(img, script, iframe)').count(),
        isRenamed: (await page.title()) === '1',
        cut: await page.evaluate(cutOff),
        unseen: await page.evaluate(unseenFocus),
        squashed: await page.evaluate(squashed),
      };
      const none = { violations: [], cut: [], unseen: [], squashed: [] };
      expected[screen] = { ...none, isTooWide: false, markup: 0, isRenamed: false };
    }
    expect(found).toEqual(expected);
    await page.close();
  });

  test('who may read is offered no key that changes anything, and told for whom it is', async () => {
    const { page } = await bench.open(at('workbench'), { user: { email: viewer.email, password } });
    const offered: Record<string, string[]> = {};
    for (const screen of ['workbench', 'suggestions', `groups/${group}`, 'runs', 'exceptions', 'close']) {
      await go(page, at(screen));
      await page.locator('#content h1, #content .item-row').first().waitFor();
      await page
        .locator('#content')
        .getByText(/preparer|approver/)
        .first()
        .waitFor();
      await page.keyboard.press('?');
      offered[screen] = await page.getByRole('dialog').locator('dd').allInnerTexts();
      await page.keyboard.press('Escape');
    }
    const changing =
      /match what|match the|undo|confirm|reject|release|approve|start|everything|assign|exclude|annotate|close the/i;
    expect(
      Object.values(offered)
        .flat()
        .filter((text) => changing.test(text)),
    ).toEqual([]);
    expect(offered['workbench']).toContain('Move in the list');
    await page.close();
  });
});
