import type { Side } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { TenantScope } from '../../kernel/scope';
import { sideNames, sideNumber, type SideNumber } from '../../results/unmatched';
import { hasCurrencySql } from '../currency';
import { annotationsSql, shownAnnotations } from '../items/annotations';
import type { RecordAsItem, ShownAnnotations } from '../items/types';
import { itemSql } from '../lookups';
import { countsSql, knownSql, stateSql } from './known';
import { lastDayOf, lateSql } from './month';
import { getPeriod } from './read';

/** An item that is open, or excluded, at the end of a month. */
export interface PeriodItem extends RecordAsItem, ShownAnnotations {
  excluded: boolean;
}

interface PeriodItemFilter {
  side?: Side | undefined;
  excluded?: boolean | undefined;
  /** Empty: records without a currency. */
  currency?: string | undefined;
}

interface ItemQuery {
  reconciliationId: string;
  period: string;
  filter: PeriodItemFilter;
  after: string | null;
  limit: number;
}

/**
 * Lists the open items of a month by record id: those of its certificate that is not voided, else the current ones.
 * @param certificateId default: the one that is not voided
 * @throws AppError reconciliation_not_found, validation_error, certificate_not_found
 */
export async function listPeriodItems(
  scope: TenantScope,
  {
    reconciliationId,
    period,
    certificateId,
  }: { reconciliationId: string; period: string; certificateId?: string | undefined },
  { filter, page }: { filter: PeriodItemFilter; page: KeysetRequest },
): Promise<KeysetPage<PeriodItem>> {
  const { certificate, voided } = await getPeriod(scope, reconciliationId, period);
  const found =
    certificateId === undefined
      ? certificate
      : [certificate, ...voided].find((one) => one?.id === certificateId.toLowerCase());
  if (certificateId !== undefined && !found)
    throw new AppError('certificate_not_found', `The month ${period} has no certificate ${certificateId}`);
  const [after = null] = page.cursor === undefined ? [] : decodeKeyset(page.cursor, ['id']);
  const query = { reconciliationId, period, filter, after, limit: page.limit + 1 };
  const rows = found ? await certifiedItems(scope, found.id, query) : await itemsOfNow(scope, query);
  const items = rows.map(({ side, ...row }) => ({ ...row, side: sideNames[side] }));
  return keysetPage(page, items, { total: null, sortOf: ({ recordId }) => [recordId] });
}

type ItemRow = Omit<PeriodItem, 'side'> & { side: SideNumber };

const filterParameters = ({ side, excluded, currency }: PeriodItemFilter): SqlParameter[] => [
  side === undefined ? null : sideNumber[side],
  String(excluded === true),
  currency ?? null,
];

const certifiedItems = (
  { db, tenantId }: TenantScope,
  certificateId: string,
  { filter, after, limit }: ItemQuery,
): Promise<ItemRow[]> =>
  db.query<ItemRow>(
    `select record_id::text as "recordId", side::int as side, dataset_id::text as "datasetId",
            external_id as "externalId", revision, amount::text as amount, remaining::text as remaining,
            day::text as date, currency, excluded, late, ${shownAnnotations('annotations')}
       from period_open_items
      where tenant_id = $1::uuid and certificate_id = $2::uuid and ($3::uuid is null or record_id > $3::uuid)
        and ($4::int is null or side = $4::int) and excluded = ($5::text = 'true')
        and ${hasCurrencySql('currency', '$6')}
      order by record_id limit ${limit}`,
    [tenantId, certificateId, after, ...filterParameters(filter)],
  );

/**
 * Builds the SQL for records that may be open at the end of the month: those open now, one page of each dataset, and
 * those of groups of later months. It does not read records that earlier groups hold whole.
 */
const maybeOpenSql = (limit: number): string => `
  select o.record_id from reconciliation_datasets d cross join lateral (
    select i.record_id from reconciliation_items i
     where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.dataset_id = d.dataset_id and i.open
       and ($5::date is null or i.day is null or i.day <= $5::date) and ($6::uuid is null or i.record_id > $6::uuid)
       and ($7::int is null or i.side = $7::int) and ${hasCurrencySql('i.currency', '$9')}
     order by i.record_id limit ${limit}) o
   where d.tenant_id = $1::uuid and d.reconciliation_id = $2::uuid
  union all
  select t.record_id from taken t`;

const excludedSql = `select i.record_id from reconciliation_items i
  where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.excluded is not null`;

/** Lists the open items as known now. Groups of later months hold nothing at the end of the month. */
function itemsOfNow(
  { db, tenantId }: TenantScope,
  { reconciliationId, period, filter, after, limit }: ItemQuery,
): Promise<ItemRow[]> {
  const { sql, parameters } = knownSql(tenantId, reconciliationId, { at: null, month: period });
  return db.query<ItemRow>(
    `with ${sql}, page as (
       select k.* from known k
        where k.record_id = any(array(${filter.excluded === true ? excludedSql : maybeOpenSql(limit)}))
          and ${countsSql('$5')} and ($6::uuid is null or k.record_id > $6::uuid)
          and ($7::int is null or k.side = $7::int) and ${hasCurrencySql('k.currency', '$9')}
          and ${stateSql} = case when $8::text = 'true' then 'excluded' else 'open' end
        order by k.record_id limit ${limit})
     select k.record_id::text as "recordId", k.side::int as side, i.dataset_id::text as "datasetId",
            i.external_id as "externalId", i.revision, k.amount::text as amount, (k.amount - k.held)::text as remaining,
            k.day::text as date, k.currency, k.excluded, ${lateSql} as late, ${shownAnnotations(annotationsSql)}
       from page k
      cross join lateral (${itemSql('k.record_id')}) i
      order by k.record_id`,
    [...parameters, lastDayOf(period), after, ...filterParameters(filter)],
  );
}
