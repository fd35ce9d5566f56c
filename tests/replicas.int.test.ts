import { collectMeasures, createDb, createLogger, newId, type Db } from '@tieout/infra';
import { createTestDatabase, startNetwork, type TestDatabase, type TestStandby } from '@tieout/testing';
import { onServer, startReplicated, type ReplicatedPostgres } from './support/replicated';
import { eventually } from './support/stack';

let cluster: ReplicatedPostgres;
let database: TestDatabase;
/** Two processes of the service. */
let one: Db;
let other: Db;

const logger = createLogger('test', 'silent');

/** @param maxReplicaWaitMs default: enough for a busy machine, where a test expects a standby to answer */
const open = (replicaUrls: readonly string[], maxReplicaWaitMs = 10_000): Db =>
  createDb({
    url: database.serviceUrl,
    replicaUrls,
    maxReplicaWaitMs,
    poolSize: 3,
    applicationName: 'tieout replicas',
    logger,
  });

beforeAll(async () => {
  cluster = await startReplicated();
  database = await createTestDatabase(cluster.url);
  await onServer(database.url, 'create extension pg_stat_statements');
  const replicas = cluster.replicasOf(database.serviceUrl);
  [one, other] = [open(replicas), open(replicas)];
  await eventually('both standbys are used', async () =>
    (await answeringPorts(one, 20)).size === 2 ? true : undefined,
  );
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.close();
  await cluster.close();
});

const portOf = (url: string): number => Number(new URL(url).port);
const primaryPort = (): number => portOf(cluster.url);
const standbyPorts = (): number[] => cluster.standbys.map((standby) => portOf(standby.urlOf(cluster.url)));

const wherePort = 'select inet_server_port() as port';
const answeringPort = async (db: Db, tenantId: string = newId()): Promise<number> =>
  (await db.forReads(tenantId).query<{ port: number }>(wherePort))[0]?.port ?? 0;

async function answeringPorts(db: Db, reads: number): Promise<Set<number>> {
  const ports = new Set<number>();
  for (let i = 0; i < reads; i++) ports.add(await answeringPort(db));
  return ports;
}

async function newTenant(): Promise<string> {
  const tenantId = newId();
  await one.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
  return tenantId;
}

const insertDataset = `insert into datasets (id, tenant_id, name, kind)
  values (gen_random_uuid(), $1::uuid, $2, 'generic')`;

const write = (db: Db, tenantId: string, name: string) =>
  db.forTenant(tenantId).execute(insertDataset, [tenantId, name]);

const list = async (db: Db, tenantId: string): Promise<string[]> =>
  (await db.forReads(tenantId).query<{ name: string }>('select name from datasets order by name')).map(
    ({ name }) => name,
  );

const usedAgain = (db: Db, standby: TestStandby) =>
  eventually('the standby is used again', async () =>
    (await answeringPort(db)) === portOf(standby.urlOf(cluster.url)) ? true : undefined,
  );

