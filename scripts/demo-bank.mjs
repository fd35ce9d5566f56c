import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { showDemo } from './lib/show-demo.mjs';

const help = `Shows a bank feed: connects to a bank of the sandbox, turns its transactions into records, reconciles the
card bills, and prints the webhook events that a receiver on this machine gets. Ends by itself.

Usage: npm run demo:bank [-- options]
  --help   this text

Settings: DATA_DIR (.data). The demo lives in DATA_DIR/bank-demo, which is emptied first and removed at the end.`;

/** The sandbox as a provider over HTTP, as a deployment would reach its own. */
async function startProvider(credential) {
  const { requireFrom } = await import('../tools/paths.mjs');
  const { createSandboxServer } = requireFrom('apps/api')('@tieout/domain');
  const server = createSandboxServer({ credential });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function show({ directory, say, launched }) {
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
    // A delivery that fails on a busy machine is tried again while the demo runs.
    WEBHOOK_RETRY_DELAYS: '10s,1m,30m,1h,3h,8h',
  };
  try {
    const run = (on) => runBankDemo({ ...on, receiver, secret, say });
    await launched({ environment, run });
    say('\nDone: a bank feed from the login to the reconciled card bills.');
  } finally {
    provider.stop();
    await receiver.stop();
  }
}

await showDemo({ name: 'bank', help, show });
