import { Attempts } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import { summariseAt } from './summarise';

/** Reconciliations that one sweep looks at. */
const perSweep = 20;

/** Notes once an hour which reconciliations have a difference that their proof does not explain, for on-call. */
export async function sweepProofs(deps: DomainDeps): Promise<void> {
  const due = await deps.db.system.query<{ tenantId: string; id: string }>(
    `select tenant_id::text as "tenantId", id::text as id from reconciliations
      where not archived and (proved_at is null or proved_at < now() - interval '1 hour')
        and ${isActiveSql('tenant_id')} order by proved_at nulls first limit ${perSweep}`,
  );
  const attempts = new Attempts(deps, { noun: 'proof', participle: 'looked at' });
  for (const { tenantId, id } of due) {
    await attempts.try({ tenantId, reconciliationId: id }, (scope) => noteProof(scope, id));
  }
  attempts.end();
}

async function noteProof(scope: TenantScope, id: string): Promise<void> {
  const { db, tenantId } = scope;
  const isUnexplained = (await hasBalances(scope, id)) && (await isDifferent(scope, id));
  await db.execute(
    `update reconciliations set proved_at = now(), unexplained = $3::boolean
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, isUnexplained],
  );
}

/** Without balances there is no proof, and its sums need not be read. */
async function hasBalances({ db, tenantId }: TenantScope, id: string): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select exists (select 1 from balances b where b.tenant_id = $1::uuid and b.valid_to is null
                       and (b.reconciliation_id = $2::uuid or b.dataset_id in (
                              select d.dataset_id from reconciliation_datasets d
                               where d.tenant_id = $1::uuid and d.reconciliation_id = $2::uuid))) as has`,
    [tenantId, id],
  );
  return row?.has === true;
}

async function isDifferent(scope: TenantScope, id: string): Promise<boolean> {
  const { proof } = await summariseAt(scope, id, {});
  return proof.some(({ unexplained }) => unexplained !== null && Number(unexplained) !== 0);
}
