import { pause } from '../client';
import { differs, type LoadActor } from './actor';

const pairs = 60;

/** Decides about matches; what was decided stays, and a later job proposes none of it again. */
export const reviewMatches: LoadActor = async ({ world, client, random, isOver }) => {
  const { tenantId } = client;
  const row = (prefix: string, i: number) =>
    JSON.stringify({ externalId: `${prefix}${i}`, body: { n: i, kind: i % 2 } });
  for (const dataset of ['left', 'right']) {
    const data = Array.from({ length: pairs }, (_, i) => row(dataset, i)).join('\n');
    await client.surely({
      method: 'post',
      url: '/v1/records/bulk',
      params: { dataset },
      key: dataset,
      headers: { 'content-type': 'application/x-ndjson' },
      data,
    });
  }
  const { items } = await client.surely<{ items: { id: string; name: string }[] }>({ url: '/v1/datasets' });
  const idOf = (name: string): string => items.find((one) => one.name === name)?.id as string;
  await client.surely({
    method: 'post',
    url: '/v1/rule-sets',
    key: 'rule-set',
    data: {
      name: 'n',
      leftDatasetId: idOf('left'),
      rightDatasetId: idOf('right'),
      jsonataExpr: 'left.n = right.n',
      params: { Tmatch: 1, Tpossible: 1 },
    },
  });
  const runJob = async (key: string): Promise<void> => {
    const { id } = await client.surely<{ id: string }>({
      method: 'post',
      url: '/v1/matching-jobs',
      data: { dataset: 'left' },
      key,
    });
    const look = () => client.surely<{ status: string; error: object | null }>({ url: `/v1/matching-jobs/${id}` });
    let job = await look();
    for (; ['queued', 'running'].includes(job.status); job = await look()) await pause(200);
    if (job.status !== 'completed') throw new Error(`the ${key} job is ${job.status}: ${JSON.stringify(job.error)}`);
  };
  await runJob('first');
  const { items: matches } = await client.surely<{ items: { id: string }[] }>({
    url: '/v1/matches',
    params: { limit: 100 },
  });
  const decided = new Map<string, string>();
  for (const { id } of random.sample(matches, 25)) {
    const action = random.pick(['confirm', 'reject']);
    await client.surely({ method: 'post', url: `/v1/matches/${id}/review`, data: { action, note: action } });
    decided.set(id, `${action}ed`);
    if (isOver() && decided.size >= 5) break;
    await pause(random.int(20, 200));
  }

  return async () => {
    await runJob('second');
    const stored = await world.query<{ id: string; status: string }>(
      `select id::text as id, review_status as status from matches
        where tenant_id = $1::uuid and review_status is not null order by id`,
      [tenantId],
    );
    const doubled = await world.query(
      `select left_record_id, right_record_id from matches m join rule_sets r on r.id = m.rule_set_id
        where m.tenant_id = $1::uuid and (m.job_id = r.live_job_id or m.review_status is not null) group by 1, 2
        having count(*) > 1 limit 3`,
      [tenantId],
    );
    return [
      ...differs(
        'decisions',
        stored.map(({ id, status }) => [id, status]),
        [...decided].sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      ...differs('pairs that are proposed though they were decided about', doubled, []),
    ];
  };
};
