import { pause, type FaultClient } from '../client';
import type { World } from '../world';
import { differs, type LoadActor } from './actor';

const portions = 4;
const pairsOfPortion = 25;
const runTimeoutMs = 240_000;

/** Record `i` of a side. The references of each fifth pair differ: only people tie it. */
const row = (side: string, i: number): string => {
  const ref = i % 5 === 0 ? `${side}${i}` : `${i}`;
  const date = `2026-0${i % 2 === 0 ? 1 : 2}-1${i % 9}`;
  return JSON.stringify({ externalId: `${side}${i}`, body: { ref, amount: 10 + i, date } });
};

/** A reconciliation that the load works on. */
interface Books {
  world: World;
  client: FaultClient;
  id: string;
}

/**
 * Keeps a reconciliation over two months: portions arrive, runs hold, people tie, release and tie again, and the first
 * month is closed. What was answered is there, no record is held twice, and the sums are those of the rows.
 */
export const keepMonths: LoadActor = async ({ world, client, random, isOver }) => {
  const books = { world, client, id: await open(client) };
  const { id } = books;
  const records = new Map<string, string>();
  /** The groups that were answered, and whether their release was. */
  const answered = new Map<string, 'held' | 'released'>();
  for (let portion = 0; portion < portions; portion++) {
    const numbers = Array.from({ length: pairsOfPortion }, (_, i) => portion * pairsOfPortion + i);
    await arrive(books, numbers, records);
    await run(books, `run-${portion}`);
    for (const i of numbers.filter((n) => n % 5 === 0)) {
      const tie = async (key: string): Promise<string> => {
        const data = { reconciliationId: id, left: [records.get(`left${i}`)], right: [records.get(`right${i}`)] };
        const group = await client.surely<{ id: string }>({ method: 'post', url: '/v1/match-groups', key, data });
        answered.set(group.id, 'held');
        return group.id;
      };
      const group = await tie(`tie-${i}`);
      if (!random.pick([true, false])) continue;
      const url = `/v1/match-groups/${group}/release`;
      await client.surely({ method: 'post', url, key: `release-${i}`, data: { reasonCode: 'other', force: true } });
      answered.set(group, 'released');
      await tie(`tie-${i}-again`);
      if (!isOver()) await pause(random.int(20, 200));
    }
  }
  const closed = await client.surely<{ certificate: { id: string } }>({
    method: 'post',
    url: `/v1/reconciliations/${id}/periods/2026-01/close`,
    key: 'close',
    data: {},
  });
  return async () => {
    await run(books, 'last-run');
    const [audit, stored] = await Promise.all([
      client.surely<{ valid: boolean }>({ url: '/v1/audit/verify' }),
      world.query<{ id: string; status: string }>(
        `select id::text as id, status from match_groups where tenant_id = $1::uuid and origin = 'manual' order by id`,
        [client.tenantId],
      ),
    ]);
    return [
      ...differs(
        'groups that people made',
        stored.map((group) => [group.id, group.status]),
        [...answered].sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      ...differs('the audit chain', audit.valid, true),
      ...(await wrongRows(books, closed.certificate.id)),
    ];
  };
};

async function open(client: FaultClient): Promise<string> {
  const post = <T>(url: string, key: string, data: object): Promise<T> =>
    client.surely<T>({ method: 'post', url, key, data });
  const [left, right] = [
    await post<{ id: string }>('/v1/datasets', 'left', { name: 'left' }),
    await post<{ id: string }>('/v1/datasets', 'right', { name: 'right' }),
  ];
  const ruleSet = await post<{ id: string }>('/v1/rule-sets', 'pass', {
    name: 'pass',
    leftDatasetId: left.id,
    rightDatasetId: right.id,
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0.5,
      assignment: 'one_to_one',
      blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 3 },
      matchers: [{ expr: 'left.ref = right.ref' }],
    },
  });
  const { id } = await post<{ id: string }>('/v1/reconciliations', 'books', {
    name: 'books',
    leftDatasetIds: [left.id],
    rightDatasetIds: [right.id],
    ruleSetIds: [ruleSet.id],
  });
  return id;
}

