import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot, requireFrom } from './paths.mjs';
import { grantAccess, grantQueueAccess } from './postgres/access.mjs';

const directory = inRoot('prisma', 'migrations');

// The lock and the table are those of `prisma migrate deploy`, so that either can follow the other.
const advisoryLock = 72707369;
const ledger = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/** The migrations of the checkout, oldest first. */
export function readMigrations() {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory)
    .filter((name) => fs.existsSync(path.join(directory, name, 'migration.sql')))
    .sort()
    .map((name) => {
      const bytes = fs.readFileSync(path.join(directory, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: crypto.createHash('sha256').update(bytes).digest('hex') };
    });
}

async function alreadyApplied(client) {
  const { rows } = await client.query(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/** One transaction for the script and its row: a migration that fails, or is killed, leaves nothing behind. */
async function applyOnce(client, { name, sql, checksum }) {
  await client.query(sql);
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [crypto.randomUUID(), checksum, name],
  );
}

// A statement that waits for a table blocks all later ones. A migration therefore gives up soon and retries.
const lockWait = '3s';
const attempts = 100;
const pauseMs = 1_000;
const lockNotAvailable = '55P03';
const deadlock = '40P01';

/** Runs work that needs tables others use, in a transaction. */
async function apply(client, name, work) {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; set local lock_timeout = '${lockWait}'`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (attempt === attempts || ![lockNotAvailable, deadlock].includes(error.code)) {
        throw new Error(`Migration ${name} failed and was rolled back: ${error.message}`, { cause: error });
      }
      if (attempt === 1)
        console.error(`Migration ${name} waits for a table in use (${error.message}), and retries for some minutes`);
      await sleep(pauseMs);
    }
  }
}

async function applyOwn(client) {
  await client.query(ledger);
  const applied = await alreadyApplied(client);
  const names = [];
  for (const migration of readMigrations()) {
    const row = applied.get(migration.name);
    if (row && !row.finished_at)
      throw new Error(`Migration ${migration.name} failed before; resolve it by hand (prisma migrate resolve).`);
    if (row && row.checksum !== migration.checksum)
      throw new Error(`Migration ${migration.name} was edited after it was applied.`);
    if (row) continue;
    await apply(client, migration.name, () => applyOnce(client, migration));
    names.push(migration.name);
  }
  await grantAccess(client, (work) => apply(client, 'of access rights', work));
  return names;
}

/** BullMQ's own default. */
const queueSchema = 'bullmq';

const isPostgres = (url) => /^postgres(ql)?:/.test(url);

async function connect(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/**
 * Connects and works alone on a database, since two that give the same rights at once disturb each other. The lock ends
 * with the connection.
 */
async function alone(url, work) {
  const client = await connect(url);
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Brings a database up to date: our migrations, and the tables of the queue when it lives in PostgreSQL. Safe to run by
 * several processes at once.
 *
 * @param {string} databaseUrl
 * @param {string} [queueUrl] Default: the same database.
 * @returns {Promise<string[]>} The names of the migrations it applied.
 */
export async function migrate(databaseUrl, queueUrl = databaseUrl) {
  const names = await alone(databaseUrl, applyOwn);
  if (isPostgres(queueUrl)) {
    const { runMigrations } = requireFrom('packages/infra')('bullmq');
    await alone(queueUrl, async (queue) => {
      await runMigrations(queue, queueSchema);
      await grantQueueAccess(queue, queueSchema);
    });
  }
  return names;
}
