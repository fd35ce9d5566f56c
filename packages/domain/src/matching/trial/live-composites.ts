import type { CompositeDirection } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { compositeKey, type TrialComposites } from './compose';

/** Differences of groups from the live ones; a group with other members is another group. */
export interface CompositeChanges {
  live: number;
  new: number;
  lost: number;
  /** Groups of the same records with another decision. */
  changed: number;
  unchanged: number;
}

/**
 * Compares groups with the live ones of a rule set, without what people decided on; null for a pass, whose groups are
 * held from run to run.
 */
export async function compareComposites(
  client: PoolClient,
  { tenantId, ruleSetId }: { tenantId: string; ruleSetId: string },
  { keys }: TrialComposites,
): Promise<CompositeChanges | null> {
  const { rows: passes } = await client.query(
    `select 1 from reconciliation_passes where tenant_id = $1 and rule_set_id = $2`,
    [tenantId, ruleSetId],
  );
  if (passes.length > 0) return null;
  const { rows } = await client.query<{
    direction: CompositeDirection;
    target: string;
    members: string[];
    decision: string;
  }>(
    `select c.direction, c.target_record_id::text as target, c.decision,
            array(select m.record_id::text from composite_members m where m.composite_id = c.id) as members
       from composite_matches c
       join rule_sets r on r.tenant_id = $1 and r.id = $2 and r.live_job_id = c.job_id
      where c.tenant_id = $1 and c.rule_set_id = $2 and c.review_status is null`,
    [tenantId, ruleSetId],
  );
  const changes = { live: rows.length, new: 0, lost: 0, changed: 0, unchanged: 0 };
  for (const { direction, target, members, decision } of rows) {
    const now = keys.get(compositeKey(direction, target, members));
    changes[now === undefined ? 'lost' : now === decision ? 'unchanged' : 'changed']++;
  }
  changes.new = keys.size - changes.changed - changes.unchanged;
  return changes;
}
