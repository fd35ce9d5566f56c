import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { openUser, password } from '../../api/testing/people';
import { runOf } from '../../api/testing/runs';
import { findChromium } from '../../dashboard/testing/chromium';
import { gate, openBench, violationsOf, widthOf, type ConsoleBench, type OpenScreen } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const date = '2026-03-10';
const row = (ref: string, amount: number | string, more: object = {}): object => ({ ref, amount, date, ...more });

interface GroupBody {
  id: string;
  status: string;
  origin: string;
  difference: number;
  adjustments: { amount: number; reason_code: string }[];
  left: { external_id: string }[];
}

inChromium(`the console in Chromium${reason}`, () => {
  let bench: ConsoleBench;
  let opened: OpenScreen[] = [];

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  /** Checks that every request stayed on the service, and that the browser reported nothing. */
  afterEach(async () => {
    const screens = opened;
    opened = [];
    for (const { page, log } of screens) {
      await page.close();
      expect(log.requests.filter((url) => !url.startsWith(`${bench.api.url}/`) && !url.startsWith('data:'))).toEqual(
        [],
      );
      // A question whose answer nothing waits for any longer is cancelled.
      expect(log.faults.filter((fault) => !fault.includes('net::ERR_ABORTED'))).toEqual([]);
    }
  });

  const open: ConsoleBench['open'] = async (path, options) => {
    const screen = await bench.open(path, options);
    opened.push(screen);
    return screen;
  };

  const books = (lefts: object[], rights: object[], more: object = {}): Promise<ReconciledBooks> =>
    openReconciliation(bench.api, { lefts, rights, ...more });

  const openOn = async (own: ReconciledBooks, screen: string, options: object = {}) =>
    open(`/reconciliations/${own.id}/${screen}`, { key: own.tenant.key, ...options });

  const groupsOf = async (own: ReconciledBooks): Promise<GroupBody[]> =>
    (
      (await own.tenant.api.get(`/v1/match-groups?reconciliationId=${own.id}`).expect(200)).body as {
        items: GroupBody[];
      }
    ).items;

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test('no screen has a fault of access', async () => {
      const own = await books([row('a', 10), row('b', 20), row('c', 5)], [row('a', 10), row('b', 20)], {
        accept: 'review',
      });
      await runOf(bench.api, own);
      await own.tie(['l1'], ['r1']).expect(201);
      const [group] = await groupsOf(own);
      const { page } = await openOn(own, 'workbench', { colorScheme });
      const found: Record<string, string[]> = {};
      const look = async (name: string, path: string, part: string): Promise<void> => {
        if (path !== '') await page.evaluate(`history.pushState({}, '', '/app${path}')`);
        await page.locator(part).first().waitFor();
        found[name] = await violationsOf(page);
      };
      const at = `/reconciliations/${own.id}`;
      await look('workbench', '', '.item-row');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.locator('.candidate').first().waitFor();
      await look('candidates', '', '.candidate');
      await page.keyboard.press('?');
      await look('keys', '', 'dialog');
      await page.keyboard.press('Escape');
      await look('suggestions', `${at}/suggestions`, '.waterfall');
      await look('groups', `${at}/groups`, '.item-row .soft');
      await look('group', `${at}/groups/${group?.id}`, '.history');
      await look('overview', '/', '.overview-card .rate');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await look('sign in', '', 'input[type=password]');
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    });
  });

  test('a likely row is found and matched by keyboard alone, and the match is undone', async () => {
    const own = await books([row('x', 10), row('y', 20)], [row('z', 20), row('x', 10)]);
    const { page } = await openOn(own, 'workbench');
    await page.getByText('l0').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.likeliest[aria-label="Likeliest for l0"] .candidate').first().waitFor();
    await page.keyboard.press('1');
    await page.locator('.difference.tied').waitFor();
    await page.keyboard.press('m');
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(await page.locator('.table-row').allInnerTexts()).toHaveLength(2);
    expect(await groupsOf(own)).toMatchObject([{ status: 'held', origin: 'manual', difference: 0 }]);
    await page.keyboard.press('u');
    await page.getByText('Taken apart again').waitFor();
    expect(await page.locator('.table-row').allInnerTexts()).toHaveLength(4);
    expect(await groupsOf(own)).toMatchObject([{ status: 'released' }]);
  });

  test('a difference is explained by an adjustment with a reason', async () => {
    const own = await books([row('x', '990.00')], [row('x', '1000.00')]);
    const { page } = await openOn(own, 'workbench');
    await page.getByText('l0').first().click();
    await page.getByText('r0').first().click();
    await page.keyboard.press('m');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Reason').selectOption('discount');
    await page.getByRole('dialog').getByRole('button', { name: 'Match', exact: true }).click();
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(await groupsOf(own)).toMatchObject([
      { difference: 0, adjustments: [{ amount: 10, reason_code: 'discount' }] },
    ]);
  });

  test('the rest of a record stays open', async () => {
    const own = await books([row('x', 1000)], [row('x', 400)]);
    const { page } = await openOn(own, 'workbench');
    await page.getByText('l0').first().click();
    await page.getByText('r0').first().click();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Leave the rest of l0 open' }).click();
    await page.getByText('of 1,000.00').waitFor();
    await page.getByText('Matched', { exact: true }).waitFor();
    expect(await own.open()).toEqual({ l0: 600 });
  });

  test('rows come back with a message when somebody else was faster, but for those that are gone', async () => {
    const own = await books([row('x', 10)], [row('x', 10), row('y', 10)]);
    const { page, log } = await openOn(own, 'workbench');
    await page.getByText('l0').first().click();
    await page.getByText('r0').first().click();
    await own.tie(['l0'], ['r1']).expect(201);
    await page.keyboard.press('m');
    await page.locator('.toast.bad').waitFor();
    expect(await page.locator('.toast.bad').innerText()).toMatch(/held|Request/);
    await page.locator('.table-row', { hasText: 'l0' }).waitFor({ state: 'detached' });
    expect(await page.locator('.table-row', { hasText: 'r0' }).count()).toBe(1);
    log.faults.length = 0;
  });

  test('filters live in the address, and come off one by one', async () => {
    const own = await books([row('x', 10), row('y', 500)], [row('z', 20)]);
    const { page } = await openOn(own, 'workbench?amountMin=100&lq=y');
    await page.getByText('l1').first().waitFor();
    await page.locator('.table .skeleton').first().waitFor({ state: 'detached' });
    expect(await page.locator('.table-row').allInnerTexts()).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove: Amount ≥ 100' }).click();
    await page.getByText('r0').first().waitFor();
    expect(page.url()).not.toContain('amountMin');
    expect(page.url()).toContain('lq=y');
  });

  test('suggestions are confirmed, rejected and undone by keyboard, and the place is kept', async () => {
    const rows = ['a', 'b', 'c'].map((ref, at) => row(ref, 10 * (at + 1)));
    const own = await books(rows, rows, { accept: 'review' });
    await runOf(bench.api, own);
    const { page } = await openOn(own, 'suggestions');
    await page.getByText('1 of 3').waitFor();
    await page.keyboard.press('j');
    await page.getByText('2 of 3').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    const last = await page.locator('.detail h2').innerText();
    await page.keyboard.press('x');
    await page.getByText('1 of 1').waitFor();
    await page.getByText('Rejected').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Taken back').waitFor();
    await page.getByRole('heading', { name: last }).waitFor();
    await page.getByText('2 of 2').waitFor();
    expect((await groupsOf(own)).filter(({ status }) => status === 'held')).toMatchObject([{ origin: 'confirmed' }]);
  });

  test('every field of a suggestion is seen, however much stands around it', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, `text ${at}`]));
    const own = await books([row('a', 10, fields)], [row('a', 10, fields), row('a', 10, fields)], { accept: 'review' });
    await runOf(bench.api, own);
    const { page } = await openOn(own, 'suggestions', { viewport: { width: 1280, height: 640 } });
    await page.locator('.compared').waitFor();
    const frame = await page.locator('.detail .scroll-x').boundingBox();
    const table = await page.locator('.compared').boundingBox();
    const next = await page.locator('.waterfall').boundingBox();
    expect(table?.height).toBeGreaterThan(400);
    expect(frame?.height).toBeGreaterThanOrEqual(table?.height ?? 0);
    expect(next?.y).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0));
  });

  test('many suggestions are confirmed after their count and sum were shown', async () => {
    const rows = ['a', 'b', 'c'].map((ref, at) => row(ref, 10 * (at + 1)));
    const own = await books(rows, rows, { accept: 'review' });
    await runOf(bench.api, own);
    const { page } = await openOn(own, 'suggestions');
    await page.getByText('1 of 3').waitFor();
    await page.keyboard.press('b');
    await page
      .getByText('3 suggestions that fit the filter can be confirmed; their left side adds up to 60.00.')
      .waitFor();
    await page.getByRole('button', { name: 'Confirm 3' }).click();
    await page.getByText('No suggestion waits').waitFor();
    expect(await groupsOf(own)).toHaveLength(3);
  });

  test('a match is released with a reason', async () => {
    const own = await books([row('x', 10, { customer: 'Padaria Sol' })], [row('x', 10, { memo: 'PIX from Sol' })]);
    await own.tie(['l0'], ['r0']).expect(201);
    const { page } = await openOn(own, 'groups');
    await page.locator('.item-row', { hasText: /Padaria Sol.* ↔ PIX from Sol/ }).click();
    await page.getByText('ties out').waitFor();
    await page.getByRole('region', { name: 'left' }).getByText('Padaria Sol').waitFor();
    await page.getByRole('region', { name: 'right' }).getByText('PIX from Sol').waitFor();
    await page.keyboard.press('x');
    await page.getByLabel('Reason').selectOption('data_error');
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('Released by').waitFor();
    expect(await page.locator('.history li').count()).toBe(2);
    expect(await groupsOf(own)).toMatchObject([{ status: 'released' }]);
  });

  test('who comes back from a match goes on where it is in the list', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => row(`x${at}`, 10 + at));
    const own = await books(rows, rows);
    await runOf(bench.api, own);
    const { page } = await openOn(own, 'groups');
    await page.locator('.item-row strong').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.history').waitFor();
    await page.goBack();
    await page.locator('.table-row.active[aria-posinset="1"]').waitFor();
    for (const key of ['j', 'End', 'k', 'Enter']) await page.keyboard.press(key);
    await page.locator('.history').waitFor();
    await page.goBack();
    await page.locator('.table-row.active[aria-posinset="39"]').waitFor();
    expect(await page.locator('.table-row.active').isVisible()).toBe(true);
  });

  test('texts of records are never markup', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const more = { memo: '=HYPERLINK("http://x")', note: '\u202Egnp.exe', long: 'x y '.repeat(25_000) };
    const own = await books([row(hostile, 10, more)], [row(hostile, 10, more)], {
      accept: 'review',
      name: hostile.slice(0, 60),
    });
    await runOf(bench.api, own);
    const { page } = await openOn(own, 'suggestions');
    await page.getByText('onerror').first().waitFor();
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.locator('.pane-head').first().waitFor();
    await page.locator('.item-row strong').first().waitFor();
    await page.keyboard.press('j');
    await page.locator('.pane .table-row.active').first().waitFor();
    await page.keyboard.press('d');
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('who may only read is not offered to change anything', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const scopes = ['reconciliations:read', 'records:read', 'matches:read'];
    const { key } = await bench.api.newKey(own.tenant, scopes);
    const { page } = await openOn(own, 'workbench', { key });
    await page.getByText('l0').first().click();
    await page.getByText('r0').first().click();
    expect(await page.getByRole('button', { name: 'Match' }).count()).toBe(0);
  });

  test('who may not see a screen is told so', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const { key } = await bench.api.newKey(own.tenant, ['reconciliations:read']);
    const { page, log } = await openOn(own, 'workbench', { key });
    await page.getByText('You may not see this').first().waitFor();
    // Each list is refused in a moment of its own.
    await page.close();
    log.faults.length = 0;
  });

  test('a session that ends asks to sign in, and keeps what was selected', async () => {
    const own = await books([row('x', 10)], [row('x', 10)]);
    const { page, log } = await openOn(own, 'workbench');
    await page.getByText('l0').first().click();
    await page.getByText('r0').first().click();
    await page.context().clearCookies();
    await page.keyboard.press('r');
    await page.getByText('Your session has ended').waitFor();
    await page.getByRole('button', { name: 'Sign in with an API key' }).click();
    await page.getByLabel('API key', { exact: true }).fill(own.tenant.key);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('l0').first().waitFor();
    log.faults.length = 0;
  });

  test('a sign-out that fails says so, and its person stays signed in', async () => {
    const { page, log } = await open('/');
    await page.route('**/v1/sessions/current', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.toast.bad').waitFor();
    await page.unroute('**/v1/sessions/current');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    log.faults.length = 0;
  });

  test('a session that cannot be taken up says why', async () => {
    const { page, log } = await open('/');
    const body = JSON.stringify({ code: 'overloaded', message: 'The service is busy' });
    await page.route('**/v1/me', (route) => route.fulfill({ status: 503, contentType: 'application/json', body }));
    await page.reload();
    await page.getByText('The service is busy').waitFor();
    log.faults.length = 0;
  });

  test('a password is set as it is typed, blanks included', async () => {
    const { email } = await openUser(bench.api, bench.tenant, { role: 'viewer' });
    const { page } = await open('/settings?part=account', { user: { email, password } });
    const next = ` ${password} again `;
    await page.getByLabel('Password of today').fill(password);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.locator('.toast').waitFor();
    await open('/', { user: { email, password: next } });
  });

  test('a confirmed match above the limit waits in the overview, until another approves it by a key', async () => {
    const own = await books([row('a', 10)], [row('a', 10)], { approvalAbove: 5, accept: 'review' });
    await runOf(bench.api, own);
    const preparer = await openUser(bench.api, own.tenant, { role: 'preparer' });
    const confirming = await openOn(own, 'suggestions', { user: { email: preparer.email, password } });
    await confirming.page.getByText('1 of 1').waitFor();
    await confirming.page.keyboard.press('Enter');
    await confirming.page.getByText('Confirmed; another person has to approve it').waitFor();
    const { email } = await openUser(bench.api, own.tenant, { role: 'approver' });
    // Matches that wait go on waiting when the limit is lifted.
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { approvalAbove: null }).expect(200);
    const { page } = await open('/', { user: { email, password } });
    await page.getByRole('link', { name: 'of these, 1 match waits for approval' }).click();
    await page.locator('.item-row', { hasText: /Waits for approval.*From a suggestion/s }).waitFor();
    const [group] = await groupsOf(own);
    await confirming.page.goto(`${bench.api.url}/app/reconciliations/${own.id}/groups/${group?.id}`);
    await confirming.page
      .getByText('You have made or confirmed this match: another person has to approve it.')
      .waitFor();
    await confirming.page.getByRole('button', { name: /^Release/ }).waitFor();
    expect(await confirming.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await page.goto(`${bench.api.url}/app/reconciliations/${own.id}/groups/${group?.id}`);
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    const answer = await gate(page, '**/approve');
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    // The group still looks open while it is read again.
    const readAgain = await gate(page, `**/v1/match-groups/${group?.id}?*`);
    const read = page.waitForRequest(/match-groups\/[^/]*\?/);
    await answer();
    await read;
    await page.keyboard.press('a');
    expect(await page.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    await readAgain();
    await page.locator('.history', { hasText: /Approved by .*Sent for approval by /s }).waitFor();
    expect(await page.locator('.toast.bad').count()).toBe(0);
    expect(await groupsOf(own)).toMatchObject([{ status: 'held' }]);
  });

  test.each(['workbench', 'suggestions', 'groups'])('%s fits a screen of 390 pixels', async (screen) => {
    const rows = ['a', 'b'].map((ref, at) => row(ref, 10 * (at + 1)));
    const own = await books([...rows, row('c', 5)], [...rows, row('c', 5)], { accept: 'review' });
    await runOf(bench.api, own);
    await own.tie(['l2'], ['r2']).expect(201);
    const { page } = await openOn(own, screen, { viewport: { width: 390, height: 844 } });
    await page.getByRole('link', { name: 'Suggestions' }).waitFor();
    await page.locator('.item-row strong').first().waitFor();
    expect(await widthOf(page)).toBeLessThanOrEqual(390);
  });

  test('an address without a screen says so, and leads home; that of a reconciliation leads to its items', async () => {
    const own = await books([row('x', 10)], []);
    const { page } = await openOn(own, '');
    await page.locator('.pane[aria-label=left] .item-row strong').waitFor();
    await page.goto(`${bench.api.url}/app/nowhere`);
    await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the overview' }).waitFor();
  });
});
