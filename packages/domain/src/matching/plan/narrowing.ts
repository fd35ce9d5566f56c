import type { PoolClient } from '@tieout/infra';
import type { JobEntry } from './plan-entry';

const sampleRecords = 2_000;
const maxShown = 3;
/** A key that leaves more of the pairs narrows little. */
const maxShare = 0.5;

/**
 * Says which declared fields would narrow the pairs of an entry: those that both datasets declare and whose values meet
 * in a sample of the records, with the share of the pairs that has equal values.
 */
export async function narrowingHint(client: PoolClient, tenantId: string, entry: JobEntry): Promise<string> {
  const { rows } = await client.query<{ key: string }>(
    `select l.key from dataset_fields l join dataset_fields r on r.key = l.key and r.tenant_id = l.tenant_id
      where l.tenant_id = $1 and l.dataset_id = $2 and r.dataset_id = $3 order by l.key limit 100`,
    [tenantId, entry.leftDatasetId, entry.rightDatasetId],
  );
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return '';
  const left = await sampleOf(client, { tenantId, datasetId: entry.leftDatasetId, keys });
  const right = await sampleOf(client, { tenantId, datasetId: entry.rightDatasetId, keys });
  const shares = keys
    .map((key, at) => ({ key, share: agreeingShare(valuesAt(left, at), valuesAt(right, at)) }))
    .filter(({ share }) => share > 0 && share <= maxShare)
    .sort((one, other) => one.share - other.share)
    .slice(0, maxShown)
    .map(({ key, share }) => `${JSON.stringify(key)} about ${Number((share * 100).toPrecision(2))} %`);
  if (shares.length === 0) return '';
  return `. In a sample, equal values leave of all pairs: ${shares.join(', ')}. Add such a field to blocking.keys`;
}

type SampledValues = readonly (readonly (string | null)[])[];

async function sampleOf(
  client: PoolClient,
  { tenantId, datasetId, keys }: { tenantId: string; datasetId: string; keys: string[] },
): Promise<SampledValues> {
  const { rows } = await client.query<{ values: (string | null)[] }>(
    `select array(select coalesce(s.fields ->> k.key, s.data ->> k.key)
                    from unnest($3::text[]) with ordinality as k(key, no) order by k.no) as values
       from (select data, fields from records where tenant_id = $1 and dataset_id = $2 and status = 'ready'
             order by dataset_id, id limit ${sampleRecords}) s`,
    [tenantId, datasetId, keys],
  );
  return rows.map(({ values }) => values);
}

const valuesAt = (sample: SampledValues, at: number): (string | null)[] => sample.map((values) => values[at] ?? null);

/** Returns the share of the pairs of two lists whose values are equal and present. */
export function agreeingShare(lefts: readonly (string | null)[], rights: readonly (string | null)[]): number {
  const counts = new Map<string, number>();
  for (const value of lefts) if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  let pairs = 0;
  for (const value of rights) if (value !== null) pairs += counts.get(value) ?? 0;
  return pairs === 0 ? 0 : pairs / (lefts.length * rights.length);
}
