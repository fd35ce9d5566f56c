import { isMain, runMain } from '../tools/main.mjs';
import { requireFrom } from '../tools/paths.mjs';
import { loadEnvFile, runningPlaces } from './lib/settings.mjs';

const usage = `Usage: SECRETS_KEY=<new>,<old> npm run -s secrets:rotate

Encrypts all secrets in the database with the first key of SECRETS_KEY; they may be encrypted with any of its keys now.
Afterwards the old keys can be removed from SECRETS_KEY. A secret that no key opens stays as it is, is counted, and
makes the exit code 1. The database is that of DATABASE_URL, or of a Tieout that runs here. Give all processes the same
list of keys first. Safe to stop and to repeat, while everything runs.`;

const stepSize = 500;

/** Columns with secrets, and what their envelopes are bound to. */
const columns = [
  { table: 'webhooks', column: 'secret' },
  { table: 'webhooks', column: 'signing_secret' },
  { table: 'webhooks', column: 'old_signing_secret' },
  { table: 'items', column: 'parameters' },
];

/**
 * Makes one pass over a column. A row that cannot be decrypted is left as it is and counted by the key that it needs,
 * which may be lost. A row that was changed during the pass is left to another one. Deleted webhooks have no secret.
 */
async function pass(client, cipher, keyId, { table, column }) {
  const unread = new Map();
  let rotated = 0;
  let changed = 0;
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await client.query(
      `select id, tenant_id, ${column} as envelope from ${table}
        where id > $1 and ${column} <> '' and ${column} not like $2 order by id limit ${stepSize}`,
      [last, `v1.${keyId}.%`],
    );
    if (rows.length === 0) return { rotated, changed, unread };
    for (const { id, tenant_id: tenantId, envelope } of rows) {
      last = id;
      const context = { tenantId, purpose: `${table}.${column}`, rowId: id };
      const text = opened(() => cipher.decrypt(envelope, context), id, unread);
      if (text === null) continue;
      const { rowCount } = await client.query(`update ${table} set ${column} = $3 where id = $1 and ${column} = $2`, [
        id,
        envelope,
        cipher.encrypt(text, context),
      ]);
      rotated += rowCount;
      changed += 1 - rowCount;
    }
  }
}

function opened(decrypt, id, unread) {
  try {
    return decrypt();
  } catch ({ message }) {
    const { rows, first } = unread.get(message) ?? { rows: 0, first: id };
    unread.set(message, { rows: rows + 1, first });
    return null;
  }
}

async function rotate(client, cipher, keyId, place) {
  for (let total = 0; ;) {
    const { rotated, changed, unread } = await pass(client, cipher, keyId, place);
    total += rotated;
    if (changed === 0) return { total, unread };
  }
}

async function main() {
  if (process.argv.includes('--help')) return console.log(usage);
  loadEnvFile();
  const { SECRETS_KEY: keys } = process.env;
  if (!keys) throw new Error(`Set SECRETS_KEY\n\n${usage}`);
  const { createCipher } = requireFrom('apps/api')('@tieout/infra');
  const { default: pg } = await import('pg');
  const cipher = createCipher(keys);
  const [keyId] = cipher.keyIds;
  const client = new pg.Client({ connectionString: runningPlaces().databaseUrl });
  await client.connect();
  try {
    for (const place of columns) {
      const { total, unread } = await rotate(client, cipher, keyId, place);
      const name = `${place.table}.${place.column}`;
      console.log(`${name}: ${total} encrypted again`);
      for (const [why, { rows, first }] of unread)
        console.error(`${name}: ${rows} left as they are, the first one of id ${first}: ${why}`);
      if (unread.size > 0) process.exitCode = 1;
    }
  } finally {
    await client.end();
  }
}

if (isMain(import.meta.filename)) await runMain(main);
