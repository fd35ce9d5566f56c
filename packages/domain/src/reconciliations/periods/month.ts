import { dayInZone, formatDay, readDay } from '@tieout/engine';
import { AppError, invalid, type Queries } from '@tieout/infra';

/** Months are written YYYY-MM; the last one of all years has no month after it. */
const pattern = /^(?!0000|9999-12)\d{4}-(0[1-9]|1[0-2])$/;

/** @throws AppError validation_error */
export function assertMonth(text: string, path = '/path/period'): void {
  if (pattern.test(text)) return;
  throw invalid([{ path, code: 'period', message: 'must be a month such as 2026-03' }]);
}

/** Returns the day that it is in a time zone, YYYY-MM-DD. */
export function todayIn(timezone: string): string {
  const today = readDay(new Date().toISOString(), dayInZone(timezone));
  return today.ok ? formatDay(today.day) : '';
}

/**
 * Refuses a month that has not begun. One that has may be closed before its end, since it can be opened again.
 * @throws AppError conflict
 */
export function assertBegun(month: string, timezone: string): void {
  if (`${month}-01` <= todayIn(timezone)) return;
  throw new AppError('conflict', `The month ${month} has not begun in ${timezone}: close it once it has`);
}

/** Refuses a month that has not ended: locking is for good. @throws AppError conflict */
export function assertEnded(month: string, timezone: string): void {
  const lastDay = lastDayOf(month);
  if (lastDay < todayIn(timezone)) return;
  throw new AppError('conflict', `The month ${month} ends on ${lastDay} in ${timezone}: lock it after that day`);
}

/** Returns the last day of a month, YYYY-MM-DD. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const day = new Date(0);
  // The day before the first one of the next month.
  day.setUTCFullYear(year, number, 0);
  return day.toISOString().slice(0, 10);
}

/** Returns the day to which ages count: today, or the last day of what is asked for where that has passed. */
export const ageDayOf = (lastDay: string | null, today: string): string =>
  lastDay !== null && lastDay < today ? lastDay : today;

/** Returns the month after that of a day. */
export function monthAfter(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return month === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${day.slice(0, 5)}${String(month + 1).padStart(2, '0')}`;
}

/** Reconciliation whose months up to some day are closed, and up to another one locked. */
export interface ClosedMonths {
  /** YYYY-MM-DD; null: none is. */
  closedTo: string | null;
  lockedTo: string | null;
}

export const periodStatuses = ['open', 'closed', 'locked'] as const;
export type PeriodStatus = (typeof periodStatuses)[number];

/** A group without a month belongs to the first one. */
export function statusOfMonth(month: string | null, { closedTo, lockedTo }: ClosedMonths): PeriodStatus {
  const isUpTo = (day: string | null): boolean => day !== null && (month ?? '') <= day.slice(0, 7);
  return isUpTo(lockedTo) ? 'locked' : isUpTo(closedTo) ? 'closed' : 'open';
}

/** SQL: the month of the group `g` of the reconciliation `n` is open. */
export const isPeriodOpenSql = `(n.closed_to is null or coalesce(g.period, '') > to_char(n.closed_to, 'YYYY-MM'))`;

/** Returns the last closed month, or an empty array. All earlier months are closed too. */
export async function closedPeriods(db: Queries, tenantId: string, reconciliationId: string): Promise<string[]> {
  const rows = await db.query<{ month: string }>(
    `select to_char(closed_to, 'YYYY-MM') as month from reconciliations
      where tenant_id = $1::uuid and id = $2::uuid and closed_to is not null`,
    [tenantId, reconciliationId],
  );
  return rows.map(({ month }) => month);
}

/** SQL that holds for a group `g` of an open month. @param closed SQL for an array that `closedPeriods` gave */
export const isPeriodOpen = (closed: string): string =>
  `((${closed})[1] is null or coalesce(g.period, '') > (${closed})[1])`;

/**
 * SQL: the item `i` is dated in a closed month, and came after the last one was closed; what that one has listed says
 * whether it was late before.
 */
export const lateSql = `coalesce(
  i.day <= (select n.closed_to from reconciliations n where n.tenant_id = i.tenant_id and n.id = i.reconciliation_id)
    and coalesce((select p.late from period_open_items p
                   where p.record_id = i.record_id and p.certificate_id = (
                     select c.id from period_certificates c
                      where c.tenant_id = i.tenant_id and c.reconciliation_id = i.reconciliation_id
                        and c.voided_at is null order by c.period desc limit 1)), true), false)`;

/** SQL for the month of a group of the reconciliation `n`: that of its latest day, or the first open one. */
export const periodOfSql = (latestDay: string): string => `to_char(greatest(${latestDay}, n.closed_to + 1), 'YYYY-MM')`;

/** Returns the month of a group by the days of its members: the latest one, or the first open one if that is closed. */
export function periodOf(days: readonly (string | null)[], { closedTo }: ClosedMonths): string | null {
  const latest =
    days
      .flatMap((day) => day?.slice(0, 7) ?? [])
      .sort()
      .at(-1) ?? null;
  const firstOpen = closedTo === null ? null : monthAfter(closedTo);
  if (latest === null || firstOpen === null) return latest ?? firstOpen;
  return latest > firstOpen ? latest : firstOpen;
}
