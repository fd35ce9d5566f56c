import { reportAuditHeads } from '@tieout/domain';
import { lockWaiters, startTestApi, type TestApi, type TestTenant } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf, runWith } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const subscribe = (tenant: TestTenant, events: string[]) =>
  tenant.api.post('/v1/webhooks', { url: 'https://hooks.example/a', secret: 'a-secret', events }).expect(201);

interface EventBody {
  event: string;
  data: Record<string, unknown>;
}

async function eventsOf(tenantId: string, type: string): Promise<EventBody[]> {
  const rows = await api.service.deps.db.system.query<{ body: string }>(
    `select e.body from events e join webhook_deliveries d on d.event_id = e.id
      where e.tenant_id = $1::uuid and e.type = $2 order by d.id`,
    [tenantId, type],
  );
  return rows.map(({ body }) => JSON.parse(body) as EventBody);
}

describe('RECONCILIATION_RUN_COMPLETED', () => {
  const type = 'RECONCILIATION_RUN_COMPLETED';
  const row = { ref: 'a', amount: 10, date: '2026-03-10' };
  const lonely = { ref: 'b', amount: 20, date: '2026-03-10' };

  async function subscribed(events = [type]): Promise<ReconciledBooks> {
    const own = await openReconciliation(api, { lefts: [row, lonely], rights: [row] });
    await subscribe(own.tenant, events);
    return own;
  }

  test('says of a run what the event of its job says, and what it has held', async () => {
    const own = await subscribed([type, 'MATCHING_JOB_COMPLETED']);
    const { id } = await runOf(api, own);
    const [event, ...others] = await eventsOf(own.tenant.tenantId, type);
    const [ofJob] = await eventsOf(own.tenant.tenantId, 'MATCHING_JOB_COMPLETED');
    expect(others).toEqual([]);
    expect(event?.data).toEqual({
      ...ofJob?.data,
      eventId: expect.not.stringContaining(String(ofJob?.data['eventId'])) as string,
      reconciliationId: own.id,
      mode: 'incremental',
      trigger: 'manual',
      groupsHeld: 1,
    });
    expect(ofJob?.data).toMatchObject({ matchingJobId: id, status: 'completed' });
    await runOf(api, own, { mode: 'full' });
    expect((await eventsOf(own.tenant.tenantId, type))[1]?.data).toMatchObject({ mode: 'full', groupsHeld: 0 });
  });

  test('goes to those that subscribe to it alone', async () => {
    const own = await subscribed(['MATCH_GROUP_HELD']);
    await runOf(api, own);
    expect(await eventsOf(own.tenant.tenantId, type)).toEqual([]);
    expect(await eventsOf(own.tenant.tenantId, 'MATCH_GROUP_HELD')).toHaveLength(1);
  });

  test('is there once after a kill in the finish, and however often that is repeated', async () => {
    const own = await subscribed();
    const { system } = api.service.deps.db;
    await runWith(api, own, {
      finishing: async (finish) => {
        // The entry of the audit comes last: the finish has written all else when it waits for this lock.
        await system.transaction(async (tx) => {
          await tx.execute(`select pg_advisory_xact_lock(hashtextextended('audit of ' || $1::text, 0))`, [
            own.tenant.tenantId,
          ]);
          const killed = finish();
          await lockWaiters(api, 1);
          await system.query(
            `select pg_terminate_backend(pid)::text from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
          );
          await expect(killed).rejects.toThrow();
        });
        expect(await eventsOf(own.tenant.tenantId, type)).toEqual([]);
        await finish();
        await finish();
      },
    });
    expect(await eventsOf(own.tenant.tenantId, type)).toHaveLength(1);
  });
});

describe('AUDIT_HEAD', () => {
  const heads = (tenant: TestTenant) => eventsOf(tenant.tenantId, 'AUDIT_HEAD');

  /** Lets the first entries of a tenant be of the day before. */
  async function date({ tenantId }: TestTenant, count: number): Promise<void> {
    await api.service.deps.db.system.transaction(async (tx) => {
      await tx.execute('alter table audit_entries disable trigger user');
      await tx.execute(
        `update audit_entries set at = at - interval '1 day' where tenant_id = $1::uuid and seq <= $2::bigint`,
        [tenantId, count],
      );
      await tx.execute('alter table audit_entries enable trigger user');
    });
  }

  test('reports the last entry of the day before, once, however many report it', async () => {
    const tenant = await api.newTenant();
    await subscribe(tenant, ['AUDIT_HEAD']);
    const { body } = await tenant.api.get('/v1/audit').expect(200);
    const entries = (body as { items: { seq: number; hash: string }[] }).items;
    await date(tenant, 2);
    const report = () => reportAuditHeads(api.service.deps);
    await Promise.all([report(), report()]);
    await report();
    const today = new Date();
    const yesterday = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - 1));
    const { hash } = entries.find(({ seq }) => seq === 2) ?? {};
    expect((await heads(tenant)).map(({ data }) => data)).toEqual([
      {
        eventId: expect.any(String) as string,
        occurredAt: expect.any(String) as string,
        date: yesterday.toISOString().slice(0, 10),
        seq: 2,
        hash,
      },
    ]);
  });

  test('goes to those that subscribe to it alone, and not for a chain that began today', async () => {
    const [other, young] = [await api.newTenant(), await api.newTenant()];
    await subscribe(other, ['MATCH_STALE']);
    await subscribe(young, ['AUDIT_HEAD']);
    await date(other, 1);
    await reportAuditHeads(api.service.deps);
    expect([await heads(other), await heads(young)]).toEqual([[], []]);
  });
});
