import type { Side } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';
import { ageBuckets, type AgeBucket } from '../summary';

/** A record that no group holds wholly, as a report shows it. Amounts are decimal texts. */
export interface ReportedItem {
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
}

/** The last days of the ages, of which the last one has no end. */
const bucketEnds = [7, 30, 60, 90, Infinity];
const msPerDay = 86_400_000;

/** Returns the age of an item on a day. */
export function ageOn(day: string, date: string | null): Pick<ReportedItem, 'ageDays' | 'age'> {
  if (date === null) return { ageDays: null, age: 'no date' };
  const ageDays = (Date.parse(day) - Date.parse(date)) / msPerDay;
  return { ageDays, age: ageBuckets[bucketEnds.findIndex((end) => ageDays <= end)] as AgeBucket };
}

const pageSize = 1_000;

/** Yields the open and the excluded items of a reconciliation. Between two yields it holds no connection. */
export async function* reportedItems(
  { db, tenantId }: TenantScope,
  { reconciliationId, lastDay }: { reconciliationId: string; lastDay: string },
): AsyncGenerator<ReportedItem[], void, void> {
  let after: string | null = null;
  for (;;) {
    const page: Omit<ReportedItem, 'age' | 'ageDays'>[] = await db.query(
      `select case i.side when 0 then 'left' else 'right' end as side, i.record_id::text as "recordId",
              i.external_id as "externalId", i.amount::text as amount, (i.amount - i.held)::text as remaining,
              i.day::text as date, i.currency, i.excluded is not null as "isExcluded"
         from reconciliation_items i
        where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid
          and (i.open or (i.ready and i.excluded is not null)) and ($3::uuid is null or i.record_id > $3::uuid)
        order by i.record_id limit ${pageSize}`,
      [tenantId, reconciliationId, after],
    );
    if (page.length > 0) yield page.map((item) => ({ ...item, ...ageOn(lastDay, item.date) }));
    after = page.at(-1)?.recordId ?? null;
    if (page.length < pageSize) return;
  }
}
