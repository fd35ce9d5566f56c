import type { JsonObject, RuleSetDefinition, SampledPair, Side } from '@tieout/engine';
import type { PreviewPair, WarnedPreview } from '../../kernel/ports';
import type { RunWithPermit, TenantScope } from '../../kernel/scope';
import { indexFriendlyEquals } from '../../kernel/sql';

/** Max records of each side, and their stored bytes, among which pairs are searched: a user waits for the result. */
const pool = { left: { records: 1_000, bytes: 1 << 20 }, right: { records: 4_000, bytes: 4 << 20 } } as const;

interface PooledRecord {
  id: string;
  value: JsonObject;
}

interface SampledRuleSet {
  definition: RuleSetDefinition;
  datasets: Record<`${Side}DatasetId`, string>;
}

/** Chooses pairs of stored records that blocking lets through; the newest records come first. */
export async function samplePairs(
  scope: TenantScope,
  { definition, datasets }: SampledRuleSet,
  limit: number,
  withPermit: RunWithPermit,
): Promise<{ pairs: PreviewPair[]; warnings: WarnedPreview['warnings'] }> {
  const [lefts, rights] = await withPermit(() =>
    Promise.all([newest(scope, datasets.leftDatasetId, pool.left), newest(scope, datasets.rightDatasetId, pool.right)]),
  );
  const isOneSide = datasets.leftDatasetId.toLowerCase() === datasets.rightDatasetId.toLowerCase();
  const placeOf = new Map(rights.map(({ id }, place) => [id, place]));
  const found = await scope.evaluator.samplePairs({
    definition,
    records: { left: lefts.map(({ value }) => value), right: rights.map(({ value }) => value) },
    ...(isOneSide && { same: lefts.map(({ id }) => placeOf.get(id) ?? -1) }),
    // Two records of one dataset are found in both orders.
    limit: isOneSide ? 2 * limit : limit,
  });
  const pairOf = ({ left, right }: SampledPair) => {
    const [one, other] = [lefts[left] as PooledRecord, rights[right] as PooledRecord];
    return { leftRecordId: one.id, rightRecordId: other.id, left: one.value, right: other.value };
  };
  const seen = new Set<string>();
  const isNew = ({ leftRecordId: one, rightRecordId: other }: { leftRecordId: string; rightRecordId: string }) => {
    const key = isOneSide && one > other ? `${other} ${one}` : `${one} ${other}`;
    return !seen.has(key) && seen.add(key);
  };
  const pairs = found.map(pairOf).filter(isNew).slice(0, limit);
  const isEmpty = lefts.length === 0 || rights.length === 0;
  return { pairs, warnings: pairs.length > 0 || isEmpty ? [] : [noPairs(lefts.length, rights.length)] };
}

const noPairs = (lefts: number, rights: number): WarnedPreview['warnings'][number] => ({
  code: 'no_candidates',
  message:
    `Blocking and filters let no pair of the ${lefts} newest left and ${rights} newest right records through: check ` +
    'params.blocking and params.filters, or look at all records with POST /v1/rule-sets/simulate',
});

/** Reads the newest ready records of a dataset, within a size. */
function newest(
  { db, tenantId }: TenantScope,
  datasetId: string,
  { records, bytes }: { records: number; bytes: number },
): Promise<PooledRecord[]> {
  return db.query<PooledRecord>(
    `with listed as materialized (
       select id, row_number() over (order by id desc) as place,
              sum(pg_column_size(data) + coalesce(pg_column_size(fields), 0)) over (order by id desc) as bytes
         from (select * from records
                where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')} and status = 'ready'
                order by dataset_id desc, id desc limit $3::int) r)
     select r.id, r.data || coalesce(r.fields, '{}') as value
       from listed l join records r on r.tenant_id = $1::uuid and r.id = l.id
      where l.place = 1 or l.bytes <= $4::int order by l.place`,
    [tenantId, datasetId, records, bytes],
  );
}
