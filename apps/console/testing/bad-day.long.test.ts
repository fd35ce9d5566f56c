import type { Page, Route } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { openUser, password } from '../../api/testing/people';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { gate, openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const row = (ref: string, amount: number): object => ({ ref, amount, date: '2026-03-10' });

/** The answers of a service that is in trouble. */
const troubles: readonly (readonly [string, (route: Route) => Promise<void>, RegExp])[] = [
  ['is refused', (route) => broken(route), /Something broke.*r-77/],
  ['is cut off', (route) => route.abort('connectionreset'), /./],
  [
    'is answered by a stranger',
    (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }),
    /does not answer/,
  ],
];

const refusal = (status: number, code: string, message: string) => ({
  status,
  contentType: 'application/json',
  headers: { 'x-request-id': 'r-77' },
  body: JSON.stringify({ code, message }),
});

const broken = (route: Route): Promise<void> => route.fulfill(refusal(500, 'internal_error', 'Something broke'));

inChromium(`the console on a bad day in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  const books = (lefts: object[], rights: object[], more: object = {}): Promise<ReconciledBooks> =>
    openReconciliation(bench.api, { lefts, rights, ...more });

  const openOn = async (own: ReconciledBooks, screen: string, options: object = {}): Promise<Page> =>
    (await bench.open(`/reconciliations/${own.id}/${screen}`, { key: own.tenant.key, ...options })).page;

  const pick = async (page: Page, ...names: readonly string[]): Promise<void> => {
    for (const name of names) await page.locator('.table-row', { hasText: name }).first().click();
  };

  const screens = ['workbench', 'suggestions', 'groups', 'runs', 'exceptions', 'rules', 'close'];

  test.each(screens)('%s shows that it loads, says what fails, and comes when it is tried again', async (name) => {
    const own = await books([row('a', 10)], [row('b', 10)], { accept: 'review' });
    const { page } = await bench.open('/', { key: own.tenant.key });
    const data = `**/v1/reconciliations/${own.id}**`;
    const open = await gate(page, data);
    const path = `/app/reconciliations/${own.id}/${name}`;
    await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.locator('.skeleton').first().waitFor();
    await open();
    await page.route(data, broken);
    await page.reload();
    await page.getByText('Request r-77').first().waitFor();
    const openMe = await gate(page, '**/v1/me');
    await page.reload();
    await page.locator('.skeleton').first().waitFor();
    await openMe();
    await page.getByText('Request r-77').first().waitFor();
    await page.unroute(data);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('navigation', { name: 'Screens of the reconciliation' }).waitFor();
    await page.close();
  });

  test('a connection that is cut is said, leaves the page, and is taken up again', async () => {
    const own = await books([row('a', 10)], [row('a', 10)]);
    const page = await openOn(own, 'workbench');
    await page.locator('.item-row strong').first().waitFor();
    const go = (path: string): Promise<void> =>
      page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.context().setOffline(true);
    await go('/app/reconciliations/00000000-0000-7000-8000-000000000000/workbench');
    await page.getByText('The service does not answer').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('There is nothing at this address').first().waitFor();
    await page.context().setOffline(true);
    await go(`/app/reconciliations/${own.id}/close`);
    await page.getByText('This screen could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByText('The service does not answer').first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.locator('.statement').first().waitFor();
    await page.close();
  });

  test('a connection that is cut is said in the language of the page, on every card', async () => {
    const own = await books([row('a', 10)], [row('a', 10)]);
    const said = 'O serviço não responde: a conexão pode ter caído. Tente de novo: nada é feito duas vezes.';
    const { page } = await bench.open('/import', { key: own.tenant.key, locale: 'pt-BR' });
    const cut = (route: Route): Promise<void> => route.abort('connectionreset');
    const buffer = Buffer.from('ref;amount\na;10,00\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.locator('.import-reading').waitFor();
    await page.route('**/v1/**', cut);
    await page.getByLabel('Entre células').selectOption(',');
    await page.locator('.import-reading', { hasText: said }).waitFor();
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await page.getByText(said).waitFor({ state: 'detached' });
    await page.route(/v1\/rule-sets\/(preview|simulate)/, cut);
    await page.goto(`${bench.api.url}/app/reconciliations/${own.id}/rules`);
    await page.locator('.live [role=alert]').nth(1).waitFor();
    expect(await page.locator('.live [role=alert]').allInnerTexts()).toEqual([said, said]);
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.route('**/v1/sessions', cut);
    await page.getByLabel('E-mail').fill('ana@example.com');
    await page.getByLabel('Senha').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('form', { hasText: said }).waitFor();
    await page.route('**/v1/me', cut);
    await page.reload();
    await page.locator('form', { hasText: said }).waitFor();
    await page.close();
  });

  test('a key that is pressed while a screen is loading is for that screen, not for the one that is left', async () => {
    const own = await books([row('a', 10)], [row('a', 10)]);
    const page = await openOn(own, 'workbench');
    await page.locator('.item-row strong').first().waitFor();
    const open = await gate(page, '**/app/*.js');
    // The dialog that the third key opens takes the fourth, as it does when nothing is held.
    for (const key of ['g', 'r', 'f', 'd']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await open();
    await page.getByRole('dialog').getByRole('heading', { name: 'Run everything again' }).waitFor();
    await page.close();
  });

  test('a row that is picked before it has been read is selected once it is there', async () => {
    const own = await books([row('a', 10)], [row('a', 10)]);
    const { page } = await bench.open('/', { key: own.tenant.key });
    const open = await gate(page, '**/open-items?side=left**');
    const path = `/app/reconciliations/${own.id}/workbench`;
    await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.locator('.pane[aria-label=right] .item-row strong').waitFor();
    await page.keyboard.press('Enter');
    await open();
    await page.locator('.likeliest[aria-label="Likeliest for l0"] .candidate').waitFor();
    await page.close();
  });

  test.each(troubles)('a match that %s returns with what was selected and typed', async (_title, trouble, said) => {
    const own = await books([row('x', 990)], [row('x', 1000)]);
    const page = await openOn(own, 'workbench');
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('discount');
    await dialog.getByLabel('Note').fill('two per cent');
    await page.route('**/v1/match-groups', trouble);
    await dialog.getByRole('button', { name: 'Match', exact: true }).click();
    await page.locator('.toast.bad').waitFor();
    expect(await page.locator('.toast.bad').innerText()).toMatch(said);
    expect(await dialog.getByLabel('Note').inputValue()).toBe('two per cent');
    await page.unroute('**/v1/match-groups');
    await dialog.getByRole('button', { name: 'Match', exact: true }).click();
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(await own.open()).toEqual({});
    await page.close();
  });

  test('a match that is refused after its person went on is offered again', async () => {
    const own = await books([row('x', 10), row('y', 20)], [row('x', 10), row('y', 20)]);
    const page = await openOn(own, 'workbench');
    const open = await gate(page, '**/v1/match-groups', broken);
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    await pick(page, 'l1');
    await open();
    await page.getByRole('button', { name: 'Take it up again' }).click();
    await page.locator('.difference.tied').waitFor();
    await page.keyboard.press('m');
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(Object.keys(await own.open()).sort()).toEqual(['l1', 'r1']);
    await page.close();
  });

  test('a run that is asked for again before the service answers is started once', async () => {
    const own = await books([row('a', 10)], [row('a', 10)]);
    const page = await openOn(own, 'runs');
    await page.getByRole('button', { name: /^Start a run/ }).waitFor();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    const open = await gate(page, '**/runs');
    for (const key of ['s', 's', 'd']) await page.keyboard.press(key);
    await open();
    await page.getByText('The run has been started.').waitFor();
    expect(sent).toHaveLength(1);
    await page.close();
  });

  test('a match is undone that is still on its way', async () => {
    const own = await books([row('x', 10), row('y', 20)], [row('x', 10), row('y', 20)]);
    const page = await openOn(own, 'workbench');
    await pick(page, 'l1', 'r1');
    await page.keyboard.press('m');
    await page.getByText('Matched', { exact: true }).waitFor();
    const open = await gate(page, '**/v1/match-groups');
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    await page.keyboard.press('u');
    await open();
    await page.getByText('Taken apart again').waitFor();
    expect(Object.keys(await own.open()).sort()).toEqual(['l0', 'r0']);
    await page.close();
  });

  test('a match that another person has released is open again for the one who undoes it', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const page = await openOn(own, 'workbench');
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    await page.getByText('Matched', { exact: true }).waitFor();
    const { body } = await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}`).expect(200);
    const [group] = (body as { items: { id: string }[] }).items;
    const detail = await openOn(own, `groups/${group?.id}`);
    await detail.getByText('Held', { exact: true }).waitFor();
    await own.tenant.api.post(`/v1/match-groups/${group?.id}/release`, { reasonCode: 'other' }).expect(200);
    await page.keyboard.press('u');
    await page.locator('.toast.bad', { hasText: 'released already' }).waitFor();
    for (const name of ['l0', 'r0']) await page.locator('.table-row', { hasText: name }).waitFor();
    await detail.keyboard.press('x');
    await detail.getByRole('dialog').getByLabel('Reason').selectOption('discount');
    await detail.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await detail.locator('.toast.bad', { hasText: 'released already' }).waitFor();
    await detail.locator('.badge', { hasText: 'Released' }).waitFor();
    await Promise.all([page.close(), detail.close()]);
  });

  test('an undo that the service does not answer can be sent again', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const page = await openOn(own, 'workbench');
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    await page.getByText('Matched', { exact: true }).waitFor();
    await page.route('**/release', broken);
    await page.keyboard.press('u');
    await page.locator('.toast.bad').waitFor();
    await page.unroute('**/release');
    await page.keyboard.press('u');
    await page.getByText('Taken apart again').waitFor();
    expect(Object.keys(await own.open()).sort()).toEqual(['l0', 'r0']);
    await page.close();
  });

  test('what was sent when the session had ended is done once its person is back', async () => {
    const own = await books([row('x', 990)], [row('x', 1000)]);
    const { email } = await openUser(bench.api, own.tenant, { role: 'preparer' });
    const page = await openOn(own, 'workbench', { user: { email, password } });
    await pick(page, 'l0', 'r0');
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByLabel('Reason').selectOption('discount');
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Match', exact: true }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(await own.open()).toEqual({});
    await page.close();
  });

  test('a session that another window has begun again serves this one too', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const { email } = await openUser(bench.api, own.tenant, { role: 'preparer' });
    const first = await openOn(own, 'workbench', { user: { email, password } });
    const [second] = await Promise.all([first.waitForEvent('popup'), first.evaluate(`void open('${first.url()}')`)]);
    await pick(second, 'l0', 'r0');
    await first.context().clearCookies();
    await first.keyboard.press('r');
    await first.getByText('Your session has ended').waitFor();
    await first.getByLabel('Email').fill(email);
    await first.getByLabel('Password').fill(password);
    await first.keyboard.press('Enter');
    await first.getByText('Your session has ended').waitFor({ state: 'detached' });
    await second.keyboard.press('m');
    await second.getByText('Matched', { exact: true }).waitFor();
    expect(await own.open()).toEqual({});
    await Promise.all([first.close(), second.close()]);
  });

  test('another person who signs in at the same screen sees nothing of it', async () => {
    const own = await books([row('secret', 990)], []);
    const { email } = await openUser(bench.api, bench.tenant, { role: 'viewer' });
    const page = await openOn(own, 'workbench');
    await page.getByText('secret').first().waitFor();
    await page.context().clearCookies();
    await page.keyboard.press('r');
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByText('secret').count()).toBe(0);
    await page.close();
  });

  test('of two people who tie one record, the slower is told who was faster and gets a new list', async () => {
    const own = await books([row('x', 10)], [row('x', 10), row('y', 10)]);
    const [first, second] = [await openOn(own, 'workbench'), await openOn(own, 'workbench')];
    await pick(first, 'l0', 'r0');
    await pick(second, 'l0', 'r1');
    await first.keyboard.press('m');
    await first.getByText('Matched', { exact: true }).waitFor();
    await second.keyboard.press('m');
    await second.locator('.toast.bad').waitFor();
    expect(await second.locator('.toast.bad').innerText()).toMatch(/held/);
    await second.locator('.table-row', { hasText: 'l0' }).waitFor({ state: 'detached' });
    expect(await second.locator('.pane[aria-label=right] .item-row strong').allInnerTexts()).toEqual(['r1']);
    await Promise.all([first.close(), second.close()]);
  });

  test('of two people who decide one suggestion, the slower is told, and goes on with a new list', async () => {
    const rows = [row('a', 10), row('b', 20)];
    const own = await books(rows, rows, { accept: 'review' });
    await runOf(bench.api, own);
    const [first, second] = [await openOn(own, 'suggestions'), await openOn(own, 'suggestions')];
    await second.getByText('1 of 2').waitFor();
    await first.getByText('1 of 2').waitFor();
    await first.keyboard.press('Enter');
    await first.getByText('Confirmed', { exact: true }).waitFor();
    await second.keyboard.press('x');
    await second.locator('.toast.bad').waitFor();
    await second.getByText('1 of 1').waitFor();
    expect(Object.keys(await own.open())).toHaveLength(2);
    await Promise.all([first.close(), second.close()]);
  });
});
