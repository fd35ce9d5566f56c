import { UnansweredError, pause } from '../client';
import { differs, type LoadActor } from './actor';

const least = 500;

/** Uploads files, each until it is accepted: every row must be there once, however often it was sent. */
export const uploadFiles: LoadActor = async ({ world, client, random, scale, isOver }) => {
  const { id: sourceId } = await client.surely<{ id: string }>({
    method: 'post',
    url: '/v1/data-sources',
    data: { name: 'Bank', kind: 'bank' },
    key: 'source',
  });
  const expected = new Map<string, number>();
  const url = `/v1/data-sources/${sourceId}/files`;
  for (let i = 0; !isOver() || i < 1; i++) {
    const dataset = `file-${i}`;
    const rows = random.int(least, scale.maxFileRows);
    const lines = Array.from({ length: rows }, (_, n) => `${n};${n % 977},50;row ${n} of file ${i}\n`);
    const content = `id;amount;note\n${lines.join('')}`;
    // Every second file is sent without a key: it may then arrive twice, and counts once by its content.
    const key = i % 2 === 0 ? { key: dataset } : {};
    await client.surely({ method: 'post', url, data: form(dataset, content), ...key });
    expected.set(dataset, rows);
    await pause(random.int(200, 1_000));
  }
  await allRead(client, url);
  return async () => {
    const stored = await world.query<{ dataset: string; rows: number; ids: number; sum: number }>(
      `select d.name as dataset, count(*)::int as rows, count(distinct r.data ->> 'id')::int as ids,
        sum((r.fields ->> 'amount')::numeric)::float8 as sum
         from records r join datasets d on d.id = r.dataset_id
         where r.tenant_id = $1::uuid and d.name like 'file-%' group by 1`,
      [client.tenantId],
    );
    const files = await client.surely<
      {
        status: string;
        rowCount: number;
        errorMessage: string | null;
        metadata: { duplicateOf?: string | null; rejected?: number };
      }[]
    >({ url });
    return [
      ...[...expected].flatMap(([dataset, rows]) => {
        const sum = Array.from({ length: rows }, (_, n) => (n % 977) + 0.5).reduce((a, b) => a + b);
        const found = stored.find((one) => one.dataset === dataset);
        return differs(`rows of ${dataset}`, found && { rows: found.rows, ids: found.ids, sum: found.sum }, {
          rows,
          ids: rows,
          sum,
        });
      }),
      ...files.flatMap(({ status, errorMessage, metadata }) =>
        status === 'ready' && !metadata.rejected
          ? []
          : [`a file is ${status}: ${errorMessage ?? JSON.stringify(metadata)}`],
      ),
    ];
  };
};

function form(dataset: string, content: string): FormData {
  const data = new FormData();
  data.append('dataset', dataset);
  data.append('fromColumns', 'true');
  data.append('file', new Blob([content]), `${dataset}.csv`);
  return data;
}

/** Follows the files to their ends; the rows that are counted never become fewer. */
async function allRead(client: Parameters<LoadActor>[0]['client'], url: string): Promise<void> {
  const seen = new Map<string, number>();
  const deadlineMs = Date.now() + 180_000;
  for (;;) {
    const files = await client.surely<{ id: string; status: string; rowCount: number }[]>({ url });
    for (const { id, rowCount, status } of files) {
      if (status === 'processing' && rowCount < (seen.get(id) ?? 0))
        throw new Error(`the rows of file ${id} went from ${seen.get(id)} to ${rowCount}`);
      seen.set(id, rowCount);
    }
    if (files.every(({ status }) => status === 'ready' || status === 'failed')) return;
    if (Date.now() > deadlineMs)
      throw new UnansweredError(`files are not read: ${JSON.stringify(files.map(({ id, status }) => [id, status]))}`);
    await pause(200);
  }
}
