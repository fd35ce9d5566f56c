import { createHash } from 'node:crypto';
import { AppError, canonicalJson, newId } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { asService, type TenantScope } from '../../kernel/scope';
import { lockReconciliation, type Reconciliation } from '../definition';
import { settleChangedItems } from '../groups/changed';
import { getPeriod, monthsSql, type Period } from './read';
import { assertBegun, assertEnded, assertMonth, lastDayOf, monthAfter, statusOfMonth } from './month';
import { emitPeriod } from './reopen';
import { prove } from './summarise';
import { sumKnown, type AskedSums } from './sums';

/**
 * Closes a month: from now on its groups are released only with `force`. Its certificate has the sums of both sides,
 * the proof and the open items, all as of one snapshot, once records that have changed are settled. The reconciliation
 * is locked exclusively, so that no group is created meanwhile.
 * @throws AppError reconciliation_not_found; conflict while records become items, or before the month has begun;
 *   period_closed, period_locked;
 *   period_open: an earlier month with records or groups is open
 */
export async function closePeriod(
  scope: TenantScope,
  reconciliationId: string,
  { period, note }: { period: string; note?: string | undefined },
): Promise<Period> {
  assertMonth(period);
  return scope.transaction(async (s) => {
    const reconciliation = await lockReconciliation(s, reconciliationId);
    await settleChangedItems(asService(s), reconciliationId);
    await assertClosable(s, reconciliation, period);
    const certificateId = newId();
    const { digest, summary } = await certify(s, reconciliation, { period, certificateId });
    await s.db.execute(
      `insert into period_certificates
         (tenant_id, id, reconciliation_id, period, closed_at, closed_by, note, summary, digest, name)
       values ($1::uuid, $2::uuid, $3::uuid, $4, clock_timestamp(), $5::jsonb, $6, $7::jsonb, $8, $9)`,
      [
        s.tenantId,
        certificateId,
        reconciliationId,
        period,
        JSON.stringify(s.origin.actor),
        note ?? null,
        JSON.stringify(summary),
        digest,
        reconciliation.name,
      ],
    );
    // The days of records count from now on: keys and time zone are fixed.
    await s.db.execute(
      `update reconciliations set closed_to = $3::date, held_once = true, updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid`,
      [s.tenantId, reconciliationId, lastDayOf(period)],
    );
    await emitPeriod(s, 'PERIOD_CLOSED', { reconciliationId, period, certificateId, digest });
    await recordAudit(s, {
      action: 'period.close',
      object: { type: 'period', id: `${reconciliationId}/${period}` },
      before: { closed_to: reconciliation.closedTo },
      after: { closed_to: lastDayOf(period), certificate_id: certificateId, digest },
      reason: note ?? null,
    });
    return getPeriod(s, reconciliationId, period);
  });
}

async function assertClosable(scope: TenantScope, reconciliation: Reconciliation, period: string): Promise<void> {
  const status = statusOfMonth(period, reconciliation);
  if (status !== 'open') throw new AppError(`period_${status}`, `The month ${period} is ${status}`);
  assertBegun(period, reconciliation.timezone);
  if (!reconciliation.filled) {
    const message = 'Existing records are still becoming open items: close the month once status is ready';
    throw new AppError('conflict', message);
  }
  await assertNoneReceived(scope, reconciliation);
  await assertNothingPending(scope, reconciliation, period);
  const earlier = await firstOpenMonth(scope, reconciliation, period);
  if (earlier !== undefined) {
    throw new AppError('period_open', `The month ${earlier} is open, and has records or groups: close it first`, {
      errors: [{ path: '', code: 'period_open', message: `${earlier} is open`, period: earlier }],
    });
  }
}

/** Makes sure that no record that a group holds waits to be read again. @throws AppError conflict */
async function assertNoneReceived({ db, tenantId }: TenantScope, { id }: Reconciliation): Promise<void> {
  const [received] = await db.query(
    `select 1 from reconciliation_items i join records r on r.tenant_id = $1::uuid and r.id = i.record_id
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.changed and r.status = 'received' limit 1`,
    [tenantId, id],
  );
  if (received) throw new AppError('conflict', 'Records that groups hold are being normalised: close in some seconds');
}

