import type { Side } from '@tieout/engine';
import type { SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { annotationsSql, shownAnnotations } from '../items/annotations';
import type { ShownAnnotations } from '../items/types';
import { countsSql, knownSql, stateSql, type KnownAt } from '../periods/known';
import { lateSql } from '../periods/month';
import { ageBucketOf, type AgeBucket } from '../summary';
import { itemSql } from '../lookups';

/** A record that no group holds wholly, as a report shows it. Amounts are decimal texts. */
export interface ReportedItem extends ShownAnnotations {
  side: Side;
  recordId: string;
  externalId: string | null;
  amount: string | null;
  /** The part of the amount that no group holds. */
  remaining: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  currency: string | null;
  /** Days since its date, on the last day of the report; null without a date. */
  ageDays: number | null;
  age: AgeBucket;
  isExcluded: boolean;
  /** Its date is in a month that was closed before it came. */
  isLate: boolean;
}

export interface ReportedItemsQuery {
  reconciliation: Pick<Reconciliation, 'id' | 'closedTo'>;
  /** The certificate that lists the items; null: they are computed. */
  certificateId: string | null;
  known: KnownAt;
  /** YYYY-MM-DD: items after it are left out; null: none are. */
  lastDay: string | null;
  /** YYYY-MM-DD: ages are counted to it. */
  ageDay: string;
}

const msPerDay = 86_400_000;

/** Returns the age of an item on a day. */
export function ageOn(day: string, date: string | null): Pick<ReportedItem, 'ageDays' | 'age'> {
  const ageDays = date === null ? null : Math.round((Date.parse(day) - Date.parse(date)) / msPerDay);
  return { ageDays, age: ageBucketOf(ageDays) };
}

type ItemRow = Omit<ReportedItem, 'age' | 'ageDays'>;

/** Items of a page: large, because computing a page adds up what groups of later months hold. */
const pageSize = 4_000;

/**
 * Yields the open and the excluded items, by record id. Between two yields it holds no connection, however slow the
 * reader is.
 */
export async function* reportedItems(
  scope: TenantScope,
  query: ReportedItemsQuery,
): AsyncGenerator<ReportedItem[], void, void> {
  const readPage = query.certificateId === null ? computedItems : certifiedItems;
  let after: string | null = null;
  for (;;) {
    const page: ItemRow[] = await readPage(scope, query, after);
    if (page.length > 0) yield page.map((item) => ({ ...item, ...ageOn(query.ageDay, item.date) }));
    after = page.at(-1)?.recordId ?? null;
    if (page.length < pageSize) return;
  }
}

const sideSql = `case side when 0 then 'left' else 'right' end as side`;

const certifiedItems = (
  { db, tenantId }: TenantScope,
  { certificateId }: ReportedItemsQuery,
  after: string | null,
): Promise<ItemRow[]> =>
  db.query<ItemRow>(
    `select ${sideSql}, record_id::text as "recordId", external_id as "externalId", amount::text as amount,
            remaining::text as remaining, day::text as date, currency, excluded as "isExcluded", late as "isLate",
            ${shownAnnotations('annotations')}
       from period_open_items
      where tenant_id = $1::uuid and certificate_id = $2::uuid and ($3::uuid is null or record_id > $3::uuid)
      order by record_id limit ${pageSize}`,
    [tenantId, certificateId, after],
  );

function computedItems(
  { db, tenantId }: TenantScope,
  { reconciliation, known, lastDay }: ReportedItemsQuery,
  after: string | null,
): Promise<ItemRow[]> {
  const { sql, parameters } = knownSql(tenantId, reconciliation.id, known);
  const values: SqlParameter[] = [...parameters, lastDay, after];
  return db.query<ItemRow>(
    `with ${sql}, page as (
       select k.*, ${stateSql} as state from known k
        where ${countsSql('$5')} and ${stateSql} <> 'held' and ($6::uuid is null or k.record_id > $6::uuid)
        order by k.record_id limit ${pageSize})
     select case k.side when 0 then 'left' else 'right' end as side, k.record_id::text as "recordId",
            i.external_id as "externalId", k.amount::text as amount, (k.amount - k.held)::text as remaining,
            k.day::text as date, k.currency, k.excluded as "isExcluded", ${lateSql} as "isLate",
            ${shownAnnotations(known.at === null ? annotationsSql : 'null::jsonb')}
       from page k
       left join lateral (${itemSql('k.record_id')}) i on true
      order by k.record_id`,
    values,
  );
}
