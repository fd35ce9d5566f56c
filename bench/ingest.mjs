import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import pg from 'pg';

const { from: copyFrom } = createRequire(new URL('../packages/infra/package.json', import.meta.url))('pg-copy-streams');

// Bulk ingest through the REST interface of a running service, against a raw COPY of the same rows into the same table.
//
//   BASE_URL, DATABASE_URL   the service and its database
//   API_KEY                  a tenant key, or the platform key together with TENANT_ID
//   RECORDS, LINES           how many in all (100,000) and in a request (10,000)
//   IN_FLIGHT                requests at the same time (2)
//   API_PID                  shows the API's largest resident set
//   WAIT=1                   also waits until the workers made all records ready

const number = (name, fallback) => Number(process.env[name] ?? fallback);
const required = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: see the head of this file`);
  return value;
};

const baseUrl = required('BASE_URL');
const databaseUrl = required('DATABASE_URL');
const records = number('RECORDS', 100_000);
const lines = number('LINES', 10_000);
const inFlight = number('IN_FLIGHT', 2);
const headers = {
  'x-api-key': required('API_KEY'),
  ...(process.env.TENANT_ID ? { 'x-tenant-id': process.env.TENANT_ID } : {}),
};

/** A record of an ordinary ledger: about 250 bytes of JSON. */
function ledgerRow(i) {
  const day = new Date(Date.UTC(2026, 0, 1 + (i % 365))).toISOString().slice(0, 10);
  return {
    amount: (((i * 7919) % 1_000_000) / 100).toFixed(2),
    date: day,
    currency: 'BRL',
    description: `Payment ${i} of invoice INV-${String(i % 5000).padStart(6, '0')}`,
    counterparty: { name: `Company ${i % 997}`, taxId: String(10_000_000_000 + (i % 997)) },
    reference: `REF-${(i * 2_654_435_761) % 4_294_967_296}`,
  };
}

const dataset = `bench ${randomUUID()}`;
const externalId = (i) => `B-${String(i).padStart(8, '0')}`;

async function sendBulk(from) {
  const body = [];
  for (let i = from; i < Math.min(from + lines, records); i++) {
    body.push(JSON.stringify({ externalId: externalId(i), body: ledgerRow(i) }));
  }
  return body.join('\n');
}

async function post(body) {
  const response = await fetch(`${baseUrl}/v1/records/bulk?dataset=${encodeURIComponent(dataset)}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body,
  });
  const answer = await response.json();
  if (response.status !== 202 || answer.rejected > 0) throw new Error(`${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
}

async function timed(work) {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1e9;
}

async function rawCopy(client, { tenant_id: tenantId }) {
  // A dataset of its own: the same indexes take the same kinds of keys.
  const datasetId = randomUUID();
  const rows = [];
  const stamp = Date.now().toString(16).padStart(12, '0');
  for (let i = 0; i < records; i++) {
    const low = i.toString(16).padStart(12, '0');
    const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-${low}`;
    rows.push(`${id}\t${tenantId}\t${datasetId}\t${externalId(i)}\t${JSON.stringify(ledgerRow(i)).replaceAll('\\', '\\\\')}\n`);
  }
  const seconds = await timed(() =>
    pipeline(
      Readable.from(chunks(rows, 2000)),
      client.query(copyFrom('copy records (id, tenant_id, dataset_id, external_id, data) from stdin')),
    ),
  );
  await client.query('delete from records where tenant_id = $1 and dataset_id = $2', [tenantId, datasetId]);
  return seconds;
}

function* chunks(rows, size) {
  for (let i = 0; i < rows.length; i += size) yield rows.slice(i, i + size).join('');
}

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
try {
  const bodies = [];
  for (let i = 0; i < records; i += lines) bodies.push(await sendBulk(i));
  let next = 0;
  const worker = async () => {
    while (next < bodies.length) await post(bodies[next++]);
  };
  const started = Date.now();
  const bulkSeconds = await timed(() => Promise.all(Array.from({ length: inFlight }, worker)));
  const { rows } = await client.query('select id, tenant_id from datasets where name = $1', [dataset]);
  const own = rows[0];
  const perSecond = (seconds) => Math.round(records / seconds);
  console.log(`bulk ingest   ${perSecond(bulkSeconds)} records/s (${records} records, ${lines} a request, ${inFlight} in flight)`);
  if (process.env.WAIT === '1') {
    for (;;) {
      const open = await client.query("select count(*)::int as n from records where dataset_id = $1 and status = 'received'", [own.id]);
      if (open.rows[0].n === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    console.log(`until ready   ${perSecond((Date.now() - started) / 1000)} records/s, from the first request on`);
  }
  const copySeconds = await rawCopy(client, own);
  console.log(`raw COPY      ${perSecond(copySeconds)} records/s`);
  console.log(`ratio         ${(copySeconds / bulkSeconds).toFixed(2)}`);
  if (process.env.API_PID) {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.env.API_PID}/status`, 'utf8'))?.[1];
    console.log(`API peak RSS  ${Math.round(Number(peak) / 1024)} MiB`);
  }
} finally {
  await client.end();
}
