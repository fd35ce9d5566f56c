import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chromium, type BrowserContextOptions, type Page, type Route } from 'playwright-core';
import { startTestApi, type TestApi, type TestApiOptions, type TestTenant } from '../../api/testing';
import { chromiumFlags, watchPage, type PageLog } from '../../dashboard/testing/chromium';

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A console in a browser and the API behind it, which all tests of a file share. */
export interface ConsoleBench {
  api: TestApi;
  tenant: TestTenant;
  /** Opens a screen of the tenant in a window of its own, signed in. */
  open(path: string, options?: OpenOptions): Promise<OpenScreen>;
  /** Reads the files that wait. Later ones wait again, so that a page can show them unread. */
  readFiles(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default: the key of the tenant, which may do everything. */
  key?: string;
  /** Signs in with email and password instead of a key. */
  user?: { email: string; password: string };
}

export interface OpenScreen {
  page: Page;
  log: PageLog;
}

/** Other tests load the same machine: a step may take several times what it takes alone. */
const stepTimeoutMs = 90_000;

/** Starts API, workers and browser. */
export async function openBench(executablePath: string, options: TestApiOptions = {}): Promise<ConsoleBench> {
  const api = await startTestApi(options);
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  const tenant = await api.newTenant('Casa Aurora');
  return {
    api,
    tenant,
    open: async (path, { key = tenant.key, user, ...options } = {}) => {
      const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
      page.setDefaultTimeout(stepTimeoutMs);
      const log = watchPage(page);
      await page.goto(`${api.url}/app${path}`);
      if (user) {
        await page.getByLabel('Email').fill(user.email);
        await page.getByLabel('Password').fill(user.password);
      } else {
        await page.getByRole('button', { name: /API key|chave de API/ }).click();
        await page.getByLabel(/^(API key|Chave de API)$/).fill(key);
      }
      await page.getByRole('button', { name: /^(Sign in|Entrar)$/ }).click();
      await page.getByRole('navigation').first().waitFor();
      // Before the first sign-in the page asks who is there, and learns that it is no one.
      log.faults.length = 0;
      return { page, log };
    },
    readFiles: async () => {
      await api.runIngest();
      await api.stopIngest();
    },
    close: async () => {
      await browser.close();
      await api.close();
    },
  };
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The violations of WCAG 2.2 AA and of good practice that axe finds on a page, a line for each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const result: AxeResult = await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(tags)} } })`,
  );
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`),
  );
}

/** The width that the content of a page takes, in pixels. */
export const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

/** Holds requests back until it is opened, and answers them then. */
export async function gate(
  page: Page,
  pattern: string,
  answer = (route: Route): Promise<void> => route.continue(),
): Promise<() => Promise<void>> {
  const opened = new AbortController();
  const answered: Promise<void>[] = [];
  await page.route(pattern, (route) => {
    const held = opened.signal.aborted ? Promise.resolve() : once(opened.signal, 'abort').then(() => undefined);
    answered.push(held.then(() => answer(route)));
    return answered.at(-1);
  });
  return async () => {
    opened.abort();
    await Promise.all(answered);
    await page.unroute(pattern);
  };
}
