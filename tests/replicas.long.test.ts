import axios, { type AxiosInstance } from 'axios';
import fc from 'fast-check';
import { startReplicated, type ReplicatedPostgres } from './support/replicated';
import { eventually, startStack, type ProcessName, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

let cluster: ReplicatedPostgres;
let stack: Stack;

const apis = ['api', 'api#2'] as const satisfies readonly ProcessName[];

beforeAll(async () => {
  cluster = await startReplicated();
  const settings: Record<string, string> = {};
  stack = await startStack(settings, cluster.url, []);
  settings['DATABASE_REPLICA_URLS'] = cluster.replicasOf(stack.database.serviceUrl).join();
  await Promise.all([...apis, 'ingest-worker' as const].map((name) => stack.start(name)));
});

afterAll(async () => {
  await stack.close();
  await cluster.close();
});

/** The reads of both processes that the server answered. */
async function readsOf(target: 'primary' | 'replica'): Promise<number> {
  let sum = 0;
  for (const name of apis) {
    const { data } = await axios.get<string>(`${stack.urlOf(name)}/metrics`);
    sum += Number(new RegExp(`^tieout_replica_reads_total\\{.*target="${target}".*\\} (\\d+)`, 'm').exec(data)?.[1]);
  }
  return sum;
}

type Step = { kind: 'write' | 'list' | 'ready' | 'export'; at: number };

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('write', 'write', 'list', 'list', 'ready', 'export'),
    at: fc.nat({ max: apis.length - 1 }),
  }),
  { minLength: 120, maxLength: 120 },
);

/** Steps that are taken before the standbys are stopped: one that failed gets no reads for a while. */
const undisturbed = 40;

/** A caller whose requests go to either process. It notes each record that a later answer lacks. */
class Caller {
  readonly missed: string[] = [];
  private readonly written: { id: string; externalId: string }[] = [];

  constructor(
    private readonly https: readonly AxiosInstance[],
    private readonly dataset: string,
  ) {}

  async take({ kind, at }: Step): Promise<void> {
    const http = this.https[at] as AxiosInstance;
    if (kind === 'write') return this.write(http);
    if (kind === 'export') return this.compare(kind, this.written, await this.exported(http));
    if (kind === 'list') return this.compare(kind, this.written.slice(-100), await this.listed(http, {}));
    // A worker has written the status, and the primary tells it.
    const last = this.written.at(-1);
    if (last === undefined) return;
    const { data } = await http.get<{ status: string }>(`/v1/records/${last.id}`);
    if (data.status === 'ready') this.compare(kind, [last], await this.listed(http, { status: 'ready' }));
  }

  private async write(http: AxiosInstance): Promise<void> {
    const externalId = `e${this.written.length}`;
    const { data } = await http.post<{ id: string }>(
      '/v1/records',
      { externalId, body: { n: this.written.length } },
      { params: { dataset: this.dataset } },
    );
    this.written.push({ id: data.id, externalId });
  }

  private async listed(http: AxiosInstance, filter: object): Promise<Set<string>> {
    const params = { dataset: this.dataset, limit: 100, ...filter };
    const { data } = await http.get<{ items: { id: string }[] }>('/v1/records', { params });
    return new Set(data.items.map(({ id }) => id));
  }

  private async exported(http: AxiosInstance): Promise<Set<string>> {
    const body = { fields: ['n'], filters: { dataset: this.dataset } };
    const { data } = await http.post<string>('/v1/records/export.csv', body);
    return new Set(data.split('\n').map((line) => line.split(',')[0] as string));
  }

  private compare(kind: string, expected: readonly { id: string }[], found: ReadonlySet<string>): void {
    for (const { id } of expected) if (!found.has(id)) this.missed.push(`${kind} ${id}`);
  }
}

/** Stops, kills and revives the standbys until it is told to end. */
function disturb(): { end: () => Promise<void> } {
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const standby = cluster.standbys[round % 2 === 0 ? 0 : 1];
      if (round % 4 < 2) {
        await standby.pauseReplay();
        await axios.get(`${stack.url}/readyz`);
        await standby.resumeReplay();
      } else {
        await standby.kill();
        await standby.start();
      }
    }
  };
  const running = run();
  return {
    end: () => {
      isOver = true;
      return running;
    },
  };
}

test('no list and no export of two processes is stale or fails, whatever happens to the standbys', async () => {
  const tenant = await TenantClient.create(stack);
  const headers = { 'x-api-key': tenant.http.defaults.headers['x-api-key'] as string };
  const https = apis.map((name) => axios.create({ baseURL: stack.urlOf(name), headers }));
  const callers = [1, 2, 3].map((n) => ({
    caller: new Caller(https, `d${n}`),
    taken: fc.sample(steps, { numRuns: 1, seed: n })[0] ?? [],
  }));
  await Promise.all(callers.map((_, at) => tenant.bulk(`d${at + 1}`, [{ externalId: 'first', body: {} }])));
  const takeAll = (from: number, to?: number): Promise<unknown> =>
    Promise.all(
      callers.map(async ({ caller, taken }) => {
        for (const step of taken.slice(from, to)) await caller.take(step);
      }),
    );

  await takeAll(0, undisturbed);
  await eventually('a standby answers', async () => {
    await tenant.total('d1');
    return (await readsOf('replica')) > 0 ? true : undefined;
  });
  const disturbance = disturb();
  await takeAll(undisturbed);
  await disturbance.end();
  expect(callers.flatMap(({ caller }) => caller.missed)).toEqual([]);
  expect(await readsOf('primary')).toBeGreaterThan(0);
});

test('standbys that are back are used again, and the log names those that were not', async () => {
  const tenant = await TenantClient.create(stack);
  await tenant.bulk('d', [{ externalId: 'first', body: {} }]);
  await eventually('a standby answers', async () => {
    const before = await readsOf('primary');
    for (let i = 0; i < 5; i++) await tenant.total('d');
    return (await readsOf('primary')) === before ? true : undefined;
  });
  const { data } = await axios.get<string>(`${stack.url}/metrics`);
  expect(data.match(/^tieout_replica_lag_bytes\{/gm)).toHaveLength(2);
  expect(stack.log()).toContain('a replica did not answer; the primary does');
});
