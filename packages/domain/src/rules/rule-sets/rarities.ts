import { rarityField, rarityKey, type RuleSetDefinition, type Side } from '@tieout/engine';
import type { JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';

/** Records of each side of a rule set, read outside a job. */
interface RecordsToRate {
  definition: RuleSetDefinition;
  datasets: Record<Side, string>;
  records: Record<Side, JsonObject[]>;
}

/** Adds the shares that `$rarity` reads, among the records that are ready now. A job reads them in its snapshot. */
export async function withRarities(
  scope: TenantScope,
  { definition, datasets, records }: RecordsToRate,
): Promise<Record<Side, JsonObject[]>> {
  if (!JSON.stringify(definition).includes('rarity')) return records;
  const references = await scope.evaluator.references(definition);
  const rate = async (side: Side): Promise<JsonObject[]> => {
    let rated = records[side];
    for (const field of references[side].keys.flatMap((key) => rarityField(key) ?? [])) {
      const shares = await sharesOf(scope, datasets[side], field, rated);
      rated = rated.map((record, at) => {
        const share = shares.get(at);
        return share === undefined ? record : { ...record, [rarityKey(field)]: share };
      });
    }
    return rated;
  };
  return { left: await rate('left'), right: await rate('right') };
}

/** Returns, by index, the share of a dataset's records that have the value of the given record, where it has one. */
async function sharesOf(
  { db, tenantId }: TenantScope,
  datasetId: string,
  field: string,
  records: readonly JsonObject[],
): Promise<Map<number, number>> {
  const values = records.map((record) => (Object.hasOwn(record, field) ? record[field] : null) ?? null);
  const rows = await db.query<{ at: number; share: number }>(
    `with stored as materialized (
       select coalesce(fields -> $3::text, data -> $3::text) as value from records
        where tenant_id = $1::uuid and dataset_id = $2::uuid and status = 'ready')
     select (given.no - 1)::int as at,
            coalesce(counted.count / nullif((select count(*) from stored), 0)::float8, 0) as share
       from jsonb_array_elements($4::jsonb) with ordinality as given (value, no)
       left join (select value, count(*)::float8 as count from stored group by value) counted using (value)
      where given.value <> 'null'`,
    [tenantId, datasetId, field, JSON.stringify(values)],
  );
  return new Map(rows.map(({ at, share }) => [at, share]));
}
