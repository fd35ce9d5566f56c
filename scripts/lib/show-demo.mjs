import fs from 'node:fs';
import path from 'node:path';
import { runMain, stopRequested } from '../../tools/main.mjs';
import { lockDataDirectory } from './data-directory.mjs';
import { install, requireNode } from './install.mjs';
import { loadEnvFile, readSettings } from './settings.mjs';

/**
 * Runs a demo over its own Tieout, which shares nothing with another one that runs here, and ends the process.
 *
 * @param {{ name: string, help: string, show: (demo: { directory: string, say: (line: string) => void, launched: (show:
 *   { environment: Record<string, string>, run: (on: { baseUrl: string, platformKey: string, signal: AbortSignal }) =>
 *   Promise<void> }) => Promise<void> }) => Promise<void> }} demo Its data lives in DATA_DIR/name-demo, which is
 *   emptied first and removed at the end.
 */
export async function showDemo({ name, help, show }) {
  await runMain(async () => {
    if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return console.log(help);
    requireNode();
    const say = (line) => console.log(line);
    const stop = stopRequested();
    loadEnvFile();
    const { dataDirectory, dashboardUser } = readSettings();
    const directory = path.join(dataDirectory, `${name}-demo`);
    const unlock = lockDataDirectory(directory);
    try {
      for (const entry of fs.readdirSync(directory))
        if (entry !== 'lock.json') fs.rmSync(path.join(directory, entry), { recursive: true });
      await install(say);
      const { build } = await import('../build.mjs');
      await build(say);
      const settings = { dashboardUser, dataDirectory: directory, host: '127.0.0.1' };
      const launched = async (shown) => {
        const { launch } = await import('./launcher.mjs');
        try {
          await launch({ settings, stop, say, show: shown });
        } catch (error) {
          throw new Error(`${error.message}\nThe logs are in ${path.join(directory, 'logs')}.`, { cause: error });
        }
      };
      await show({ directory, say, launched });
      fs.rmSync(directory, { recursive: true });
    } finally {
      unlock();
    }
  });
  // A handle that a library left open must not keep the process alive.
  process.exit();
}
