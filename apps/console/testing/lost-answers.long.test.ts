import type { Page, Route } from 'playwright-core';
import { heldGroups, runOf } from '../../api/testing/runs';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, violationsOf, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** The service does what it is asked, and its answer is lost. */
async function lose(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionreset');
}

const single = '**/v1/matches/*/review';
const many = '**/v1/matches/review';

inChromium(`suggestions whose answers are lost in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  /** Opens the suggestions of books with a number of pairs, each of which is one. */
  async function openSuggestions(count: number): Promise<{ own: ReconciledBooks; page: Page }> {
    const rows = Array.from({ length: count }, (_, at) => ({ ref: `a${at}`, amount: 10 + at, date: '2026-03-10' }));
    const own = await openReconciliation(bench.api, { lefts: rows, rights: rows, accept: 'review' });
    await runOf(bench.api, own);
    const { page } = await bench.open(`/reconciliations/${own.id}/suggestions`, { key: own.tenant.key });
    await page.getByText(`1 of ${count}`).waitFor();
    return { own, page };
  }

  test.each([
    ['Enter', 'Confirmed', 2],
    ['x', 'Rejected', 4],
  ])('a decision with %s is sent again by itself, and taken once', async (key, said, open) => {
    const { own, page } = await openSuggestions(2);
    const sent: (string | undefined)[] = [];
    await page.route(single, (route) => {
      sent.push(route.request().headers()['idempotency-key']);
      return sent.length === 1 ? lose(route) : route.continue();
    });
    await page.keyboard.press(key);
    await page.getByText(said, { exact: true }).waitFor();
    expect(sent).toEqual([expect.any(String), sent[0]]);
    await page.getByText('1 of 1').waitFor();
    expect(await page.locator('.toast.bad').count()).toBe(0);
    expect(Object.keys(await own.open())).toHaveLength(open);
    await page.close();
  });

  test('a decision that was taken without any answer leaves the list, and its neighbour stays', async () => {
    const { own, page } = await openSuggestions(2);
    await page.route(single, lose);
    await page.keyboard.press('Enter');
    await page.locator('.toast.bad', { hasText: 'The service does not answer' }).waitFor();
    await page.unroute(single);
    await page.getByText('1 of 1').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No suggestion waits').waitFor();
    await page.getByText('Confirmed', { exact: true }).waitFor();
    expect(await heldGroups(own)).toHaveLength(2);
    await page.close();
  });

  test.each([
    ['Enter', 'Confirmed', '**/release'],
    ['x', 'Rejected', single],
  ])('an undo of %s that is not answered can be sent again', async (key, said, address) => {
    const { own, page } = await openSuggestions(2);
    await page.keyboard.press(key);
    await page.getByText(said, { exact: true }).waitFor();
    await page.route(address, (route) => route.abort('connectionreset'));
    await page.keyboard.press('u');
    await page.locator('.toast.bad', { hasText: 'The service does not answer' }).waitFor();
    await page.getByText('1 of 1').waitFor();
    await page.unroute(address);
    await page.keyboard.press('u');
    await page.getByText('Taken back').waitFor();
    await page.getByText('1 of 2').waitFor();
    expect(Object.keys(await own.open())).toHaveLength(4);
    await page.close();
  });

  test('decisions about many that are cut off say what is done, and go on where they ended', async () => {
    const count = 90;
    const { own, page } = await openSuggestions(count);
    const sizes: number[] = [];
    await page.route(many, (route) => {
      sizes.push((route.request().postDataJSON() as { ids: string[] }).ids.length);
      return sizes.length === 1 ? route.continue() : lose(route);
    });
    const confirm = async (left: number): Promise<void> => {
      await page.keyboard.press('b');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Confirm ${left}`, exact: true })
        .click();
    };
    await confirm(count);
    await page.locator('.toast.bad', { hasText: 'The service does not answer' }).waitFor();
    const [done = 0, unanswered = 0] = sizes;
    expect(sizes).toHaveLength(2);
    expect(done).toBeLessThanOrEqual(25);
    const left = count - done - unanswered;
    expect(await page.locator('.toast.bad p').innerText()).toContain(
      `${done} decided, 0 refused, ${unanswered} without an answer, ${left} not sent`,
    );
    await page.unroute(many);
    await page.getByText(`1 of ${left}`, { exact: false }).waitFor();
    await confirm(left);
    await page.getByText(`${left} confirmed, 0 not`).waitFor();
    await page.getByText('No suggestion waits').waitFor();
    expect(await heldGroups(own)).toHaveLength(count);
    await page.close();
  });

  test('what a dialog makes without an answer is made once, and a narrow screen shows the message', async () => {
    const keys = '**/v1/api-keys';
    const { page } = await bench.open('/settings?part=keys', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=label]').fill('of a bad day');
    await page.route(keys, (route) => (route.request().method() === 'POST' ? lose(route) : route.continue()));
    await dialog.locator('button[type=submit]').click();
    const toast = dialog.locator('.toast.bad', { hasText: 'The service does not answer' });
    await toast.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await toast.getByRole('button').click();
    await page.unroute(keys);
    await dialog.locator('button[type=submit]').click();
    await page.getByText('shown once', { exact: false }).waitFor();
    const { body } = await bench.tenant.api.get('/v1/api-keys').expect(200);
    const made = (body as { items: { label: string }[] }).items.filter(({ label }) => label === 'of a bad day');
    expect(made).toHaveLength(1);
    await page.close();
  });

  test('a match by hand that was made without an answer leaves the lists', async () => {
    const row = { ref: 'a', amount: 10, date: '2026-03-10' };
    const own = await openReconciliation(bench.api, { lefts: [row], rights: [row] });
    const { page } = await bench.open(`/reconciliations/${own.id}/workbench`, { key: own.tenant.key });
    await page.locator('.item-row').nth(1).waitFor();
    await page.route('**/v1/match-groups', (route) =>
      route.request().method() === 'POST' ? lose(route) : route.continue(),
    );
    for (const key of ['Enter', 'l', 'Enter', 'm']) await page.keyboard.press(key);
    await page.locator('.toast.bad', { hasText: 'The service does not answer' }).waitFor();
    await page.locator('.item-row').first().waitFor({ state: 'detached' });
    expect(await heldGroups(own)).toHaveLength(1);
    await page.close();
  });
});
