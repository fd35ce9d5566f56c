import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { openUser, password } from '../../api/testing/people';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { gate, openBench, type ConsoleBench, type OpenOptions } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const rowsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ ref: `r${at}`, amount: 10 * (at + 1), date: '2026-03-10' }));

interface RuleSetBody {
  name: string;
  version: number;
}

inChromium(`work that must not be lost in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  const books = (count = 1): Promise<ReconciledBooks> => {
    const rows = rowsOf(count);
    return openReconciliation(bench.api, { lefts: rows, rights: rows, accept: 'review' });
  };

  const openOn = async (own: ReconciledBooks, screen: string, options: OpenOptions = {}): Promise<Page> =>
    (await bench.open(`/reconciliations/${own.id}/${screen}`, { key: own.tenant.key, ...options })).page;

  /** Holds a key down, which repeats it, and releases it. */
  const hold = async (page: Page, key: string, times = 8): Promise<void> => {
    for (let press = 0; press < times; press++) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };

  const sentBy = (page: Page): string[] => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && sent.push(new URL(request.url()).pathname));
    return sent;
  };

  describe('rules', () => {
    const ruleSetOf = async (own: ReconciledBooks): Promise<string> => {
      const { body } = await own.tenant.api.get(`/v1/reconciliations/${own.id}`).expect(200);
      return (body as { rule_set_ids: [string] }).rule_set_ids[0];
    };

    const nameOf = (page: Page) => page.getByLabel('Name', { exact: true });

    test('stay as they were typed when a colleague saves, and are saved over them only knowingly', async () => {
      const own = await books();
      const path = `/v1/rule-sets/${await ruleSetOf(own)}`;
      const stored = async (): Promise<RuleSetBody> => (await own.tenant.api.get(path).expect(200)).body as RuleSetBody;
      const page = await openOn(own, 'rules');
      await nameOf(page).fill('mine');
      await own.tenant.api.patch(path, { name: 'theirs' }).expect(200);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.locator('.toast.bad').waitFor();
      expect(await page.locator('.toast.bad').innerText()).toMatch('The rule set is at version 2, not 1');
      await page.getByText('Somebody has saved these rules meanwhile').waitFor();
      expect([await nameOf(page).inputValue(), (await stored()).name]).toEqual(['mine', 'theirs']);
      await page.getByRole('button', { name: 'Undo changes' }).click();
      expect(await nameOf(page).inputValue()).toBe('theirs');
      await nameOf(page).fill('mine again');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The rules are saved').waitFor();
      expect(await stored()).toMatchObject({ name: 'mine again', version: 3 });
      expect(await page.getByText('Somebody has saved these rules meanwhile').count()).toBe(0);
      await page.close();
    });

    test('that are not saved are there again when their person comes back to the screen', async () => {
      const own = await books();
      const page = await openOn(own, 'rules');
      await nameOf(page).fill('half done');
      await page.keyboard.press('Escape');
      for (const key of ['g', 'w']) await page.keyboard.press(key);
      await page.locator('.item-row strong').first().waitFor();
      for (const key of ['g', 'u']) await page.keyboard.press(key);
      await page.getByText('not saved').waitFor();
      expect(await nameOf(page).inputValue()).toBe('half done');
      await page.close();
    });
  });

  describe('a key that is held', () => {
    test('decides one suggestion, and moves through many', async () => {
      const own = await books(12);
      await runOf(bench.api, own);
      const page = await openOn(own, 'suggestions');
      await page.getByText('1 of 12').waitFor();
      const sent = sentBy(page);
      await hold(page, 'j', 4);
      await page.getByText('5 of 12').waitFor();
      await hold(page, 'Enter');
      await page.getByText('Confirmed', { exact: true }).waitFor();
      await hold(page, 'x');
      await page.getByText('Rejected', { exact: true }).waitFor();
      expect(sent.filter((path) => path.endsWith('/review'))).toHaveLength(2);
      await page.close();
    });

    test('opens a form, and does not send it', async () => {
      const own = await books();
      const page = await openOn(own, 'exceptions');
      await page.locator('.exception strong').first().waitFor();
      const sent = sentBy(page);
      await hold(page, 'Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.getByLabel('Assigned to').focus();
      await page.keyboard.type('Ana');
      await hold(page, 'Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('1 item annotated.').waitFor();
      expect(sent).toHaveLength(1);
      await page.close();
    });
  });

  describe('a key that is pressed twice at once', () => {
    /** Presses a key again before the page has been drawn. */
    const pressTwice = (page: Page, key: string): Promise<void> =>
      page.evaluate(
        `for (const key of ${JSON.stringify([key, key])})
           document.getElementById('content').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
      );

    test('assigns an item once', async () => {
      const own = await books();
      const page = await openOn(own, 'exceptions');
      await page.locator('.exception strong').first().waitFor();
      const sent = sentBy(page);
      await pressTwice(page, 'a');
      await page.getByText('1 item annotated.').waitFor();
      expect(sent).toHaveLength(1);
      await page.close();
    });

    test('decides a suggestion once', async () => {
      const own = await books(12);
      await runOf(bench.api, own);
      const page = await openOn(own, 'suggestions');
      await page.getByText('1 of 12').waitFor();
      const sent = sentBy(page);
      await pressTwice(page, 'Enter');
      await page.getByText('Confirmed', { exact: true }).waitFor();
      expect(sent.filter((path) => path.endsWith('/review'))).toHaveLength(1);
      await page.close();
    });

    test('starts a run once', async () => {
      const own = await books();
      const page = await openOn(own, 'runs');
      await page.getByRole('button', { name: /^Start a run/ }).waitFor();
      const sent = sentBy(page);
      await pressTwice(page, 's');
      await page.getByText('The run has been started.').waitFor();
      expect(sent).toHaveLength(1);
      await page.close();
    });
  });

  test('the question to sign in again stays until it is answered', async () => {
    const own = await books();
    const { email } = await openUser(bench.api, own.tenant, { role: 'preparer' });
    const page = await openOn(own, 'workbench', { user: { email, password } });
    await page.locator('.item-row strong').first().waitFor();
    await page.context().clearCookies();
    await page.keyboard.press('r');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    for (let press = 0; press < 5; press++) await page.keyboard.press('Escape');
    expect(await ended.getByLabel('Email').inputValue()).toBe(email);
    await ended.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    await page.close();
  });

  test('a person whose role was lowered meanwhile is told whose work it is', async () => {
    const own = await books();
    const { id, email } = await openUser(bench.api, own.tenant, { role: 'preparer' });
    const page = await openOn(own, 'workbench', { user: { email, password } });
    await page.locator('.item-row').nth(1).waitFor();
    await own.tenant.api.patch(`/v1/users/${id}`, { role: 'viewer' }).expect(200);
    for (const key of ['Enter', 'l', 'Enter', 'm']) await page.keyboard.press(key);
    await page.locator('.toast.bad').waitFor();
    await page.getByText('Matching is for preparers.').waitFor();
    expect(Object.keys(await own.open())).toHaveLength(2);
    await page.close();
  });

  test('what is chosen while an answer is on its way stays chosen', async () => {
    const own = await books(3);
    const page = await openOn(own, 'exceptions');
    await page.locator('.exception strong').first().waitFor();
    const open = await gate(page, '**/open-items/annotate');
    await page.keyboard.press(' ');
    await page.keyboard.press('a');
    for (const key of ['j', ' ']) await page.keyboard.press(key);
    await open();
    await page.getByText('1 item annotated.').waitFor();
    expect(await page.locator('.table-row[aria-selected=true]').count()).toBe(1);
    await page.close();
  });
});
