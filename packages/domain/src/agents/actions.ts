import { AppError, invalid } from '@tieout/infra';
import type { Scope } from '../access/scopes';
import { inSavepoint } from '../kernel/sql';
import type { TenantScope } from '../kernel/scope';
import { startRun } from '../matching';
import { annotateItems, createMatchGroup, getReconciliation } from '../reconciliations';
import { assertDefinition, createRuleSet } from '../rules/rule-sets';
import type { ProposedAction, ProposedAnnotation } from './types';

/** The scope that proposing and confirming an action needs. */
export const scopeOfAction: Readonly<Record<ProposedAction['action'], Scope>> = {
  match_group: 'matches:write',
  annotation: 'reconciliations:write',
  rule_set: 'rule-sets:write',
  run: 'reconciliations:write',
};

/** The outcome of an action. */
export interface ActionResult {
  /** Id of the new object; null: the action changed an existing one. */
  id: string | null;
}

/** The trial of an action has succeeded, and is taken back. */
class TrialEnded extends Error {}

/** Carries an action out, and takes it back: it fails as the action would. */
async function tryOut(tx: TenantScope, work: () => Promise<unknown>): Promise<void> {
  try {
    await inSavepoint(tx.db, async () => {
      await work();
      throw new TrialEnded();
    });
  } catch (error) {
    if (!(error instanceof TrialEnded)) throw error;
  }
}

async function annotateAll(tx: TenantScope, { reconciliationId, recordIds, set }: ProposedAnnotation): Promise<void> {
  const { failed } = await annotateItems(tx, reconciliationId, { selection: { recordIds }, set });
  const [fault] = failed;
  if (!fault) return;
  const { id, code, message } = fault;
  throw new AppError(code as 'record_not_found' | 'record_held', `${message} (${id})`);
}

/** @throws AppError for a reconciliation that nothing runs on */
async function assertRunnable(tx: TenantScope, id: string): Promise<void> {
  const { archived, ruleSetIds } = await getReconciliation(tx, id);
  if (archived) throw new AppError('conflict', 'The reconciliation is archived');
  if (ruleSetIds.length === 0)
    throw invalid([{ path: '/run/reconciliationId', code: 'no_rule_set', message: 'has no passes' }]);
}

/**
 * Refuses what would be refused if it were carried out now. Nothing changes, and nothing is held.
 * @throws AppError as the operation of the action does
 */
export async function assertPossible(tx: TenantScope, { action, input }: ProposedAction): Promise<void> {
  switch (action) {
    case 'match_group':
      return tryOut(tx, () => createMatchGroup(tx, input, undefined, async () => {}));
    case 'annotation':
      return tryOut(tx, () => annotateAll(tx, input));
    case 'rule_set':
      return assertDefinition(tx, { ...input, version: 1 }, '/ruleSet');
    case 'run':
      return assertRunnable(tx, input.reconciliationId);
  }
}

/**
 * Carries an action out as the caller.
 * @throws AppError as the operation of the action does
 */
export async function carryOut(
  tx: TenantScope,
  { action, input }: ProposedAction,
  reason: string,
): Promise<ActionResult> {
  switch (action) {
    case 'match_group':
      return { id: (await createMatchGroup(tx, { ...input, note: input.note ?? reason })).id };
    case 'annotation':
      await annotateAll(tx, input);
      return { id: null };
    case 'rule_set':
      return { id: (await createRuleSet(tx, input)).id };
    case 'run':
      return {
        id: await startRun(tx, input.reconciliationId, { mode: input.mode, trigger: 'manual', dryRun: false }),
      };
  }
}

/** The reconciliation that an action is about; null for none. */
export const reconciliationOf = ({ input }: ProposedAction): string | null =>
  'reconciliationId' in input ? input.reconciliationId.toLowerCase() : null;
