import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireFrom } from '../tools/paths.mjs';
import { timed } from './measure.mjs';
import { fieldsRead } from './rule-sets.mjs';
import { records } from './workload.mjs';

const { from: copyFrom, to: copyTo } = requireFrom('packages/infra')('pg-copy-streams');
/** Read when it is needed: the product is built before it is measured. */
const newIds = () => requireFrom('packages/domain')('@tieout/infra').newId;

/** Larger sides are copied into the table: loading them is not what is measured. */
const largestRest = 100_000;
const linesPerRequest = 10_000;
const linesOfDataset = 2_000;
const chunkLength = 1 << 18;
const pollMs = 50;

const escaped = (json) => json.replaceAll('\\', '\\\\');

/** Rows of one side as text for COPY, in chunks. */
function* copyText(size, side, row) {
  let text = '';
  let number = 0;
  for (const record of records(size)) {
    text += row(record[side], number);
    number++;
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function copyRecords({ database, tenantId }, { size, side, datasetId }) {
  const newId = newIds();
  const row = (body, number) =>
    `${newId()}\t${tenantId}\t${datasetId}\t${side}-${number}\t${escaped(JSON.stringify(body))}\t{}\tready\n`;
  const target = database.query(
    copyFrom('copy records (id, tenant_id, dataset_id, external_id, data, fields, status) from stdin'),
  );
  await pipeline(Readable.from(copyText(size, side, row)), target);
}

async function ingest({ client }, { size, side, dataset }) {
  let lines = [];
  let number = 0;
  const send = async () => {
    const options = { params: { dataset }, headers: { 'content-type': 'application/x-ndjson' } };
    if (lines.length > 0) await client.post('/v1/records/bulk', lines.join('\n'), options);
    lines = [];
  };
  for (const record of records(size)) {
    lines.push(JSON.stringify({ externalId: `${side}-${number}`, body: record[side] }));
    number++;
    if (lines.length === linesPerRequest) await send();
  }
  await send();
}

async function ready({ client }, dataset, count) {
  while ((await client.get('/v1/records', { dataset, status: 'ready', limit: 1 })).total < count) await sleep(pollMs);
}

/**
 * Loads both sides into datasets of their own: by bulk ingest through the API, or, from a million on, by COPY as
 * records that are ready. `ingestSeconds` is null then.
 *
 * @param {{ client: object, database: object | null, tenantId?: string }} service @param {number} size
 * @param {string} [suffix] of the names of the datasets
 */
export async function loadRecords(service, size, suffix = `${size}`) {
  const sides = [];
  let ingestSeconds = null;
  for (const side of ['left', 'right']) {
    const dataset = `${side}-${suffix}`;
    const { id: datasetId } = await service.client.post('/v1/datasets', { name: dataset });
    const { seconds } = await timed(async () => {
      if (size > largestRest) return copyRecords(service, { size, side, datasetId });
      await ingest(service, { size, side, dataset });
      return ready(service, dataset, size);
    });
    if (size <= largestRest) ingestSeconds = (ingestSeconds ?? 0) + seconds;
    sides.push({ side, dataset, datasetId });
  }
  await service.database?.query('vacuum analyze records');
  const [left, right] = sides;
  return { size, left, right, ingestSeconds };
}

/** Seconds of COPY alone for the records of one side, into the same table. The rows are removed again. */
export async function copySeconds(service, size) {
  const datasetId = newIds()();
  const { seconds } = await timed(() => copyRecords(service, { size, side: 'left', datasetId }));
  await service.database.query('delete from records where tenant_id = $1 and dataset_id = $2', [
    service.tenantId,
    datasetId,
  ]);
  await service.database.query('vacuum records');
  return seconds;
}

/**
 * Measures how many seconds PostgreSQL takes to send what the rule set reads of both sides, to a client that discards
 * it. A job reads the same in parts.
 */
export async function handOverSeconds({ database }, { left, right }) {
  await database.query('begin; set local enable_seqscan = off');
  const { seconds } = await timed(async () => {
    for (const { side, datasetId } of [left, right]) {
      const fields = fieldsRead[side].map((key) => `data -> '${key}'`).join(', ');
      const query = `select id, status = 'failed', ${fields} from records where dataset_id = '${datasetId}'`;
      await finished(database.query(copyTo(`copy (${query}) to stdout (format binary)`)).resume());
    }
  });
  await database.query('commit');
  return seconds;
}

/** Loads some records into a new dataset and waits until they are ready. Returns its id. */
export async function loadDataset(client, dataset, own) {
  const { id } = await client.post('/v1/datasets', { name: dataset });
  const options = { params: { dataset }, headers: { 'content-type': 'application/x-ndjson' } };
  for (let at = 0; at < own.length; at += linesOfDataset) {
    const lines = own.slice(at, at + linesOfDataset).map((record) => JSON.stringify(record));
    await client.post('/v1/records/bulk', lines.join('\n'), options);
  }
  while ((await client.get('/v1/records', { dataset, status: 'ready', limit: 1 })).total < own.length)
    await sleep(pollMs);
  return id;
}
