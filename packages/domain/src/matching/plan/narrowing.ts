import type { PoolClient } from '@tieout/infra';
import type { JobEntry } from './plan-entry';

const sampleRecords = 2_000;
const maxShown = 3;
/** Longer texts are compared by their beginning. */
const maxLength = 200;
/** A key that leaves more of the pairs narrows little. */
const maxShare = 0.5;

/** Fields of a side that are looked at. */
const maxFields = 40;
/** A key whose values meet for a smaller part of the left records finds too little. */
const minMet = 0.05;

/**
 * Says which declared fields would narrow the pairs of an entry: those whose values meet in a sample of the records,
 * with the share of the pairs that has equal values. Fields of one name come first, then those that meet most.
 */
export async function narrowingHint(client: PoolClient, tenantId: string, entry: JobEntry): Promise<string> {
  const { leftDatasetId, rightDatasetId } = entry;
  const left = await sampleOf(client, { tenantId, datasetId: leftDatasetId });
  const right =
    leftDatasetId === rightDatasetId ? left : await sampleOf(client, { tenantId, datasetId: rightDatasetId });
  const found = left.keys.flatMap((key, at) =>
    right.keys.flatMap((other, place) => {
      if (leftDatasetId === rightDatasetId && key !== other) return [];
      const { share, met } = agreement(valuesAt(left.values, at), valuesAt(right.values, place));
      return share > 0 && share <= maxShare && met >= minMet ? [{ key, other, share, met }] : [];
    }),
  );
  const isNamedAlike = ({ key, other }: { key: string; other: string }): number => (key === other ? 0 : 1);
  const used = new Set<string>();
  const shares = found
    .sort((one, other) => isNamedAlike(one) - isNamedAlike(other) || other.met - one.met || one.share - other.share)
    .filter(({ key }) => !used.has(key) && used.add(key))
    .slice(0, maxShown)
    .sort((one, other) => one.share - other.share)
    .map(({ key, other, share }) => {
      const names = key === other ? JSON.stringify(key) : `${JSON.stringify(key)} with right ${JSON.stringify(other)}`;
      return `${names} about ${Number((share * 100).toPrecision(2))} %`;
    });
  if (shares.length === 0) return '';
  return `. In a sample, equal values leave of all pairs: ${shares.join(', ')}. Add such a field to blocking.keys`;
}

type SampledValues = readonly (readonly (string | null)[])[];

interface FieldSample {
  keys: string[];
  values: SampledValues;
}

/** Reads the declared fields of the first records of a dataset. Names of others may themselves be data. */
async function sampleOf(
  client: PoolClient,
  { tenantId, datasetId }: { tenantId: string; datasetId: string },
): Promise<FieldSample> {
  const { rows: declared } = await client.query<{ key: string }>(
    `select key from dataset_fields where tenant_id = $1 and dataset_id = $2 order by key limit ${maxFields}`,
    [tenantId, datasetId],
  );
  const keys = declared.map(({ key }) => key);
  if (keys.length === 0) return { keys, values: [] };
  const { rows } = await client.query<{ values: (string | null)[] }>(
    `select array(select left(coalesce(s.fields ->> k.key, s.data ->> k.key), ${maxLength})
                    from unnest($3::text[]) with ordinality as k(key, no) order by k.no) as values
       from (select data, fields from records where tenant_id = $1 and dataset_id = $2 and status = 'ready'
             order by dataset_id, id limit ${sampleRecords}) s`,
    [tenantId, datasetId, keys],
  );
  return { keys, values: rows.map(({ values }) => values) };
}

const valuesAt = (sample: SampledValues, at: number): (string | null)[] => sample.map((values) => values[at] ?? null);

/**
 * Returns the share of the pairs of two lists whose values are equal and present, and the share of the first list that
 * has such a pair.
 */
export function agreement(
  lefts: readonly (string | null)[],
  rights: readonly (string | null)[],
): { share: number; met: number } {
  const counts = new Map<string, number>();
  for (const value of rights) if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  let [pairs, met] = [0, 0];
  for (const value of lefts) {
    const count = value === null ? 0 : (counts.get(value) ?? 0);
    pairs += count;
    if (count > 0) met++;
  }
  return pairs === 0
    ? { share: 0, met: 0 }
    : { share: pairs / (lefts.length * rights.length), met: met / lefts.length };
}
