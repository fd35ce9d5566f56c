import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Finds the browser at CHROMIUM_PATH, at its usual place or in PATH; undefined when there is none. */
export function findChromium({ CHROMIUM_PATH: given, PATH: searched = '' }: NodeJS.ProcessEnv): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const candidates = [
    given,
    '/usr/bin/chromium',
    ...searched.split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name))),
  ];
  return candidates.find((file) => file !== undefined && file !== '' && fs.existsSync(file));
}

/** Lets the browser run as root, as in CI, and keeps it from contacting its vendor. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export interface PageLog {
  /** Urls that the page requested. */
  requests: string[];
  /** Errors and warnings of the console, uncaught exceptions and failed loads. */
  faults: string[];
}

/** Records everything that a page loads and reports. */
export function watchPage(page: Page): PageLog {
  const log: PageLog = { requests: [], faults: [] };
  page.on('request', (request) => log.requests.push(request.url()));
  page.on('requestfailed', (request) =>
    log.faults.push(`${request.url()} ${request.failure()?.errorText ?? 'failed'}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400) log.faults.push(`${response.url()} ${response.status()}`);
  });
  page.on('pageerror', (error) => log.faults.push(error.message));
  page.on('console', (message) => {
    // A slow page uses late what it has loaded early.
    if (message.text().includes('was preloaded using link preload')) return;
    if (message.type() === 'error' || message.type() === 'warning') log.faults.push(message.text());
  });
  return log;
}

/** Source of a function that runs in a page, so without the types of this program. */
const measureImage = `async (base64) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + base64;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return { colours: counts.size, largestShare: Math.max(...counts.values()) / pixels.length };
}`;

/** Counts the colours of an image, and the share of pixels with its most frequent colour. */
export async function imageStatistics(page: Page, png: Buffer): Promise<{ colours: number; largestShare: number }> {
  return page.evaluate(`(${measureImage})(${JSON.stringify(png.toString('base64'))})`);
}
