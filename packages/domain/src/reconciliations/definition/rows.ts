import type { Side } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { AcceptMode, AmountSignMode, LastRun, Reconciliation, RunTriggers } from './types';

interface OwnRow {
  id: string;
  name: string;
  timezone: string;
  accept: string;
  amountKeyLeft: string | null;
  amountKeyRight: string | null;
  dateKeyLeft: string | null;
  dateKeyRight: string | null;
  currencyKeyLeft: string | null;
  currencyKeyRight: string | null;
  amountSign: string;
  approvalAbove: string | null;
  triggers: unknown;
  nextRunAt: Date | null;
  archived: boolean;
  heldOnce: boolean;
  closedTo: string | null;
  lockedTo: string | null;
  createdAt: Date;
  updatedAt: Date;
}

interface ReconciliationRow extends OwnRow {
  leftDatasetIds: string[];
  rightDatasetIds: string[];
  ruleSetIds: string[];
  filled: boolean;
  lastRun: LastRun | null;
}

const datasetsOf = (side: 0 | 1): string =>
  `array(select d.dataset_id::text from reconciliation_datasets d
          where d.tenant_id = n.tenant_id and d.reconciliation_id = n.id and d.side = ${side} order by d.position)`;

const ownColumns = `n.id::text as id, n.name, n.timezone, n.accept, n.amount_key_left as "amountKeyLeft",
  n.amount_key_right as "amountKeyRight", n.date_key_left as "dateKeyLeft", n.date_key_right as "dateKeyRight",
  n.currency_key_left as "currencyKeyLeft", n.currency_key_right as "currencyKeyRight", n.amount_sign as "amountSign",
  n.approval_above::text as "approvalAbove", n.triggers, n.next_run_at as "nextRunAt", n.archived,
  n.held_once as "heldOnce", n.closed_to::text as "closedTo", n.locked_to::text as "lockedTo",
  n.created_at as "createdAt", n.updated_at as "updatedAt"`;

/** SQL for the latest run: a refusal is over once a run has started. */
const lastRunSql = `coalesce(
  n.refusal || jsonb_build_object('matchingJobId', null, 'status', 'refused', 'nextAttemptAt', n.refused_until),
  (select jsonb_build_object('matchingJobId', j.id, 'status', j.status, 'trigger', j.trigger, 'at', j.created_at,
            'error', j.error, 'nextAttemptAt', null)
     from matching_jobs j
    where j.tenant_id = n.tenant_id and j.reconciliation_id = n.id and not j.dry_run order by j.id desc limit 1))`;

const columns = `${ownColumns}, ${lastRunSql} as "lastRun",
  ${datasetsOf(0)} as "leftDatasetIds", ${datasetsOf(1)} as "rightDatasetIds",
  array(select p.rule_set_id::text from reconciliation_passes p
         where p.tenant_id = n.tenant_id and p.reconciliation_id = n.id order by p.position) as "ruleSetIds",
  not exists (select 1 from reconciliation_datasets d
               where d.tenant_id = n.tenant_id and d.reconciliation_id = n.id and not d.filled) as filled`;

function ownPart(row: OwnRow): SharedReconciliation {
  const keys = (side: Side): Reconciliation['keys'][Side] =>
    side === 'left'
      ? { amount: row.amountKeyLeft, date: row.dateKeyLeft, currency: row.currencyKeyLeft }
      : { amount: row.amountKeyRight, date: row.dateKeyRight, currency: row.currencyKeyRight };
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    accept: row.accept as AcceptMode,
    keys: { left: keys('left'), right: keys('right') },
    amountSign: row.amountSign as AmountSignMode,
    approvalAbove: row.approvalAbove,
    triggers: row.triggers as RunTriggers,
    nextRunAt: row.nextRunAt,
    archived: row.archived,
    heldOnce: row.heldOnce,
    closedTo: row.closedTo,
    lockedTo: row.lockedTo,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const toReconciliation = (row: ReconciliationRow): Reconciliation => ({
  ...ownPart(row),
  datasetIds: { left: row.leftDatasetIds, right: row.rightDatasetIds },
  ruleSetIds: row.ruleSetIds,
  filled: row.filled,
  lastRun: row.lastRun,
});

/** Reads reconciliations `n` by the rest of the statement; the tenant is its first parameter. */
export async function readReconciliations(
  scope: TenantScope,
  rest: string,
  parameters: readonly SqlParameter[] = [],
): Promise<Reconciliation[]> {
  const rows = await scope.db.prepared.query<ReconciliationRow>(
    `select ${columns} from reconciliations n where n.tenant_id = $1::uuid ${rest}`,
    [scope.tenantId, ...parameters],
  );
  return rows.map(toReconciliation);
}

export const reconciliationNotFound = (): AppError =>
  new AppError('reconciliation_not_found', 'Reconciliation not found');

/** @throws AppError reconciliation_not_found */
export async function getReconciliation(scope: TenantScope, id: string): Promise<Reconciliation> {
  const [found] = await readReconciliations(scope, 'and n.id = $2::uuid', [id]);
  if (!found) throw reconciliationNotFound();
  return found;
}

/**
 * Reads a reconciliation and locks it until the transaction ends, to change the reconciliation itself.
 * @throws AppError reconciliation_not_found
 */
export async function lockReconciliation(scope: TenantScope, id: string): Promise<Reconciliation> {
  const rows = await scope.db.query(
    `select 1 from reconciliations where tenant_id = $1::uuid and id = $2::uuid for update`,
    [scope.tenantId, id],
  );
  if (rows.length === 0) throw reconciliationNotFound();
  return getReconciliation(scope, id);
}

/** The own columns of a reconciliation, which is locked until the transaction ends. */
export type SharedReconciliation = Omit<Reconciliation, 'datasetIds' | 'ruleSetIds' | 'filled' | 'lastRun'>;

/**
 * Reads a reconciliation and keeps others from changing it until the transaction ends, to change what belongs to it.
 * @throws AppError reconciliation_not_found
 */
export async function shareReconciliation(scope: TenantScope, id: string): Promise<SharedReconciliation> {
  const [row] = await scope.db.prepared.query<OwnRow>(
    `select ${ownColumns} from reconciliations n where n.tenant_id = $1::uuid and n.id = $2::uuid for key share`,
    [scope.tenantId, id],
  );
  if (!row) throw reconciliationNotFound();
  return ownPart(row);
}

/** Lets runs of a reconciliation start again that were refused: its passes have changed, or one has started. */
export async function allowRuns({ db, tenantId }: TenantScope, id: string): Promise<void> {
  await db.execute(
    `update reconciliations set refusals = 0, refused_until = null, refusal = null
      where tenant_id = $1::uuid and id = $2::uuid and refusals > 0`,
    [tenantId, id],
  );
}

/** The part of a reconciliation that the audit keeps. */
export function auditedReconciliation(of: Reconciliation): object {
  const {
    id: _id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    nextRunAt: _nextRunAt,
    lastRun: _lastRun,
    filled: _filled,
    heldOnce: _heldOnce,
    closedTo: _closedTo,
    lockedTo: _lockedTo,
    ...rest
  } = of;
  return rest;
}
