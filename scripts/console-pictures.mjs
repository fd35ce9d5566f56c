import fs from 'node:fs';
import path from 'node:path';
import { apiClient } from '../tools/api-client.mjs';
import { inRoot } from '../tools/paths.mjs';
import { runDemo } from './demo/demo.mjs';
import { jsonFile } from './lib/settings.mjs';
import { showDemo } from './lib/show-demo.mjs';

const help = `Makes the pictures of the console in docs/console: each screen on the data of the demo, light and dark, at
1280 and 390 pixels. Needs Chromium, at /usr/bin/chromium or CHROMIUM_PATH.

Usage: npm run console:pictures [-- options]
  --help   this text

Settings: DATA_DIR (.data). The demo lives in DATA_DIR/pictures-demo, which is emptied first and removed at the end.`;

const folder = inRoot('docs', 'console');
const widths = [
  [1280, 800],
  [390, 844],
];

/** The screens by the names of their files. */
async function screensOf(api, reconciliationId) {
  const { items } = await api.get('/v1/match-groups', { reconciliationId, limit: 1 });
  const at = `/reconciliations/${reconciliationId}`;
  const inner = ['workbench', 'suggestions', 'rules', 'runs', 'exceptions', 'close'];
  return [
    ['overview', '/'],
    ...inner.map((name) => [name, `${at}/${name}`]),
    ['match', `${at}/groups/${items[0].id}`],
    ['import', '/import'],
    ['activity', '/activity'],
    ['settings', '/settings'],
  ];
}

async function signIn(page, baseUrl, key) {
  await page.goto(`${baseUrl}/app`);
  await page.getByRole('button', { name: 'API key' }).click();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').first().waitFor();
}

async function takePictures({ baseUrl, key, screens, say }) {
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    for (const colorScheme of ['light', 'dark'])
      for (const [width, height] of widths) {
        const options = { locale: 'en-GB', colorScheme, reducedMotion: 'reduce', viewport: { width, height } };
        const page = await browser.newPage(options);
        await signIn(page, baseUrl, key);
        for (const [name, address] of screens) {
          await page.goto(`${baseUrl}/app${address}`, { waitUntil: 'networkidle' });
          await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
          await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${width}.png`) });
        }
        say(`  ${screens.length} screens, ${colorScheme}, ${width} pixels`);
        await page.close();
      }
  } finally {
    await browser.close();
  }
}

await showDemo({
  name: 'pictures',
  help,
  show: async ({ directory, say, launched }) => {
    fs.mkdirSync(folder, { recursive: true });
    const stateFile = path.join(directory, 'demo.json');
    const run = async (on) => {
      await runDemo({ ...on, stateFile, say });
      const { apiKey: key, reconciliationId } = jsonFile(stateFile).read();
      const api = apiClient({ baseUrl: on.baseUrl, signal: on.signal, headers: { 'x-api-key': key } });
      const screens = await screensOf(api, reconciliationId);
      await takePictures({ baseUrl: on.baseUrl, key, screens, say });
    };
    await launched({ environment: {}, run });
    say(`\nDone: the pictures are in ${path.relative(process.cwd(), folder)}.`);
  },
});
