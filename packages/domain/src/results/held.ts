/**
 * SQL that holds for a match or composite of a run whose group is held: that has the same id. The others that groups
 * hold are reviewed. A scalar query, so that each row looks its group up by its key.
 */
export const isHeldSql = (alias: string): string =>
  `coalesce((select g.status from match_groups g
    where g.tenant_id = ${alias}.tenant_id and g.id = ${alias}.id) = 'held', false)`;

/** SQL for the groups `g` of the tenant `$1` that earlier runs have made and that are held. */
export const heldOfEarlierRunsSql = (kind: 'pair' | 'composite'): string =>
  `match_groups g where g.tenant_id = $1::uuid and g.kind = '${kind}' and g.status = 'held' and g.origin = 'auto'
     and (g.rule_set_id, g.matching_job_id) not in (
       select r.id, r.live_job_id from rule_sets r where r.tenant_id = $1::uuid and r.live_job_id is not null)`;

/** SQL that has the sweep look again at results that it has kept for the sake of the released groups `$2`. */
export const sweepAgainSql = `update job_rule_sets e set results_expired_at = null
  where e.tenant_id = $1::uuid and e.results_expired_at is not null and (e.job_id, e.rule_set_id) in (
    select g.matching_job_id, g.rule_set_id from match_groups g
     where g.tenant_id = $1::uuid and g.id = any($2::uuid[]))`;
