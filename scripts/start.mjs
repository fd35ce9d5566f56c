import { install, requireNode } from './lib/install.mjs';
import { lockDataDirectory } from './lib/data-directory.mjs';
import { runMain, stopRequested } from '../tools/main.mjs';
import { checkSecrets, loadEnvFile, readSettings } from './lib/settings.mjs';

const help = `Starts Tieout: installs and builds what is missing, runs PostgreSQL, API, workers and dashboard.

Usage: npm start [-- options]
  --no-demo   do not make the demo tenant and reconcile the sample
  --help      this text

Settings (environment, or a file .env):
  PORT               port of the API (3000, or the next free one)
  DASHBOARD_PORT     port of the queue dashboard (3001, or the next free one)
  HOST               address to listen on (127.0.0.1)
  DATA_DIR           where everything is kept (.data)
  DATABASE_URL       a PostgreSQL of your own (postgresql://…) instead of the embedded one
  QUEUE_URL          where the queues live: redis://… or postgresql://… (the database)
  PLATFORM_API_KEY   platform key, at least 32 characters (made and kept in DATA_DIR)
  DASHBOARD_PASSWORD password of the dashboard, at least 12 characters (made and kept in DATA_DIR)
  SECRETS_KEY        encrypts secrets in the database, 32 bytes in base64 or hex (made and kept in DATA_DIR)
All others are listed in .env.example.`;

function parseArguments(args) {
  const known = { '--no-demo': false, '--help': false, '-h': false };
  for (const arg of args) {
    if (!(arg in known)) throw new Error(`Unknown option ${arg}\n\n${help}`);
    known[arg] = true;
  }
  return { demo: !known['--no-demo'], help: known['--help'] || known['-h'] };
}

/**
 * Resolves when npm has ended. Ctrl-C of a terminal reaches npm and this process, but SIGTERM or SIGKILL to npm alone
 * ends npm only, and would leave this process without a way to stop it.
 */
function npmGone() {
  if (!process.env.npm_lifecycle_event) return new Promise(() => undefined);
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve('npm is gone');
    }, 250);
    timer.unref();
  });
}

await runMain(async () => {
  const options = parseArguments(process.argv.slice(2));
  if (options.help) return console.log(help);
  requireNode();
  const say = (line) => console.log(line);
  // A terminal that went away must not keep us from stopping in order.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const stop = Promise.race([stopRequested(), npmGone()]);
  loadEnvFile();
  const settings = readSettings();
  checkSecrets(settings);
  const unlock = lockDataDirectory(settings.dataDirectory);
  try {
    await install(say);
    const { launch } = await import('./lib/launcher.mjs');
    await launch({ settings, demo: options.demo, stop, say });
  } finally {
    unlock();
  }
});
// A handle that a library left open must not keep the process alive.
process.exit();
