import { parseArgs } from 'node:util';
import { isMain, runMain } from '../tools/main.mjs';
import { requireFrom } from '../tools/paths.mjs';
import { loadEnvFile, runningPlaces } from './lib/settings.mjs';

const usage = `Usage: npm run -s tenant:move -- --tenant ID --to NAME [--wait SECONDS] [--dry-run]
       npm run -s tenant:move -- --tenant ID --abort

Moves a tenant to another database of DATABASES while everything runs; main is that of DATABASE_URL. Requests of the
tenant are answered 503 tenant_moving until its rows are copied, and no write that was answered is lost. Killed or cut
off, it goes on when it is run again; --abort takes it back unless the tenant belongs to the target already.

  --wait SECONDS  How long to wait for work of the tenant that runs (default 300); then nothing is moved
  --dry-run       Says what would move, and changes nothing
  --abort         Takes back a move that has not finished

Connects as the owners of the tables: MIGRATION_DATABASE_URL for main, MIGRATION_DATABASES for the others in the form of
DATABASES; by default the urls of the service. Their users need the right to switch off triggers: npm run db:roles gives
it to the owner. All databases have to answer.`;

const defaultWaitSeconds = 300;

/** The connections as owners of all databases that the service knows. */
function readPlaces(readDatabases) {
  const { databaseUrl, migrationUrl } = runningPlaces();
  const { DATABASES: text, MIGRATION_DATABASES: ownersText } = process.env;
  if (!text?.trim())
    throw new Error(`Set DATABASES: there is one database, so a tenant has nowhere to move\n\n${usage}`);
  const known = named('DATABASES', () => readDatabases(databaseUrl, text));
  const owners = named('MIGRATION_DATABASES', () => readDatabases(migrationUrl, ownersText));
  const unknown = owners.find(({ name }) => !known.some((one) => one.name === name));
  if (unknown) throw new Error(`MIGRATION_DATABASES names "${unknown.name}", which DATABASES does not`);
  return known.map((one) => owners.find(({ name }) => name === one.name) ?? one);
}

function named(setting, read) {
  try {
    return read();
  } catch (error) {
    throw new Error(`${setting}: ${error.message}`, { cause: error });
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        tenant: { type: 'string' },
        to: { type: 'string' },
        wait: { type: 'string', default: String(defaultWaitSeconds) },
        abort: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`, { cause: error });
  }
}

async function main() {
  const { tenant: tenantId, to, wait, abort, help, ...given } = readArguments();
  if (help) return console.log(usage);
  if (!tenantId || (to === undefined) === !abort) throw new Error(usage);
  if (!/^\d{1,6}$/.test(wait)) throw new Error('--wait takes a number of seconds');
  loadEnvFile();
  const { openDirect, readDatabases } = requireFrom('apps/api')('@tieout/infra');
  const { abortMove, moveTenant, previewMove } = requireFrom('apps/api')('@tieout/domain');
  const databases = [];
  try {
    for (const place of readPlaces(readDatabases)) databases.push(await openDirect(place));
    const options = { tenantId, to, databases, waitMs: Number(wait) * 1_000, say: console.log };
    if (abort) await abortMove(options);
    else if (given['dry-run']) await previewMove(options);
    else await moveTenant(options);
  } finally {
    for (const database of databases) await database.close();
  }
}

if (isMain(import.meta.filename)) await runMain(main);
