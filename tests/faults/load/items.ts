import { pause } from '../client';
import { differs, type LoadActor } from './actor';

const statuses = ['ITEM_CREATED', 'ITEM_LOGIN_SUCCEEDED', 'ITEM_UPDATED'];

/** Connects to banks of the sandbox and ingests their transactions into a dataset: each one once, with one event. */
export const connectItems: LoadActor = async ({ world, client, random, isOver }) => {
  await client.surely({ method: 'post', url: '/v1/datasets', data: { name: 'bank' }, key: 'bank' });
  const ids: string[] = [];
  for (let i = 0; (!isOver() && i < 3) || i < 1; i++) {
    const parameters = { user: random.pick(['ok', 'slow']), password: 'correct horse battery staple' };
    const { id } = await client.surely<{ id: string }>({
      method: 'post',
      url: '/v1/items',
      data: { connectorId: 'sandbox', parameters },
      key: `item-${i}`,
    });
    await client.surely({ method: 'post', url: `/v1/items/${id}/ingest`, data: { dataset: 'bank' } });
    ids.push(id);
    await pause(random.int(200, 1_500));
  }
  return async () => {
    const rows = await world.query<{ body: string }>('select body from events where tenant_id = $1::uuid order by id', [
      client.tenantId,
    ]);
    const events = rows.map(
      ({ body }) =>
        JSON.parse(body) as { event: string; data: { itemId?: string; sequence: number; transactionIds?: string[] } },
    );
    const told = events.flatMap(({ event, data }) =>
      event === 'TRANSACTIONS_CREATED' ? (data.transactionIds ?? []) : [],
    );
    const stored = await world.query<{ externalId: string }>(
      `select r.external_id as "externalId" from records r join datasets d on d.id = r.dataset_id
        where r.tenant_id = $1::uuid and d.name = 'bank'`,
      [client.tenantId],
    );
    return [
      ...ids.flatMap((id) => {
        const own = events.filter(({ data }) => data.itemId === id).sort((a, b) => a.data.sequence - b.data.sequence);
        return [
          ...differs(
            `numbers of the events of item ${id}`,
            own.map(({ data }) => data.sequence),
            own.map((_, index) => index + 1),
          ),
          ...differs(
            `events of item ${id}`,
            own.map(({ event }) => event).filter((event) => event.startsWith('ITEM_')),
            statuses,
          ),
        ];
      }),
      ...differs('transactions that were told of twice', told.length - new Set(told).size, 0),
      ...differs(
        'records of transactions',
        stored.map(({ externalId }) => externalId).sort(),
        [...new Set(told)].sort(),
      ),
    ];
  };
};
