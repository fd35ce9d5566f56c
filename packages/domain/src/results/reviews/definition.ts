import { effectiveParams, type RuleSetDefinition } from '@tieout/engine';
import type { TenantDb } from '@tieout/infra';

/** What of a rule set's definition says which results exclude each other. */
export interface Exclusion {
  /** A record is in one MATCH pair at most. */
  oneToOne: boolean;
  /** Records of matched pairs take no part in composites. */
  leavesOutMatched: boolean;
}

/** By the definition that a job ran. */
export async function exclusionOf(db: TenantDb, ruleSetId: string, jobId: string): Promise<Exclusion> {
  const [entry] = await db.query<{ definition: RuleSetDefinition }>(
    `select definition from job_rule_sets where tenant_id = $1::uuid and rule_set_id = $2::uuid and job_id = $3::uuid`,
    [db.tenantId, ruleSetId, jobId],
  );
  if (!entry) return { oneToOne: false, leavesOutMatched: false };
  const { enabled, skipAlreadyMatched } = effectiveParams(entry.definition).composition;
  return {
    oneToOne: entry.definition.params.assignment === 'one_to_one',
    leavesOutMatched: enabled && skipAlreadyMatched,
  };
}