/** Resolves when a statement of the service sleeps on the server. */
const sleeperOn = (url: string) =>
  eventually('a statement sleeps', async () => {
    const rows = await onServer(url, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`);
    return rows.length > 0 ? true : undefined;
  });

/** Takes a minute on a standby, and no time on the primary. */
const slowOnStandby = `select inet_server_port() as port, count(*)::int as datasets,
  case when pg_is_in_recovery() then pg_sleep(60)::text end as slept from datasets`;

describe('reads are answered by the standbys', () => {
  test('in turn, by all kinds of handles', async () => {
    expect([...(await answeringPorts(one, 20))].sort()).toEqual(standbyPorts().sort());
    const tenantId = await newTenant();
    const reads = one.forReads(tenantId);
    const [first] = await reads.query<{ port: number }>(wherePort);
    expect(standbyPorts()).toContain(first?.port);
    expect(await reads.prepared.query(wherePort)).toEqual([first]);
    expect(await reads.shortReads.query(wherePort)).toEqual([first]);
    expect(await reads.session(async (client) => (await client.query<object>(wherePort)).rows)).toEqual([first]);
  });

  test('and nothing but the question for the end of the log reaches the primary', async () => {
    const tenantId = await newTenant();
    await write(one, tenantId, 'a');
    const count = 40;
    const statements = async (): Promise<{ query: string; calls: number }[]> =>
      onServer(
        database.url,
        `select s.query, s.calls::int from pg_stat_statements s join pg_database d on d.oid = s.dbid
          join pg_roles r on r.oid = s.userid where d.datname = current_database() and r.rolname <> current_user`,
      );
    await onServer(database.url, 'select pg_stat_statements_reset()');
    for (let i = 0; i < count; i++) {
      expect(await list(one, tenantId)).toEqual(['a']);
      expect(await one.forReads(tenantId).orm.dataset.count()).toBe(1);
    }
    const alone = await statements();
    expect(alone).toEqual([
      { query: expect.stringContaining('pg_current_wal_insert_lsn') as string, calls: 2 * count },
    ]);
    await onServer(database.url, 'select pg_stat_statements_reset()');
    await Promise.all(Array.from({ length: count }, () => list(one, tenantId)));
    const [question, ...others] = await statements();
    expect(others).toEqual([]);
    // Reads of one turn share a question.
    expect(question?.calls).toBe(1);
  });

  test('and changes are refused', async () => {
    const reads = one.forReads(newId());
    await expect(reads.execute('select 1')).rejects.toThrow('handle for reads');
    await expect(reads.transaction(() => Promise.resolve())).rejects.toThrow('handle for reads');
    await expect(reads.orm.dataset.deleteMany({})).rejects.toThrow('handle for reads');
  });

  test('and show the rows of the own tenant only', async () => {
    const [own, another] = [await newTenant(), await newTenant()];
    await write(one, own, 'own');
    await write(one, another, 'another');
    for (let i = 0; i < 10; i++) {
      const reads = one.forReads(own);
      const rows = await reads.query('select name, inet_server_port() as port from datasets');
      expect(rows).toEqual([{ name: 'own', port: expect.any(Number) as number }]);
      expect(standbyPorts()).toContain((rows[0] as { port: number }).port);
      expect(await reads.shortReads.query('select name from datasets')).toEqual([{ name: 'own' }]);
      expect(
        await reads.session(async (client) => (await client.query<object>('select name from datasets')).rows),
      ).toEqual([{ name: 'own' }]);
      expect(await reads.orm.dataset.findMany({ select: { name: true } })).toEqual([{ name: 'own' }]);
    }
  });
});

describe('a read shows all that was committed before it', () => {
  test('by either process, while both write', async () => {
    const tenantId = await newTenant();
    const committed = new Set<string>();
    let stale: string[] = [];
    const work = async (writer: Db, reader: Db, who: string): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        const name = `${who}${String(i).padStart(3, '0')}`;
        await write(writer, tenantId, name);
        committed.add(name);
        const before = [...committed];
        const seen = new Set(await list(i % 3 === 0 ? writer : reader, tenantId));
        stale = stale.concat(before.filter((one) => !seen.has(one)));
      }
    };
    const taken = collectMeasures();
    await Promise.all([work(one, other, 'a'), work(other, one, 'b'), work(one, one, 'c')]);
    expect(stale).toEqual([]);
    const targets = taken().filter(({ name }) => name === 'tieout_replica_reads_total');
    expect(targets.filter(({ labels }) => labels.target === 'replica').length).toBeGreaterThan(0);
  });

  test('also by a commit that does not wait for the disk', async () => {
    const tenantId = await newTenant();
    for (let i = 0; i < 20; i++) {
      const name = `async${i}`;
      await other.forTenant(tenantId).transaction(async (tx) => {
        await tx.execute(`select set_config('synchronous_commit', 'off', true)`);
        await tx.execute(insertDataset, [tenantId, name]);
      });
      expect(await list(one, tenantId)).toContain(name);
    }
  });

  test('also while the standbys do not replay: the primary answers', async () => {
    const tenantId = await newTenant();
    const replicas = cluster.replicasOf(database.serviceUrl);
    const hasty = [open(replicas, 100), open(replicas, 100)] as const;
    await Promise.all(cluster.standbys.map((standby) => standby.pauseReplay()));
    try {
      await write(hasty[0], tenantId, 'unreplayed');
      for (const db of hasty) {
        expect(await list(db, tenantId)).toEqual(['unreplayed']);
        expect(await answeringPort(db)).toBe(primaryPort());
        const lags = await db.replicaLag();
        expect(lags.map(({ bytes }) => bytes ?? 0).filter((bytes) => bytes > 0)).toHaveLength(2);
      }
    } finally {
      await Promise.all(cluster.standbys.map((standby) => standby.resumeReplay()));
    }
    for (const standby of cluster.standbys) await usedAgain(hasty[0], standby);
    expect(await list(hasty[0], tenantId)).toEqual(['unreplayed']);
    await Promise.all(hasty.map((db) => db.close()));
  });

  test('also while one standby is behind: the other answers', async () => {
    const [behind, current] = cluster.standbys;
    const tenantId = await newTenant();
    await behind.pauseReplay();
    try {
      for (let i = 0; i < 10; i++) {
        await write(one, tenantId, `n${i}`);
        const rows = await one
          .forReads(tenantId)
          .query<{ count: number; port: number }>('select count(*)::int, inet_server_port() as port from datasets');
        expect(rows).toEqual([{ count: i + 1, port: portOf(current.urlOf(cluster.url)) }]);
      }
    } finally {
      await behind.resumeReplay();
    }
  });
});

describe('a standby that fails costs no read', () => {
  test('when it cancels a statement that its replay cannot wait for', async () => {
    const tenantId = await newTenant();
    const [standby] = cluster.standbys;
    const db = open([standby.urlOf(database.serviceUrl)]);
    const at = standby.urlOf(database.url);
    const reload = 'select pg_reload_conf()';
    await onServer(at, `alter system set max_standby_streaming_delay = '0'`, reload);
    try {
      await usedAgain(db, standby);
      const read = db.forReads(tenantId).query(slowOnStandby);
      await sleeperOn(at);
      await onServer(database.url, 'begin', 'lock table datasets in access exclusive mode', 'commit');
      expect(await read).toEqual([{ port: primaryPort(), datasets: 0, slept: null }]);
      // The standby has done its duty.
      await usedAgain(db, standby);
    } finally {
      await onServer(at, 'alter system reset max_standby_streaming_delay', reload);
      await db.close();
    }
  });

  test('when it is killed, and it is used again when it comes back', async () => {
    const tenantId = await newTenant();
    const [standby] = cluster.standbys;
    const db = open([standby.urlOf(database.serviceUrl)]);
    await usedAgain(db, standby);
    const reads = [
      db.forReads(tenantId).query(slowOnStandby),
      db.forReads(tenantId).session(async (client) => {
        const { rows } = await client.query<object>(slowOnStandby);
        return rows;
      }),
    ];
    await sleeperOn(standby.urlOf(database.url));
    await standby.kill();
    for (const read of reads) expect(await read).toEqual([{ port: primaryPort(), datasets: 0, slept: null }]);
    await write(db, tenantId, 'meanwhile');
    for (let i = 0; i < 20; i++) expect(await list(db, tenantId)).toEqual(['meanwhile']);
    expect(await db.replicaLag()).toEqual([{ replica: expect.any(String) as string, bytes: undefined }]);
    await standby.start();
    await usedAgain(db, standby);
    expect(await list(db, tenantId)).toEqual(['meanwhile']);
    await db.close();
  });

  test('when the network to it is gone', async () => {
    const tenantId = await newTenant();
    const [standby] = cluster.standbys;
    const network = await startNetwork(standby.urlOf(database.serviceUrl));
    const db = open([network.url]);
    await usedAgain(db, standby);
    const read = db.forReads(tenantId).query(slowOnStandby);
    await sleeperOn(standby.urlOf(database.url));
    network.refuse();
    network.forget();
    const meanwhile = Promise.all(Array.from({ length: 10 }, () => answeringPort(db)));
    expect(await read).toEqual([{ port: primaryPort(), datasets: 0, slept: null }]);
    expect(new Set(await meanwhile)).toEqual(new Set([primaryPort()]));
    network.mend();
    await usedAgain(db, standby);
    await db.close();
    await network.close();
  });

  test('when it has become a primary of its own', async () => {
    const tenantId = await newTenant();
    const [standby, follower] = cluster.standbys;
    await standby.promote();
    const stranger = open([standby.urlOf(database.serviceUrl)], 100);
    await onServer(
      standby.urlOf(database.url),
      insertDataset.replace('$1', `'${tenantId}'`).replace('$2', `'elsewhere'`),
    );
    expect(await list(stranger, tenantId)).toEqual([]);
    expect(await stranger.replicaLag()).toMatchObject([{ bytes: undefined }]);
    for (let i = 0; i < 10; i++) expect(await list(one, tenantId)).toEqual([]);
    await usedAgain(one, follower);
    await stranger.close();
  });
});

test('without replicas a handle for reads is the usual one', async () => {
  const plain = open([]);
  const tenantId = await newTenant();
  expect(await answeringPort(plain)).toBe(primaryPort());
  await plain.forReads(tenantId).transaction(() => Promise.resolve());
  expect(await plain.replicaLag()).toEqual([]);
  await plain.close();
});
