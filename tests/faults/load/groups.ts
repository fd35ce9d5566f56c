import { pause, type FaultClient } from '../client';
import { differs, type LoadActor } from './actor';

const invoices = 24;
const lines = 'application/x-ndjson';

interface Group {
  id: string;
  status: string;
  decision: string;
  review?: { status: string };
}

/**
 * Decides about groups: parts are confirmed, whole groups are confirmed or rejected. Later records complete the parts,
 * and others would need what is held.
 */
export const reviewGroups: LoadActor = async ({ world, client, random, isOver }) => {
  const { tenantId } = client;
  const send = (dataset: string, key: string, rows: readonly (readonly [string, number, number])[]): Promise<unknown> =>
    client.surely({
      method: 'post',
      url: '/v1/records/bulk',
      params: { dataset },
      key,
      headers: { 'content-type': lines },
      data: rows
        .map(([externalId, n, amount]) => JSON.stringify({ externalId, body: { n, amount, date: '2026-03-01' } }))
        .join('\n'),
    });
  const all = [...Array(invoices).keys()];
  const odd = all.filter((n) => n % 2 === 1);
  const amountOf = (n: number): number => 100 * (n + 1);
  await send(
    'invoices',
    'invoices',
    all.map((n) => [`I${n}`, n, amountOf(n)] as const),
  );
  // Every second invoice has a first part only.
  await send('payments', 'first', [
    ...all.map((n) => [`a${n}`, n, 60 * (n + 1)] as const),
    ...all.filter((n) => !odd.includes(n)).map((n) => [`b${n}`, n, 40 * (n + 1)] as const),
  ]);
  await client.surely({ method: 'post', url: '/v1/rule-sets', key: 'rule-set', data: await ruleSet(client) });
  await runJob(client, 'first');
  const decided = new Map<string, string>();
  const groups = await groupsOf(client);
  for (const { id, status } of random.sample(groups, groups.length)) {
    const action = status === 'PARTIAL' ? 'confirm' : random.pick(['confirm', 'reject']);
    await client.surely({ method: 'post', url: `/v1/composite-matches/${id}/review`, data: { action } });
    decided.set(id, `${action}ed`);
    if (isOver() && decided.size >= 8) break;
    await pause(random.int(20, 200));
  }

  return async () => {
    const parts = groups.filter(({ id, status }) => status === 'PARTIAL' && decided.has(id)).length;
    await send('payments', 'second', [
      ...odd.map((n) => [`b${n}`, n, 40 * (n + 1)] as const),
      ...all.map((n) => [`c${n}`, n, amountOf(n)] as const),
    ]);
    await runJob(client, 'second');
    const later = await groupsOf(client);
    const rests = await world.query<{ count: number }>(
      `select count(*)::int as count from composite_matches c join rule_sets r on r.live_job_id = c.job_id
        where c.tenant_id = $1::uuid and c.explanation ? 'heldAmount' and c.decision = 'MATCH'
          and c.review_status is null`,
      [tenantId],
    );
    return [
      ...differs(
        'decisions about groups',
        later.flatMap(({ id, review }) => (review ? [[id, review.status]] : [])).sort(),
        [...decided].sort(),
      ),
      ...differs('rests of parts that are completed', rests[0]?.count, parts),
    ];
  };
};

async function ruleSet(client: FaultClient): Promise<object> {
  const { items } = await client.surely<{ items: { id: string; name: string }[] }>({ url: '/v1/datasets' });
  const idOf = (name: string): string => items.find((one) => one.name === name)?.id as string;
  return {
    name: 'groups',
    leftDatasetId: idOf('invoices'),
    rightDatasetId: idOf('payments'),
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0.5,
      matchers: [{ expr: 'left.n = right.n and left.amount = right.amount' }],
      blocking: { amountKey: 'amount', amountTolerancePercent: 0 },
      assignment: 'one_to_one',
      composition: {
        enabled: true,
        matchKeys: [{ left: 'n', right: 'n' }],
        partial: { enabled: true, minMembers: 1, minCompletionRatio: 0.5 },
      },
    },
  };
}

const groupsOf = async (client: FaultClient): Promise<Group[]> =>
  (await client.surely<{ items: Group[] }>({ url: '/v1/composite-matches', params: { limit: 100 } })).items;

async function runJob(client: FaultClient, key: string): Promise<void> {
  const { id } = await client.surely<{ id: string }>({
    method: 'post',
    url: '/v1/matching-jobs',
    data: { dataset: 'invoices' },
    key: `job-${key}`,
  });
  const look = () => client.surely<{ status: string; error: object | null }>({ url: `/v1/matching-jobs/${id}` });
  let job = await look();
  for (; ['queued', 'running'].includes(job.status); job = await look()) await pause(200);
  if (job.status !== 'completed') throw new Error(`the ${key} job is ${job.status}: ${JSON.stringify(job.error)}`);
}