/** Sends records of both sides, and waits until they are open items. Keeps their ids by external id. */
async function arrive({ world, client, id }: Books, numbers: readonly number[], records: Map<string, string>) {
  for (const side of ['left', 'right']) {
    await client.surely({
      method: 'post',
      url: '/v1/records/bulk',
      params: { dataset: side },
      key: `${side}-${numbers[0]}`,
      headers: { 'content-type': 'application/x-ndjson' },
      data: numbers.map((i) => row(side, i)).join('\n'),
    });
  }
  const wanted = numbers.flatMap((i) => [`left${i}`, `right${i}`]);
  for (;;) {
    const items = await world.query<{ recordId: string; externalId: string }>(
      `select record_id::text as "recordId", external_id as "externalId" from reconciliation_items
        where tenant_id = $1::uuid and reconciliation_id = $2::uuid and external_id = any($3::text[])`,
      [client.tenantId, id, wanted],
    );
    for (const { recordId, externalId } of items) records.set(externalId, recordId);
    if (items.length === wanted.length) return;
    await pause(200);
  }
}

async function run({ client, id }: Books, key: string): Promise<void> {
  const url = `/v1/reconciliations/${id}/runs`;
  const started = await client.surely<{ id: string }>({ method: 'post', url, key, data: {} });
  for (const deadlineMs = Date.now() + runTimeoutMs; ; await pause(100)) {
    const job = await client.surely<{ status: string; error: object | null }>({
      url: `/v1/matching-jobs/${started.id}`,
    });
    if (job.status === 'completed') return;
    if (!['queued', 'running'].includes(job.status)) {
      throw new Error(`the ${key} is ${job.status}: ${JSON.stringify(job.error)}`);
    }
    if (Date.now() > deadlineMs) throw new Error(`the ${key} does not end: ${job.status}`);
  }
}

/** Queries that find contradictions, by the message to report when one returns rows. */
const wrong: Record<string, string> = {
  'records that are not held once, and wholly': `select i.external_id, i.held, i.holds, count(g.id), sum(m.amount)
     from reconciliation_items i
     left join (match_group_members m join match_groups g on g.id = m.group_id and g.status = 'held')
            on m.record_id = i.record_id
    where i.tenant_id = $1::uuid group by i.external_id, i.held, i.holds, i.amount
   having count(g.id) <> 1 or i.holds <> 1 or i.held <> i.amount or sum(m.amount) <> i.amount`,
  'groups of records that do not belong together': `select m.group_id, array_agg(m.external_id)
     from match_group_members m where m.tenant_id = $1::uuid group by 1
   having count(*) <> 2 or count(distinct replace(replace(m.external_id, 'left', ''), 'right', '')) <> 1`,
  'totals that differ from the items': `
    with kept as (
      select side, state, day, sum(count) as count, sum(amount) as amount, sum(held) as held from reconciliation_totals
       where tenant_id = $1::uuid and side is not null group by 1, 2, 3 having sum(count) <> 0
    ), counted as (
      select side, case when open then 'open' else 'held' end as state, day, count(*), sum(amount) as amount,
             sum(held) as held
        from reconciliation_items where tenant_id = $1::uuid group by 1, 2, 3)
    select * from (table kept except table counted) a union all select * from (table counted except table kept) b`,
  'groups that the audit chain does not have once': `select g.id, count(a.seq) from match_groups g
     left join audit_entries a
            on a.tenant_id = g.tenant_id and a.action = 'match_group.hold' and a.object_id = g.id::text
    where g.tenant_id = $1::uuid and g.origin = 'manual' group by 1 having count(a.seq) <> 1`,
  'pairs that are not billed once': `
    select (select coalesce(sum(matches), 0) from billing_entries where tenant_id = $1::uuid) as billed,
           (select count(*) from match_groups where tenant_id = $1::uuid and origin = 'auto') as held
     where (select coalesce(sum(matches), 0) from billing_entries where tenant_id = $1::uuid)
        <> (select count(*) from match_groups where tenant_id = $1::uuid and origin = 'auto')`,
};

async function wrongRows({ world, client }: Books, certificateId: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [what, sql] of Object.entries(wrong)) {
    const rows = await world.query<object>(`select row_to_json(w)::text as row from (${sql}) w limit 3`, [
      client.tenantId,
    ]);
    problems.push(...differs(what, rows, []));
  }
  const standing = await world.query<{ id: string }>(
    `select id::text as id from period_certificates where tenant_id = $1::uuid and voided_at is null`,
    [client.tenantId],
  );
  return [...problems, ...differs('certificates that stand', standing, [{ id: certificateId }])];
}
