import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { Actor, TenantScope } from '../../kernel/scope';
import { getReconciliation } from '../definition';
import { assertMonth, statusOfMonth, type PeriodStatus } from './month';
import type { ProvedSummary } from './summarise';

/** The state of a month when it was closed. */
export interface PeriodCertificate {
  id: string;
  period: string;
  at: Date;
  by: Actor;
  note: string | null;
  /** The name that the reconciliation had; null for one of before names were kept. */
  name: string | null;
  summary: ProvedSummary;
  /** SHA-256, in hex. */
  digest: string;
  lockedAt: Date | null;
  lockedBy: Actor | null;
  voidedAt: Date | null;
  voidedBy: Actor | null;
  voidReason: string | null;
}

/** A month of a reconciliation. */
export interface Period {
  /** YYYY-MM */
  period: string;
  status: PeriodStatus;
  /**
   * The current certificate; null for an open month, and for a month without records that was closed together with a
   * later one.
   */
  certificate: PeriodCertificate | null;
  /** Certificates of before, the latest first. */
  voided: PeriodCertificate[];
}

const columns = `c.id::text as id, c.period, c.closed_at as at, c.closed_by as by, c.note, c.name, c.summary, c.digest,
  c.locked_at as "lockedAt", c.locked_by as "lockedBy", c.voided_at as "voidedAt", c.voided_by as "voidedBy",
  c.void_reason as "voidReason"`;

/** @throws AppError reconciliation_not_found, validation_error */
export async function getPeriod(scope: TenantScope, reconciliationId: string, period: string): Promise<Period> {
  assertMonth(period);
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const certificates = await certificatesOf(scope, reconciliationId, [period]);
  return toPeriod(period, statusOfMonth(period, reconciliation), certificates);
}

function toPeriod(period: string, status: PeriodStatus, all: readonly PeriodCertificate[]): Period {
  const own = all.filter((certificate) => certificate.period === period);
  return {
    period,
    status,
    certificate: own.find(({ voidedAt }) => voidedAt === null) ?? null,
    voided: own.filter(({ voidedAt }) => voidedAt !== null),
  };
}

function certificatesOf(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  periods: readonly string[],
): Promise<PeriodCertificate[]> {
  return db.query<PeriodCertificate>(
    `select ${columns} from period_certificates c
      where c.tenant_id = $1::uuid and c.reconciliation_id = $2::uuid and c.period = any($3::text[])
      order by c.id desc`,
    [tenantId, reconciliationId, periods],
  );
}

/**
 * SQL for the months that have records or held groups: those of records by the maintained sums, those of groups by one
 * step along an index for each. Parameters are tenant and reconciliation.
 */
export const monthsSql = `months_of_groups as (
    select min(g.period) as period from match_groups g
     where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.status = 'held'
    union all
    select (select min(g.period) from match_groups g
             where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.status = 'held'
               and g.period > m.period)
      from months_of_groups m where m.period is not null
  ), months as (
    select period from months_of_groups where period is not null
    union
    select to_char(t.day, 'YYYY-MM') from reconciliation_totals t
     where t.tenant_id = $1::uuid and t.reconciliation_id = $2::uuid and t.side is not null and t.day is not null
     group by t.day having sum(t.count) > 0
  )`;

/** Lists months with records, groups or certificates, the latest first. @throws AppError reconciliation_not_found */
export async function listPeriods(
  scope: TenantScope,
  reconciliationId: string,
  page: KeysetRequest,
): Promise<KeysetPage<Period>> {
  const { db, tenantId } = scope;
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const [before = null] = page.cursor === undefined ? [] : decodeKeyset(page.cursor, ['month']);
  const rows = await db.query<{ period: string }>(
    `with recursive ${monthsSql}
     select period from (
       select period from months
       union
       select c.period from period_certificates c where c.tenant_id = $1::uuid and c.reconciliation_id = $2::uuid) p
      where $3::text is null or period < $3::text order by period desc limit ${page.limit + 1}`,
    [tenantId, reconciliationId, before],
  );
  const paged = keysetPage(page, rows, { total: null, sortOf: ({ period }) => [period] });
  const certificates = await certificatesOf(
    scope,
    reconciliationId,
    paged.items.map(({ period }) => period),
  );
  return {
    ...paged,
    items: paged.items.map(({ period }) => toPeriod(period, statusOfMonth(period, reconciliation), certificates)),
  };
}
