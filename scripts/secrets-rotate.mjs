import { isMain, runMain } from './lib/main.mjs';
import { requireFrom } from './lib/paths.mjs';
import { runningPlaces } from './lib/running.mjs';
import { loadEnvFile } from './lib/settings.mjs';

const usage = `Usage: SECRETS_KEY=<new>,<old> npm run -s secrets:rotate

Writes all secrets in the database anew under the first key of SECRETS_KEY; the others are those that it may be under now. Then the old
ones can be taken out of SECRETS_KEY. DATABASE_URL, or a Tieout that runs here, says which database. Before: give all processes the same list. Safe to stop and to repeat, while everything runs.`;

const stepSize = 500;

/** Columns with secrets, and what their envelopes are bound to. */
const columns = [
  { table: 'webhooks', column: 'secret' },
  { table: 'items', column: 'parameters' },
];

/** A row that somebody has changed meanwhile has the new key already, or is left for the next look. */
async function rotate(client, cipher, keyId, { table, column }) {
  let rotated = 0;
  for (;;) {
    const { rows } = await client.query(
      `select id, tenant_id, ${column} as envelope from ${table} where ${column} is not null and ${column} not like $1 limit ${stepSize}`,
      [`v1.${keyId}.%`],
    );
    if (rows.length === 0) return rotated;
    for (const { id, tenant_id: tenantId, envelope } of rows) {
      const context = { tenantId, purpose: `${table}.${column}`, rowId: id };
      const anew = cipher.encrypt(cipher.decrypt(envelope, context), context);
      const { rowCount } = await client.query(`update ${table} set ${column} = $3 where id = $1 and ${column} = $2`, [id, envelope, anew]);
      rotated += rowCount;
    }
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
  const probe = { tenantId: '', purpose: '', rowId: '' };
  const keyId = cipher.encrypt('', probe).split('.')[1];
  const client = new pg.Client({ connectionString: runningPlaces().databaseUrl });
  await client.connect();
  try {
    for (const place of columns) console.log(`${place.table}.${place.column}: ${await rotate(client, cipher, keyId, place)} written anew`);
  } finally {
    await client.end();
  }
}

if (isMain(import.meta.filename)) await runMain(main);
