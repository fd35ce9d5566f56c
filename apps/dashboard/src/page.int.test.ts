import fs from 'node:fs';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumFlags, findChromium, imageStatistics, watchPage, type PageLog } from '../testing/chromium';
import { credentials, startTestDashboard, type TestDashboard } from '../testing/test-dashboard';

const executablePath = findChromium(process.env);
const inChromium = executablePath === undefined ? describe.skip : describe;
const reason = executablePath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** Directory of screenshots for people; none by default. */
const { SCREENSHOT_DIR: screenshotDirectory } = process.env;

inChromium(`the page in Chromium${reason}`, () => {
  let service: TestService;
  let dashboard: TestDashboard;
  let browser: Browser;
  let page: Page;
  let log: PageLog;

  beforeAll(async () => {
    service = await createTestService();
    dashboard = await startTestDashboard(service.queueSettings);
    await dashboard.queue('matching').pause();
    await dashboard.producer.enqueue('matching.plan', { jobId: newId() });
    await dashboard.producer.enqueue('records.process', { recordIds: [newId()] }, { delayMs: 3_600_000 });
    const { nextFailure } = await dashboard.consume(() =>
      Promise.reject(new Error('Field amount: "12,x" is not an amount')),
    );
    await dashboard.producer.enqueue('records.process', { recordIds: [newId()] });
    await nextFailure();
    browser = await chromium.launch({ executablePath: executablePath as string, args: chromiumFlags });
  });

  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
    await service?.close();
  });

  beforeEach(async () => {
    page = await browser.newPage({
      httpCredentials: { username: credentials.user, password: credentials.password },
      viewport: { width: 1400, height: 900 },
      colorScheme: 'light',
    });
    log = watchPage(page);
  });

  /** Checks that every request stayed on the dashboard, and that the browser reported nothing. */
  afterEach(async () => {
    await page.close();
    expect(log.requests.filter((url) => !url.startsWith(`${dashboard.url}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(log.faults).toEqual([]);
  });

  async function expectPicture(name: string): Promise<void> {
    const png = await page.screenshot({ animations: 'disabled' });
    if (screenshotDirectory) fs.writeFileSync(`${screenshotDirectory}/${name}.png`, png);
    const { colours, largestShare } = await imageStatistics(page, png);
    expect(colours).toBeGreaterThan(50);
    expect(largestShare).toBeLessThan(0.9);
  }

  test('shows all queues, the jobs that wait in the paused one, and failed jobs', async () => {
    await page.goto(dashboard.url);
    await page.getByText('No workers').first().waitFor();
    expect(page.url()).toBe(`${dashboard.url}/queues`);
    expect(await page.title()).toBe('Tieout queues');
    const text = await page.innerText('body');
    for (const name of ['Tieout queues', 'ingest', 'matching', 'webhook-delivery', 'maintenance'])
      expect(text).toContain(name);
    expect(text).toMatch(/matching\s+\[ Paused \]\s+(?:WAITING\s+1\s+)?1 Job\b/);
    expect(text).toMatch(/ingest\s+FAILED\s+1\s+2 Jobs/);
    await expectPicture('queues');
  });

  test('shows the reason, the stack and the data of a failed job', async () => {
    await page.goto(`${dashboard.url}/queues/queue/ingest?status=failed`);
    await page.getByText('records.process').first().waitFor();
    await page.getByText('Field amount: "12,x" is not an amount').first().waitFor();
    const text = await page.innerText('body');
    expect(text).toContain('Error: Field amount: "12,x" is not an amount');
    expect(text).toContain('page.int.test.ts');
    await expectPicture('failed-job');
    await page.getByText('Data', { exact: true }).click();
    await page.getByText('recordIds').first().waitFor();
  });

  test('shows a delayed job', async () => {
    await page.goto(`${dashboard.url}/queues/queue/ingest?status=delayed`);
    await page.getByText('records.process').first().waitFor();
    await expectPicture('delayed-job');
  });

  test('retries a failed job by a click', async () => {
    await page.goto(`${dashboard.url}/queues/queue/ingest?status=failed`);
    await page.getByText('Retry all').first().click();
    const retried = page.waitForResponse((response) => response.url().endsWith('/retry/failed'));
    await page.getByText('Confirm', { exact: true }).click();
    expect((await retried).status()).toBe(200);
  });
});
