import { AppError, invalid } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { listedRuleSets, updateRuleSet, type RuleSet, type RuleSetChange } from '../../rules/rule-sets';
import { passFaults } from './passes';
import { allowRuns, readReconciliations } from './rows';
import type { Reconciliation } from './types';

/**
 * Changes a rule set, which stays fit for the reconciliation that it is a pass of.
 * @throws AppError as `updateRuleSet` does; validation_error: the pass would break a rule of passes
 */
export const changeRuleSet = (scope: TenantScope, id: string, change: RuleSetChange): Promise<RuleSet> =>
  updateRuleSet(scope, id, change, assertPass);

/**
 * Refuses a stored rule set that its reconciliation cannot have as a pass. The row of the rule set is locked: who makes
 * it a pass, or changes its reconciliation, locks it too, and has been or will be checked against it.
 * @throws AppError validation_error
 */
async function assertPass(tx: TenantScope, ruleSet: RuleSet): Promise<void> {
  const [of] = await readReconciliations(
    tx,
    `and n.id = (select p.reconciliation_id from reconciliation_passes p
                  where p.tenant_id = $1::uuid and p.rule_set_id = $2::uuid)`,
    [ruleSet.id],
  );
  if (!of) return;
  const faults = passFaults(ruleSet, of, '');
  if (faults.length === 0) return allowRuns(tx, of.id);
  throw invalid(
    faults.map(({ key, message, ...fault }) => ({
      ...fault,
      key,
      path: `/${String(key).replaceAll('.', '/')}`,
      message: `as a pass of reconciliation ${of.name} (${of.id}): ${message}`,
    })),
  );
}

/**
 * Refuses a run of passes that break a rule of passes: they were changed before that was checked.
 * @throws AppError conflict
 */
export async function assertPasses(scope: TenantScope, reconciliation: Reconciliation): Promise<void> {
  const passes = await listedRuleSets(
    scope,
    reconciliation.ruleSetIds.map((id) => ({ id })),
  );
  const faults = passes.flatMap((pass) => passFaults(pass, reconciliation, ''));
  if (faults.length === 0) return;
  const said = faults.map(({ message }) => message).join('; ');
  throw new AppError('conflict', `Passes of reconciliation ${reconciliation.name} have to be mended: ${said}`, {
    errors: faults,
  });
}