/** @throws AppError approval_pending */
async function assertNothingPending({ db, tenantId }: TenantScope, { id }: Reconciliation, to: string): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from match_groups
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and status = 'held' and approval = 'pending'
        and (period is null or period <= $3)`,
    [tenantId, id, to],
  );
  if (row?.count === 0) return;
  throw new AppError(
    'approval_pending',
    `${row?.count} match groups wait for approval: approve or reject them first (GET /v1/match-groups?status=pending)`,
  );
}

/** Finds the first open month before one that has a record or a group. */
async function firstOpenMonth(
  { db, tenantId }: TenantScope,
  { id, closedTo }: Reconciliation,
  before: string,
): Promise<string | undefined> {
  const [first] = await db.query<{ month: string | null }>(
    `with recursive ${monthsSql} select min(period) as month from months where period < $3 and period >= $4`,
    [tenantId, id, before, closedTo === null ? '' : monthAfter(closedTo)],
  );
  return first?.month ?? undefined;
}

async function certify(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { period, certificateId }: { period: string; certificateId: string },
): Promise<{ summary: object; digest: string }> {
  const lastDay = lastDayOf(period);
  const asked: AskedSums = { at: null, month: period, lastDay, ageDay: lastDay, proofDay: lastDay };
  const rows = await sumKnown(scope, reconciliation, asked, certificateId);
  const summary = await prove(scope, reconciliation, { asked, rows });
  const [items] = await scope.db.query<{ digest: string }>(
    `select encode(sha256(coalesce(string_agg(
              sha256(convert_to(concat_ws('|', p.record_id, p.revision, p.amount, p.remaining, p.day, p.currency,
                                          p.excluded, p.late, p.annotations),
                                'UTF8')), ''::bytea order by p.record_id), '')), 'hex')
              as digest
       from period_open_items p where p.tenant_id = $1::uuid and p.certificate_id = $2::uuid`,
    [scope.tenantId, certificateId],
  );
  const digest = createHash('sha256')
    .update(
      canonicalJson({
        reconciliation_id: reconciliation.id,
        period,
        summary: JSON.parse(JSON.stringify(summary)) as object,
        open_items: items?.digest ?? '',
      }),
    )
    .digest('hex');
  return { summary, digest };
}

/**
 * Locks a closed month for good, with those before.
 * @throws AppError reconciliation_not_found; period_open; period_locked; conflict before the month has ended
 */
export async function lockPeriod(scope: TenantScope, reconciliationId: string, period: string): Promise<Period> {
  assertMonth(period);
  return scope.transaction(async (s) => {
    const reconciliation = await lockReconciliation(s, reconciliationId);
    const status = statusOfMonth(period, reconciliation);
    if (status === 'open') throw new AppError('period_open', `The month ${period} is open: close it first`);
    if (status === 'locked') throw new AppError('period_locked', `The month ${period} is locked`);
    assertEnded(period, reconciliation.timezone);
    const rows = await s.db.query<{ period: string }>(
      `update period_certificates set locked_at = clock_timestamp(), locked_by = $4::jsonb
        where tenant_id = $1::uuid and reconciliation_id = $2::uuid and period <= $3 and voided_at is null
          and locked_at is null
        returning period`,
      [s.tenantId, reconciliationId, period, JSON.stringify(s.origin.actor)],
    );
    await s.db.execute(
      `update reconciliations set locked_to = $3::date, updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid`,
      [s.tenantId, reconciliationId, lastDayOf(period)],
    );
    await recordAudit(s, {
      action: 'period.lock',
      object: { type: 'period', id: `${reconciliationId}/${period}` },
      before: { locked_to: reconciliation.lockedTo },
      after: { locked_to: lastDayOf(period), locked_periods: rows.map((row) => row.period).sort() },
    });
    return getPeriod(s, reconciliationId, period);
  });
}
