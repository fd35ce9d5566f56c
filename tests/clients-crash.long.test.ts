import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type NewRecord, type Tieout } from '@tieout/client';
import { runCommandIn } from '../packages/cli/testing/run';
import { eventually, startStack, type Stack } from './support/stack';

let stack: Stack;
let folder: string;
let gate: Gate;
let tieout: Tieout;
let env: Record<string, string>;

/** Passes connections on to the API. */
interface Gate {
  url: string;
  /** Kills the API once `bytes` more were sent to it, and starts it again. Resolves when it is ready. */
  killAfter(bytes: number): Promise<void>;
  close(): void;
}

async function openGate(): Promise<Gate> {
  let room = Infinity;
  let onFull = (): void => undefined;
  const server: Server = createServer((client) => {
    const api = connect(Number(new URL(stack.url).port), '127.0.0.1');
    client.on('data', (chunk: Buffer) => {
      room -= chunk.length;
      if (room >= 0) {
        if (!api.write(chunk)) client.pause();
        return;
      }
      room = Infinity;
      client.pause();
      onFull();
    });
    api.on('drain', () => client.resume());
    api.on('data', (chunk: Buffer) => client.write(chunk));
    for (const [one, other] of [
      [client, api],
      [api, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    killAfter: async (bytes) => {
      await new Promise<void>((resolve) => {
        onFull = resolve;
        room = bytes;
      });
      await restart();
    },
    close: () => server.close(),
  };
}

async function restart(): Promise<void> {
  await stack.kill('api');
  await stack.start('api');
}

beforeAll(async () => {
  stack = await startStack({}, undefined, ['api', 'ingest-worker', 'matching-worker', 'background-worker']);
  gate = await openGate();
  folder = await mkdtemp(path.join(tmpdir(), 'tieout-crash-'));
});

afterAll(async () => {
  gate.close();
  await rm(folder, { recursive: true, force: true });
  await stack.close();
});

beforeEach(async () => {
  const platform = { baseUrl: stack.url, apiKey: stack.platformKey };
  const { id } = await createClient(platform).createTenant({ body: { name: 'Acme' } });
  const { key } = await createClient({ ...platform, tenantId: id }).createApiKey({ body: { label: 'work' } });
  tieout = createClient({ baseUrl: gate.url, apiKey: key });
  env = { TIEOUT_URL: gate.url, TIEOUT_KEY: key, TIEOUT_PROFILES: path.join(folder, 'none.json') };
});

const rows = 60_000;
const megabyte = 1 << 20;

/** Writes a file of some 6 MB. */
async function largeFile(): Promise<string> {
  const file = path.join(folder, 'large.csv');
  const lines = Array.from({ length: rows }, (_, no) => `${no},${no % 977}.50,${'note of the row '.repeat(5)}${no}\n`);
  await writeFile(file, `no,amount,note\n${lines.join('')}`);
  return file;
}

test('an upload in which the API is killed arrives once and whole', async () => {
  const { id: dataSourceId } = await tieout.createDataSource({ body: { name: 'Bank', kind: 'bank' } });
  const killed = gate.killAfter(2 * megabyte);
  const sent = tieout.files.upload(await largeFile(), { dataSourceId, dataset: 'large', fromColumns: true });
  await killed;
  const { id: fileId } = await sent;
  const { metadata } = await eventually('the file is read', async () => {
    const file = await tieout.getFile({ path: { id: dataSourceId, fileId } });
    return file.status === 'ready' ? file : undefined;
  });
  expect(metadata.ready).toBe(rows);
  expect((await tieout.listFiles({ path: { id: dataSourceId } })).length).toBe(1);
});

test('tieout upload outlasts a killed API and says so', async () => {
  const killed = gate.killAfter(2 * megabyte);
  const running = runCommandIn(env, 'upload', await largeFile(), '--dataset', 'large', '--watch');
  await killed;
  const { code, out, err } = await running;
  expect([code, out]).toEqual([0, expect.stringMatching(/large\.csv +large +ready +60,000 +0 +0/)]);
  expect(err).toContain('trying again');
});

test('records that are sent while the API is killed arrive once', async () => {
  const records = function* (): Generator<NewRecord> {
    for (let no = 0; no < rows; no++) yield { externalId: `R${no}`, body: { no, note: 'note of the row '.repeat(5) } };
  };
  const killed = gate.killAfter(3 * megabyte);
  const sent = tieout.records.bulk(records(), { dataset: 'sent' });
  await killed;
  expect(await sent).toEqual({ accepted: rows, rejected: 0, errors: [] });
  expect((await tieout.listRecords({ query: { dataset: 'sent', limit: 1 } })).total).toBe(rows);
});

/** Fills two datasets and makes the reconciliation "Books" of them. Returns its id. */
async function makeBooks(): Promise<string> {
  const records = function* (): Generator<NewRecord> {
    for (let no = 0; no < 5_000; no++) yield { externalId: `R${no}`, body: { no } };
  };
  for (const dataset of ['ours', 'theirs']) await tieout.records.bulk(records(), { dataset });
  await eventually('the records are ready', async () => {
    const totals = ['ours', 'theirs'].map(async (dataset) => {
      const { total } = await tieout.listRecords({ query: { dataset, status: 'ready', limit: 1 } });
      return total;
    });
    return (await Promise.all(totals)).every((total) => total === 5_000) || undefined;
  });
  const { items } = await tieout.listDatasets();
  const idOf = (dataset: string): string => items.find(({ name }) => name === dataset)?.id ?? '';
  const [left, right] = [idOf('ours'), idOf('theirs')];
  const { id } = await tieout.createRuleSet({
    body: {
      ...{ name: 'by number', leftDatasetId: left, rightDatasetId: right, engine: 'jsonata-batch' },
      params: {
        ...{ Tmatch: 1, Tpossible: 1, assignment: 'one_to_one', blocking: { amountKey: 'no', amountTolerance: 0 } },
        matchers: [{ id: 'no', expr: 'left.no = right.no', weight: 1 }],
      },
    },
  });
  const body = { name: 'Books', leftDatasetIds: [left], rightDatasetIds: [right], ruleSetIds: [id] };
  return (await tieout.createReconciliation({ body })).id;
}

test('a wait for a job outlasts a killed API', async () => {
  const run = await tieout.startReconciliationRun({ path: { id: await makeBooks() }, body: {} });
  let restarted: Promise<void> | undefined;
  const job = await tieout.waitForJob(run.id, {
    onProgress: () => {
      restarted ??= restart();
    },
  });
  await restarted;
  expect([job.status, job.decision_counts.MATCH]).toEqual(['completed', 5_000]);
});

test('tieout reconcile outlasts a killed API', async () => {
  await makeBooks();
  const running = runCommandIn(env, 'reconcile', 'Books');
  await eventually('the run is there', async () => (await tieout.listMatchingJobs()).items.length > 0 || undefined);
  await restart();
  const { code, out } = await running;
  expect([code, out]).toEqual([0, expect.stringMatching(/^MATCH +5,?000$/m)]);
});
