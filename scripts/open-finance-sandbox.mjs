import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';

const usage = `Usage: npm run sandbox -- [--port 4010] [--host 127.0.0.1] [--credential <text>]

Serves the sandbox provider over HTTP, with the interface of docs/reference/open-finance.md, until it is interrupted.`;

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '4010' },
        host: { type: 'string', default: '127.0.0.1' },
        credential: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`, { cause: error });
  }
}

await runMain(async () => {
  const { port, host, credential, help } = readArguments();
  if (help) return console.log(usage);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`--port must be a number from 0 to 65535\n\n${usage}`);
  await build();
  const { createSandboxServer } = createRequire(import.meta.url)(inRoot('packages', 'domain', 'dist', 'index.js'));
  const server = createSandboxServer(credential === undefined ? {} : { credential });
  await new Promise((resolve, reject) => server.once('error', reject).listen(Number(port), host, resolve));
  console.log(`OPENFINANCE_BASE_URL=http://${host}:${server.address().port}`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
});
