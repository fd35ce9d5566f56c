import {
  rarityField,
  recordKeys,
  remainingKey,
  type CompiledRuleSet,
  type FieldSelection,
  type Side,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { sampledSql } from '../../kernel/sql';
import { itemsOfFullRun } from '../../reconciliations';

/** The records that one side of a rule set reads. */
export interface SideSource {
  tenantId: string;
  compiled: CompiledRuleSet;
  side: Side;
  datasetId: string;
  /** Reads the open items of a reconciliation; null: all records of the dataset. */
  reconciliationId: string | null;
  /** Set for a full run, which reads what automatic groups of open periods hold too: the closed ones; else null. */
  closedPeriods: readonly string[] | null;
  /** The part of the records of a dataset that is read, chosen by their ids; default: all. */
  share?: number;
  /** Leaves out other records, as if they were not there. Default: none. */
  within?: FieldRange | undefined;
}

/** Values of a field, both bounds inclusive: amounts without their signs, or days. */
export interface FieldRange {
  kind: 'amount' | 'day';
  field: string;
  from: number;
  to: number;
}

/**
 * Max fields that are read one by one. PostgreSQL allows 1,600 columns, and more fields are most of the record anyway.
 */
const maxColumns = 1_000;

export const readsWhole = (selection: FieldSelection): boolean => selection.all || selection.keys.length > maxColumns;

/** Returns whether the query of a side joins all records with something else, which needs `hashJoins`. */
export const needsHashJoins = ({ compiled, side, closedPeriods }: SideSource): boolean =>
  closedPeriods !== null || compiled.references[side].keys.some((key) => rarityField(key) !== undefined);

/** Selects only the fields that the rule set reads, from the data of a record overlaid with its normalised fields. */
export async function sideQuery(client: PoolClient, source: SideSource): Promise<string> {
  const { tenantId, datasetId, reconciliationId, closedPeriods, compiled, side, share = 1, within } = source;
  const selection = compiled.references[side];
  const literal = (text: string): string => client.escapeLiteral(text);
  const normalised = await hasNormalisedFields(client, tenantId, datasetId);
  const stored = (key: string): string => {
    const raw = `data -> ${literal(key)}`;
    return normalised ? `coalesce(fields -> ${literal(key)}, ${raw})` : raw;
  };
  const amountPath = recordKeys(compiled.definition.params)[side].amount;
  const remaining =
    reconciliationId === null ? `amount_of(value_at(data, fields, ${literal(amountPath)}))` : 'i.amount - i.held';
  const remainingSql = `to_jsonb(trim_scale(${remaining}))`;
  const ofDataset = `tenant_id = ${literal(tenantId)} and dataset_id = ${literal(datasetId)}`;
  const rarities = selection.keys.flatMap((key) => {
    const field = rarityField(key);
    return field === undefined ? [] : [{ key, value: stored(field) }];
  });
  const shares = rarities.map(({ value }, at) => shareJoin(value, ofDataset, at)).join('');
  const shareOf = new Map(rarities.map(({ key }, at) => [key, `to_jsonb(share${at}.share)`]));
  const column = (key: string): string => (key === remainingKey ? remainingSql : (shareOf.get(key) ?? stored(key)));
  const whole = normalised ? `data || coalesce(fields, '{}')` : 'data';
  const added = selection.keys
    .filter((key) => key === remainingKey || shareOf.has(key))
    .map((key) => `${literal(key)}, ${column(key)}`);
  const all = added.length === 0 ? whole : `${whole} || jsonb_strip_nulls(jsonb_build_object(${added.join(', ')}))`;
  const columns = readsWhole(selection) ? [all] : selection.keys.map(column);
  if (reconciliationId === null) {
    return `select ${['id', `status = 'failed'`, ...columns].join(', ')} from records${shares}
      where ${ofDataset} and status in ('ready', 'failed') and ${share < 1 ? sampledSql('id', String(share)) : 'true'}
        and ${within?.kind === 'amount' ? mayBeWithinSql(stored(within.field), within) : 'true'}`;
  }
  // A record of which a part is held is placed by the rest of its amount; expressions see the amount itself.
  const rest = `case when i.held <> 0 then ${remainingSql} end`;
  const at = { tenantId: literal(tenantId), reconciliationId: literal(reconciliationId) };
  const items =
    closedPeriods === null
      ? `(select * from reconciliation_items i
           where i.tenant_id = ${at.tenantId} and i.reconciliation_id = ${at.reconciliationId} and i.open)`
      : itemsOfFullRun({ ...at, closed: `${literal(`{${closedPeriods.join(',')}}`)}::text[]` });
  // `offset 0` keeps each search on the index of the record: statistics may not know the tenant yet.
  const joinRecord = ` cross join lateral (
      select * from records where tenant_id = ${at.tenantId} and id = i.record_id offset 0) r`;
  return `select ${['id', 'false', ...columns, rest].join(', ')}
     from ${items} i${joinRecord}${shares}
    where i.dataset_id = ${literal(datasetId)}`;
}

/** Part of a bound that a number of JavaScript may have lost. */
const slack = 1e-9;

/**
 * SQL that leaves out most records beyond a range of amounts before their other fields are read. What is no number
 * passes: the reader of the rows decides.
 */
function mayBeWithinSql(value: string, { from, to }: FieldRange): string {
  const [low, high] = [from * (1 - slack) - slack, Math.min(to * (1 + slack) + slack, Number.MAX_VALUE)];
  return `case when jsonb_typeof(${value}) = 'number'
    then abs((${value})::numeric) between ${low}::numeric and ${high}::numeric else true end`;
}

/** Joins each record with the share of the ready records of its dataset that have its value; none without a value. */
const shareJoin = (value: string, ofDataset: string, at: number): string => `
     left join (select ${value} as value, count(*) / sum(count(*)) over () as share
                  from records where ${ofDataset} and status = 'ready' group by 1) share${at}
       on share${at}.value = ${value} and share${at}.value <> 'null'`;

/** Returns whether records may have normalised fields: the dataset has fields, or a removal of them is under way. */
async function hasNormalisedFields(client: PoolClient, tenantId: string, datasetId: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select d.fields_version > d.reprocessed_version
            or exists (select 1 from dataset_fields f where f.dataset_id = d.id) as found
       from datasets d where d.tenant_id = $1 and d.id = $2`,
    [tenantId, datasetId],
  );
  return rows[0]?.found ?? true;
}
