import { setTimeout as sleep } from 'node:timers/promises';
import { isMain, runMain } from '../tools/main.mjs';
import { failedJobs, openQueues, queueRows, removeJob, resumeQueue, retryFailed } from './lib/ops-queues.mjs';
import { loadEnvFile, runningPlaces } from './lib/settings.mjs';
import { tableLines } from '../tools/table.mjs';

const usage = `Usage: npm run -s ops -- <command>

  status            Waiting work with its age and tenant: database, queues, open work
  failed            The failed queue jobs, newest first, with the reason
  retry <queue>     Runs the failed jobs of a queue again, or with an id that one only
  remove <queue> <id> Removes a queue job that no process runs, whatever its state
  resume <queue>    Lets a paused queue go on
  sql "<statement>" Runs a statement that only reads on the database, and shows its rows; with --write behind it any

Reads DATABASE_URL, QUEUE_URL and QUEUE_PREFIX, or asks a Tieout that was started with npm start (DATA_DIR).
docs/how-to/runbook.md says when to use which.`;

const tooManyConnections = '53300';
const connectMs = 10_000;
const retryMs = 100;
/** On-call searches for the holder of a lock, and must not wait for it. */
const lockMs = 2_000;
const lockTimeout = '55P03';

/** Connects, and retries while all connections are in use: finding out who uses them is what on-call needs then. */
async function connect(url) {
  const { default: pg } = await import('pg');
  const endMs = Date.now() + connectMs;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      application_name: 'tieout ops',
      lock_timeout: lockMs,
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (error.code !== tooManyConnections || Date.now() > endMs) throw error;
      await sleep(retryMs);
    }
  }
}

async function onDatabase(url, work) {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function onQueues(settings, work) {
  const queues = openQueues(settings);
  try {
    return await work(queues);
  } finally {
    await Promise.all(queues.map((queue) => queue.close()));
  }
}

const text = (value) =>
  value === null
    ? ''
    : value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

function print(title, rows, none = 'none') {
  console.log(`\n${title}`);
  if (rows.length === 0) return console.log(`  ${none}`);
  const names = Object.keys(rows[0]);
  for (const line of tableLines(
    names.map((name) => ({ title: name, maxWidth: 100 })),
    rows.map((row) => names.map((name) => text(row[name]))),
  ))
    console.log(line);
}

/** Counts the oldest only: counting more takes seconds. */
const maxCounted = 1_000_000;

/** State of the work according to the rows, also when the queues are down. */
const parts = {
  'Connections to PostgreSQL': `select application_name as process, count(*)::int as connections,
    count(*) filter (where state = 'active')::int as active,
      count(*) filter (where wait_event_type = 'Lock')::int as "wait for a lock",
      current_setting('max_connections') as max
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() group by 1 order by 2 desc`,
  'Records that wait, by tenant': `select tenant_id as tenant,
    case when sum(count(*)) over () = ${maxCounted} then 'at least ' else '' end || count(*) as records,
      date_trunc('second', now() - min(updated_at))::text as since
    from (select tenant_id, updated_at from records where status = 'received'
    order by updated_at limit ${maxCounted}) r group by 1 order by count(*) desc limit 5`,
  'Open files': `select tenant_id as tenant, id as file, status, next_line as "at line", date_trunc('second',
    now() - uploaded_at)::text as since
    from data_source_files where status in ('uploaded', 'processing') order by uploaded_at limit 10`,
  'Open matching jobs': `select j.tenant_id as tenant, j.id as job, j.status,
    count(b.*) filter (where b.done) || '/' || count(b.*) as batches,
      date_trunc('second', now() - greatest(j.created_at, j.planned_at, max(b.done_at)))::text as "last progress"
    from matching_jobs j left join job_batches b on b.job_id = j.id where j.status in ('queued', 'running')
    group by j.id order by j.created_at limit 10`,
  'Deliveries that are due, by webhook': `select tenant_id as tenant, webhook_id as webhook,
    count(*)::int as due, date_trunc('second', now() - min(next_attempt_at))::text as since
    from webhook_deliveries where status in ('pending', 'retry_scheduled') and next_attempt_at <= now()
    group by 1, 2 order by 3 desc limit 5`,
  'Items by status': `select status, count(*)::int as items, count(*) filter (where due_at < now())::int as due
    from items where deleted_at is null group by 1 order by 2 desc`,
};

async function status({ databaseUrl, queues }) {
  await onDatabase(databaseUrl, async (client) => {
    for (const [title, sql] of Object.entries(parts)) {
      try {
        print(title, (await client.query(sql)).rows);
      } catch (error) {
        if (error.code !== lockTimeout) throw error;
        print(title, [], `not known: somebody has locked a table that this reads, for more than ${lockMs / 1000} s`);
      }
    }
  });
  print('Queues', await onQueues(queues, queueRows));
}

const readOnlyViolation = '25006';

/** Runs a statement; without --write it cannot change data. */
async function sql({ databaseUrl }, statement, ...options) {
  if (!statement || options.some((option) => option !== '--write')) throw new Error(usage);
  const mayWrite = options.length > 0;
  try {
    const results = await onDatabase(databaseUrl, async (client) => {
      if (!mayWrite) await client.query('set default_transaction_read_only = on');
      return client.query(statement);
    });
    for (const { command, rows, rowCount } of [results].flat())
      print(`${command === 'SELECT' ? '' : `${command}: `}${rowCount ?? 0} rows`, rows, '');
  } catch (error) {
    throw error.code === readOnlyViolation
      ? new Error(`${error.message}. It writes: put --write behind the statement if that is meant`)
      : error;
  }
}

async function main() {
  const [command, ...rest] = process.argv.slice(2);
  if (command === undefined || command === '--help') return console.log(usage);
  loadEnvFile();
  const commands = {
    status: () => status(runningPlaces()),
    failed: async () => print('Failed queue jobs', await onQueues(runningPlaces().queues, failedJobs)),
    retry: async () =>
      console.log(`${await onQueues(runningPlaces().queues, (queues) => retryFailed(queues, ...rest))} jobs run again`),
    remove: async () => {
      await onQueues(runningPlaces().queues, (queues) => removeJob(queues, ...rest));
      console.log(`${rest[1]} of ${rest[0]} is removed`);
    },
    resume: async () => {
      await onQueues(runningPlaces().queues, (queues) => resumeQueue(queues, rest[0]));
      console.log(`${rest[0]} goes on`);
    },
    sql: () => sql(runningPlaces(), ...rest),
  };
  if (!(command in commands)) throw new Error(`${command} is not a command\n\n${usage}`);
  await commands[command]();
}

if (isMain(import.meta.filename)) {
  // A reader who has seen enough ends it.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  await runMain(main);
  process.exit();
}
