import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { startTestApi, type TestApi } from '../testing';
import { openReconciliation, passRules } from '../testing/open-books';
import { runOf } from '../testing/runs';

let database: TestDatabase;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    `do $$ declare name text; begin
       for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
         execute format('alter table %I set (autovacuum_enabled = off)', name);
       end loop; end $$`,
  );
});

afterAll(async () => {
  await admin.end();
  await database.close();
});

const days = ['2026-03-10', '2026-03-11', '2026-03-12'];
const rowsOf = (count: number): { ref: string; amount: number; date: string | undefined }[] =>
  Array.from({ length: count }, (_, at) => ({ ref: `ref ${at}`, amount: at + 1, date: days[at % days.length] }));

const composing = {
  ...passRules,
  params: { ...passRules.params, composition: { enabled: true, dateStrategy: 'after', dateToleranceDays: 60 } },
};

/** Does what a tenant does in its first month, with this many records on each side. */
async function firstMonth(api: TestApi, count: number): Promise<void> {
  const rows = rowsOf(count);
  const own = await openReconciliation(api, { lefts: rows, rights: rows });
  const { tenant } = own;
  await own.ruleSet(composing);
  expect(await own.reconcile()).toMatchObject({ status: 'completed', decision_counts: { MATCH: count } });
  expect(await runOf(api, own)).toMatchObject({ status: 'completed' });
  expect(await runOf(api, own, { mode: 'full', dryRun: true })).toMatchObject({ changes: { kept: count } });
  expect(await runOf(api, own, { mode: 'full' })).toMatchObject({ changes: { kept: count } });
  const filter = { reconciliationId: own.id, status: 'held' };
  const released = await tenant.api
    .post('/v1/match-groups/release', { filter, reasonCode: 'other', allowAgain: true })
    .expect(200);
  expect(released.body).toMatchObject({ done: count });
  await runOf(api, own);
  const corrected = rows.map((body, at) => ({ externalId: `l${at}`, body: { ...body, amount: body.amount + 0.5 } }));
  await tenant.api.post('/v1/records/bulk?dataset=left', corrected).expect(202);
  await api.runIngest();
  await own.reconcile();
  await runOf(api, own);
  await runOf(api, own, { mode: 'full' });
  for (const query of ['sort=-amount', 'q=ref', 'side=left&dateFrom=2026-03-11'])
    await tenant.api.get(`/v1/reconciliations/${own.id}/open-items?limit=100&${query}`).expect(200);
  await tenant.api.get(`/v1/reconciliations/${own.id}/summary?asOf=2026-03-11`).expect(200);
  await tenant.api.post(`/v1/reconciliations/${own.id}/periods/2026-03/close`, {}).expect(200);
}

/** Counts the rows that a first month reads of each table. The counts of a session are complete once it has ended. */
async function readsOf(count: number): Promise<Record<string, number>> {
  await admin.query('select pg_stat_reset()');
  const api = await startTestApi({ database });
  try {
    await firstMonth(api, count);
  } finally {
    await api.close();
  }
  const { rows } = await admin.query<{ table: string; reads: string }>(
    `select t.relname as table, t.seq_tup_read + sum(i.idx_tup_read) as reads
       from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
      where t.schemaname = 'public' group by t.relname, t.seq_tup_read`,
  );
  return Object.fromEntries(rows.map(({ table, reads }) => [table, Number(reads)]));
}

const [few, many] = [150, 1_200];

test('a tenant that statistics do not know yet costs as many reads for each record, however many it has', async () => {
  await readsOf(20);
  await admin.query('analyze');
  const ofFew = await readsOf(few);
  const ofMany = await readsOf(many);
  const grown = Object.entries(ofMany).filter(([table, reads]) => {
    const linear = ((ofFew[table] ?? 0) * many) / few;
    return reads > 3 * linear + 50 * many;
  });
  expect(Object.fromEntries(grown.map(([table, reads]) => [table, { reads, before: ofFew[table] }]))).toEqual({});
});
