import { pause, UnansweredError } from '../client';
import { differs, type LoadActor } from './actor';

const bulkRows = 300;

/**
 * Sends records in every way: with an Idempotency-Key, which makes each one exactly once; without one and without an
 * identity, which makes at most one for each try that was not answered; replaced again and again; and in bulk.
 */
export const sendRecords: LoadActor = async ({ world, client, random, isOver }) => {
  /** Allowed number of records by content. */
  const allowed = new Map<string, { min: number; max: number }>();
  const versions = new Map<string, number>();
  const post = (n: string, more: object = {}, key?: string) =>
    ({
      method: 'post',
      url: '/v1/records',
      params: { dataset: 'events' },
      data: { body: { n }, ...more },
      ...(key === undefined ? {} : { key }),
    }) as const;

  const keyed = async (n: string): Promise<void> => {
    await client.surely(post(n, {}, n));
    allowed.set(n, { min: 1, max: 1 });
  };
  const unkeyed = async (n: string): Promise<void> => {
    try {
      await client.once(post(n));
      allowed.set(n, { min: 1, max: 1 });
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      allowed.set(n, { min: 0, max: 1 });
    }
  };
  const replace = async (): Promise<void> => {
    const externalId = `replaced-${random.int(0, 4)}`;
    const version = (versions.get(externalId) ?? 0) + 1;
    await client.surely(post(`${externalId} version ${version}`, { externalId }));
    versions.set(externalId, version);
  };
  const bulk = async (n: string): Promise<void> => {
    const rows = Array.from({ length: bulkRows }, (_, i) => `${n}-${i}`);
    await client.surely({
      method: 'post',
      url: '/v1/records/bulk',
      params: { dataset: 'events' },
      key: n,
      headers: { 'content-type': 'application/x-ndjson' },
      data: rows.map((row) => JSON.stringify({ body: { n: row } })).join('\n'),
    });
    for (const row of rows) allowed.set(row, { min: 1, max: 1 });
  };

  for (let i = 0; !isOver() || i < 10; i++) {
    const kind = random.int(0, 9);
    await (kind < 4
      ? keyed(`keyed-${i}`)
      : kind < 7
        ? unkeyed(`unkeyed-${i}`)
        : kind < 9
          ? replace()
          : bulk(`bulk-${i}`));
    await pause(random.int(10, 60));
  }
  for (const [externalId, version] of versions) allowed.set(`${externalId} version ${version}`, { min: 1, max: 1 });

  return async () => {
    const rows = await world.query<{ n: string; count: number }>(
      `select r.data ->> 'n' as n, count(*)::int as count from records r join datasets d on d.id = r.dataset_id
        where r.tenant_id = $1::uuid and d.name = 'events' group by 1`,
      [client.tenantId],
    );
    const found = new Map(rows.map(({ n, count }) => [n, count]));
    const wrong = [...allowed].filter(([n, { min, max }]) => (found.get(n) ?? 0) < min || (found.get(n) ?? 0) > max);
    const strangers = [...found.keys()].filter((n) => !allowed.has(n));
    return [
      ...wrong
        .map(([n, { min, max }]) => `record ${n} is there ${found.get(n) ?? 0} times instead of ${min} to ${max}`)
        .slice(0, 5),
      ...differs('records that nobody sent', strangers.slice(0, 5), []),
    ];
  };
};
