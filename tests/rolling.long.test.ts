import { Agent } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axios, { type AxiosResponse } from 'axios';
import { Client } from 'pg';
import { startHttpsReceiver, type HttpsReceiver } from '@tieout/testing';
import { startBalancer, type Balancer } from './support/balancer';
import { eventually, startStack, type ProcessName, type Stack } from './support/stack';
import { TenantClient, type Job } from './support/tenant';

let receiver: HttpsReceiver;
let directory: string;
let stack: Stack;
let balancer: Balancer;
let tenant: TenantClient;

/** Outcome of the rolling restart. */
const exitCodes: (number | null)[] = [];
let load: Load;
let job: Job;

const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgcm9sbGluZyByZXN0YXJ0';
const rows = 24;

const rules = { jsonataExpr: 'left.n = right.n', params: { Tmatch: 1, Tpossible: 1 } };

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-rolling-'));
  const ca = path.join(directory, 'ca.pem');
  await writeFile(ca, receiver.ca);
  stack = await startStack({
    SHUTDOWN_DRAIN_MS: '500',
    MATCHING_CONCURRENCY: '1',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
    WEBHOOK_ALLOWED_PORTS: String(receiver.port),
    WEBHOOK_EXTRA_CA_FILE: ca,
    // A machine that starts processes may let an attempt wait for too long: the next one is not minutes away.
    WEBHOOK_RETRY_DELAYS: '1s',
  });
  await stack.start('api#2');
  balancer = await startBalancer([stack.urlOf('api'), stack.urlOf('api#2')]);
  tenant = await TenantClient.create(stack);
  await roll();
});

afterAll(async () => {
  await balancer.close();
  await stack.close();
  await receiver.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Everything is restarted, one process after the other, while a job runs and requests come in. */
async function roll(): Promise<void> {
  const sides = ['left', 'right'] as const;
  for (const side of sides)
    await tenant.bulk(
      side,
      Array.from({ length: rows }, (_, n) => ({ externalId: `${side}${n}`, body: { n } })),
    );
  await Promise.all(sides.map((side) => tenant.settled(side, rows)));
  await tenant.ruleSet('left', 'right', rules);
  await tenant.http.post('/v1/webhooks', { url: receiver.urlByAddress('/'), secret });
  load = startLoad();
  const jobId = await stopInTheMiddleOfABatch();
  await stack.start('matching-worker');
  for (const name of ['api', 'ingest-worker', 'api#2', 'webhook-worker', 'background-worker'] satisfies ProcessName[]) {
    exitCodes.push(await stack.stop(name));
    await stack.start(name);
  }
  await load.stop();
  job = await tenant.ended(jobId);
}

/** Locks a table so that a batch waits for longer than a shutdown takes. Returns the id of the job. */
async function stopInTheMiddleOfABatch(): Promise<string> {
  const database = new Client({ connectionString: stack.database.url });
  await database.connect();
  try {
    await database.query('begin; lock table matches in share mode');
    const jobId = await tenant.startJob('left');
    await eventually('the batch waits', async () => {
      // A transaction reads pg_stat_activity once. Databases copied from one template have the same table ids.
      await database.query('select pg_stat_clear_snapshot()');
      const { rows: waiting } = await database.query(
        `select 1 from pg_locks l join pg_stat_activity a using (pid)
          where l.relation = 'matches'::regclass and a.datname = current_database() and not l.granted
          and a.application_name like 'tieout matching%'`,
      );
      return waiting.length > 0 ? true : undefined;
    });
    exitCodes.push(await stack.stop('matching-worker'));
    return jobId;
  } finally {
    await database.end();
  }
}

interface Load {
  /** Ids of the records that were accepted. */
  accepted: string[];
  /** Answers that were not success, and requests without an answer. */
  faults: string[];
  stop(): Promise<void>;
}

/** Callers that keep their connections, each with one request at a time. */
function startLoad(callers = 3): Load {
  const accepted: string[] = [];
  const faults: string[] = [];
  let stopped = false;
  const call = async (caller: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const http = axios.create({
      baseURL: balancer.url,
      httpAgent: agent,
      headers: tenant.http.defaults.headers as never,
      validateStatus: null,
    });
    const send = async (
      request: () => Promise<AxiosResponse<{ id: string }>>,
      status: number,
    ): Promise<string | undefined> => {
      const answer = await request().catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.status === status) return answer.data.id;
      faults.push(answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.data)}`);
      return undefined;
    };
    for (let n = 0; !stopped; n++) {
      const id = await send(
        () => http.post('/v1/records?dataset=rolled', { externalId: `${caller}-${n}`, body: { n } }),
        202,
      );
      if (id === undefined) continue;
      accepted.push(id);
      await send(() => http.get(`/v1/records/${id}`), 200);
    }
    agent.destroy();
  };
  const calls = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return {
    accepted,
    faults,
    stop: async () => {
      stopped = true;
      await calls;
    },
  };
}

test('no request is answered with a fault, and none loses its connection', () => {
  expect(load.faults).toEqual([]);
  expect(load.accepted.length).toBeGreaterThan(20);
});

test('every process ends by itself, with exit code 0', () => {
  expect(exitCodes).toEqual([0, 0, 0, 0, 0, 0]);
});

test('every record that was accepted is there once, and is processed', async () => {
  await tenant.settled('rolled', load.accepted.length);
  expect([...(await tenant.externalIds('rolled')).keys()].sort()).toEqual([...load.accepted].sort());
});

test('an interrupted batch is handed back, runs again without waiting for a lock, and is counted once', () => {
  expect(job).toMatchObject({
    status: 'completed',
    pairs_total: rows * rows,
    pairs_processed: rows * rows,
    decision_counts: { MATCH: rows },
  });
  expect(stack.log()).toContain('"msg":"job handed back"');
  // A sweep of a busy machine may be taken for lost; the batch is not.
  const ofBatches = stack
    .log()
    .split('\n')
    .filter((line) => line.includes('"queue":"matching"'));
  expect(ofBatches.join('\n')).not.toContain('job of a lost worker runs again');
});

test('the job has one event, which arrives', async () => {
  await receiver.received(1, '/');
  const events = receiver
    .requests('/')
    .map(
      ({ body }) => JSON.parse(body.toString()) as { event: string; data: { matchingJobId?: string; eventId: string } },
    )
    .filter(({ data }) => data.matchingJobId === job.id);
  // An attempt that a restart cuts off is made again, with the same event.
  expect([...new Map(events.map(({ event, data }) => [data.eventId, event])).values()]).toEqual([
    'MATCHING_JOB_COMPLETED',
  ]);
});
