import { nearNames, type CompiledRuleSet, type Side, type SoughtField } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { AbsentField } from '../jobs/warnings';
import type { SidePlan } from '../stage/stage-side';

/** Bounds on what an entry keeps of fields that no record has. */
const maxAbsent = 10;
const maxNameLength = 128;
/** Records whose names are read to find near ones. */
const namedRecords = 100;

/** Lists the fields that a rule set reads and no record of their side has, with the names there are like them. */
export async function absentFields(
  readers: Record<Side, PoolClient>,
  { tenantId, leftDatasetId, rightDatasetId }: Record<'tenantId' | 'leftDatasetId' | 'rightDatasetId', string>,
  { sought }: CompiledRuleSet,
  plans: Record<Side, SidePlan>,
): Promise<AbsentField[]> {
  const absent = sought
    .filter(({ sides }) => sides.every((side) => plans[side].ready > 0))
    .filter(({ field, sides }) => sides.every((side) => !plans[side].found.has(field)))
    .sort((one, other) => Number(other.isNeeded) - Number(one.isNeeded))
    .filter((one, at, all) => at === all.findIndex((other) => isSame(other, one)))
    .slice(0, maxAbsent);
  const names = new Map<Side, string[]>();
  for (const side of new Set(absent.flatMap(({ sides }) => sides)))
    names.set(side, await namesOf(readers[side], tenantId, side === 'left' ? leftDatasetId : rightDatasetId));
  return absent.map(({ parameter, field, sides, isNeeded }) => ({
    parameter: parameter.slice(0, maxNameLength),
    field: field.slice(0, maxNameLength),
    sides: [...sides],
    isNeeded,
    near: nearNames(field.slice(0, maxNameLength), [...new Set(sides.flatMap((side) => names.get(side) ?? []))]),
  }));
}

type Read = Pick<SoughtField, 'field' | 'sides'>;
const isSame = (one: Read, other: Read): boolean =>
  one.field === other.field && one.sides.join() === other.sides.join();

/** Reads the names of the fields of some records. */
async function namesOf(reader: PoolClient, tenantId: string, datasetId: string): Promise<string[]> {
  const { rows } = await reader.query<{ name: string }>(
    `select distinct left(name, ${maxNameLength}) as name from (
       select data, fields from records
        where tenant_id = $1 and dataset_id = $2 and status = 'ready' limit ${namedRecords}) r, lateral (
       select jsonb_object_keys(r.data) as name union select jsonb_object_keys(coalesce(r.fields, '{}'))) n`,
    [tenantId, datasetId],
  );
  return rows.map(({ name }) => name);
}
