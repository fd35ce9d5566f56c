import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { lockDataDirectory } from './lib/data-directory.mjs';
import { install, requireNode } from './lib/install.mjs';
import { runMain, stopRequested } from '../tools/main.mjs';
import { loadEnvFile, readSettings } from './lib/settings.mjs';

const help = `Shows a bank feed: connects to a bank of the sandbox, turns its transactions into records, reconciles the
card bills, and prints the webhook events that a receiver on this machine gets. Ends by itself.

Usage: npm run demo:bank [-- options]
  --help   this text

Settings: DATA_DIR (.data). The demo lives in DATA_DIR/bank-demo, which is emptied first and removed at the end.`;

/** The demo's own settings: it shares nothing with another Tieout that runs here. */
function settingsIn(directory) {
  const { dashboardUser } = readSettings();
  return { dashboardUser, dataDirectory: directory, host: '127.0.0.1' };
}

/** The sandbox as a provider over HTTP, as a deployment would reach its own. */
async function startProvider(credential) {
  const { requireFrom } = await import('../tools/paths.mjs');
  const { createSandboxServer } = requireFrom('apps/api')('@tieout/domain');
  const server = createSandboxServer({ credential });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function main() {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return console.log(help);
  requireNode();
  const say = (line) => console.log(line);
  const stop = stopRequested();
  loadEnvFile();
  const directory = path.join(readSettings().dataDirectory, 'bank-demo');
  const unlock = lockDataDirectory(directory);
  try {
    for (const name of fs.readdirSync(directory))
      if (name !== 'lock.json') fs.rmSync(path.join(directory, name), { recursive: true });
    await install(say);
    const { build } = await import('./build.mjs');
    await build(say);
    await show({ directory, say, stop });
    fs.rmSync(directory, { recursive: true });
  } finally {
    unlock();
  }
}

async function show({ directory, say, stop }) {
  const { launch } = await import('./lib/launcher.mjs');
  const { runBankDemo } = await import('./demo/bank-demo.mjs');
  const { eventLine, startBankReceiver } = await import('./demo/bank-receiver.mjs');
  const [secret, credential] = [
    crypto.randomBytes(24).toString('base64url'),
    crypto.randomBytes(24).toString('base64url'),
  ];
  const provider = await startProvider(credential);
  const receiver = await startBankReceiver({ secret, show: (event) => say(eventLine(event)) });
  const authority = path.join(directory, 'authority.pem');
  fs.writeFileSync(authority, receiver.ca);
  const environment = {
    OPENFINANCE_BASE_URL: provider.url,
    OPENFINANCE_ALLOWED_BASE_URLS: '',
    OPENFINANCE_CREDENTIALS: `${provider.url}=${credential}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
    WEBHOOK_ALLOWED_PORTS: String(receiver.port),
    WEBHOOK_EXTRA_CA_FILE: authority,
  };
  try {
    const run = (on) => runBankDemo({ ...on, receiver, secret, say });
    await launch({ settings: settingsIn(directory), stop, say, show: { environment, run } });
    say('\nDone: a bank feed from the login to the reconciled card bills.');
  } catch (error) {
    throw new Error(`${error.message}\nThe logs are in ${path.join(directory, 'logs')}.`, { cause: error });
  } finally {
    provider.stop();
    await receiver.stop();
  }
}

await runMain(main);
// A handle that a library left open must not keep the process alive.
process.exit();
