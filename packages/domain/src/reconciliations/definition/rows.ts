import type { Side } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { AcceptMode, AmountSignMode, Reconciliation, RunTriggers } from './types';

interface ReconciliationRow {
  id: string;
  name: string;
  leftDatasetIds: string[];
  rightDatasetIds: string[];
  ruleSetIds: string[];
  timezone: string;
  accept: string;
  amountKeyLeft: string | null;
  amountKeyRight: string | null;
  dateKeyLeft: string | null;
  dateKeyRight: string | null;
  currencyKeyLeft: string | null;
  currencyKeyRight: string | null;
  amountSign: string;
  triggers: unknown;
  nextRunAt: Date | null;
  archived: boolean;
  filled: boolean;
  heldOnce: boolean;
  closedTo: string | null;
  lockedTo: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const datasetsOf = (side: 0 | 1): string =>
  `array(select d.dataset_id::text from reconciliation_datasets d
          where d.tenant_id = n.tenant_id and d.reconciliation_id = n.id and d.side = ${side} order by d.position)`;

const columns = `n.id::text as id, n.name, n.timezone, n.accept, n.amount_key_left as "amountKeyLeft",
  n.amount_key_right as "amountKeyRight", n.date_key_left as "dateKeyLeft", n.date_key_right as "dateKeyRight",
  n.currency_key_left as "currencyKeyLeft", n.currency_key_right as "currencyKeyRight", n.amount_sign as "amountSign",
  n.triggers, n.next_run_at as "nextRunAt", n.archived, n.held_once as "heldOnce",
  n.closed_to::text as "closedTo", n.locked_to::text as "lockedTo",
  n.created_at as "createdAt", n.updated_at as "updatedAt",
  ${datasetsOf(0)} as "leftDatasetIds", ${datasetsOf(1)} as "rightDatasetIds",
  array(select p.rule_set_id::text from reconciliation_passes p
         where p.tenant_id = n.tenant_id and p.reconciliation_id = n.id order by p.position) as "ruleSetIds",
  not exists (select 1 from reconciliation_datasets d
               where d.tenant_id = n.tenant_id and d.reconciliation_id = n.id and not d.filled) as filled`;

function toReconciliation(row: ReconciliationRow): Reconciliation {
  const keys = (side: Side): Reconciliation['keys'][Side] =>
    side === 'left'
      ? { amount: row.amountKeyLeft, date: row.dateKeyLeft, currency: row.currencyKeyLeft }
      : { amount: row.amountKeyRight, date: row.dateKeyRight, currency: row.currencyKeyRight };
  return {
    id: row.id,
    name: row.name,
    datasetIds: { left: row.leftDatasetIds, right: row.rightDatasetIds },
    ruleSetIds: row.ruleSetIds,
    timezone: row.timezone,
    accept: row.accept as AcceptMode,
    keys: { left: keys('left'), right: keys('right') },
    amountSign: row.amountSign as AmountSignMode,
    triggers: row.triggers as RunTriggers,
    nextRunAt: row.nextRunAt,
    archived: row.archived,
    filled: row.filled,
    heldOnce: row.heldOnce,
    closedTo: row.closedTo,
    lockedTo: row.lockedTo,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Reads reconciliations `n` by the rest of the statement; the tenant is its first parameter. */
export async function readReconciliations(
  scope: TenantScope,
  rest: string,
  parameters: readonly SqlParameter[] = [],
): Promise<Reconciliation[]> {
  const rows = await scope.db.query<ReconciliationRow>(
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
 * Reads a reconciliation and locks it until the transaction ends: `shared` to add groups, `alone` to change the
 * reconciliation itself.
 * @throws AppError reconciliation_not_found
 */
export async function lockReconciliation(
  scope: TenantScope,
  id: string,
  mode: 'shared' | 'alone',
): Promise<Reconciliation> {
  const rows = await scope.db.query(
    `select 1 from reconciliations where tenant_id = $1::uuid and id = $2::uuid
        for ${mode === 'alone' ? 'update' : 'key share'}`,
    [scope.tenantId, id],
  );
  if (rows.length === 0) throw reconciliationNotFound();
  return getReconciliation(scope, id);
}
