import { pause } from '../client';
import { differs, type LoadActor } from './actor';

const rows = 400;

/** Changes how the records of a dataset are read, again and again: all of them must come out under the last change. */
export const changeFields: LoadActor = async ({ world, client, random, isOver }) => {
  await client.surely({
    method: 'post',
    url: '/v1/records/bulk',
    params: { dataset: 'notes' },
    key: 'notes',
    headers: { 'content-type': 'application/x-ndjson' },
    data: Array.from({ length: rows }, (_, n) =>
      JSON.stringify({ externalId: `n${n}`, body: { n, text: `${n}` } }),
    ).join('\n'),
  });
  const { items } = await client.surely<{ items: { id: string; name: string }[] }>({ url: '/v1/datasets' });
  const datasetId = items.find(({ name }) => name === 'notes')?.id;
  const fieldId = await addField(client, datasetId as string);
  let factor = 1;
  for (let i = 0; !isOver() || i < 2; i++) {
    await pause(random.int(200, 1_500));
    factor = random.int(2, 1_000);
    await client.surely({
      method: 'patch',
      url: `/v1/datasets/fields/${fieldId}`,
      data: { transform_expr: `$number(text) * ${factor}` },
    });
  }
  return async () => {
    const wrong = await world.query<{ n: number; value: string | null; status: string }>(
      `select (r.data ->> 'n')::int as n, r.fields ->> 'times' as value, r.status from records r
        join datasets d on d.id = r.dataset_id
        where r.tenant_id = $1::uuid and d.name = 'notes'
          and (r.status <> 'ready' or (r.fields ->> 'times')::numeric is distinct
          from (r.data ->> 'n')::numeric * $2::int) limit 3`,
      [client.tenantId, factor],
    );
    return differs(`records that were not read under the last change (times ${factor})`, wrong, []);
  };
};

/** Adding a field takes no Idempotency-Key, so an unanswered request first looks for its field. */
async function addField(client: Parameters<LoadActor>[0]['client'], datasetId: string): Promise<string> {
  const url = `/v1/datasets/${datasetId}/fields`;
  for (;;) {
    const fields = await client.surely<{ id: string; key: string }[]>({ url });
    const found = fields.find(({ key }) => key === 'times');
    if (found) return found.id;
    await client
      .once({
        method: 'post',
        url,
        data: { name: 'Times', key: 'times', type: 'number', transform_expr: '$number(text)' },
      })
      .catch(() => pause(200));
  }
}
