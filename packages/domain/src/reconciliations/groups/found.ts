/** SQL for the matches and composites of the run `$3` that are MATCH. Each is a group, with its id. */
export const foundSql = `
  select m.id as group_id, 'pair' as kind, m.rule_set_id, m.score, m.explanation from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select c.id, 'composite', c.rule_set_id, c.score, c.explanation from composite_matches c
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'`;

/** SQL for their records. */
export const foundMembersSql = `
  select m.id as group_id, 0 as position, m.left_record_id as record_id from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select m.id, 1, m.right_record_id from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select c.id, 0, c.target_record_id from composite_matches c
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'
  union all
  select c.id, m.position + 1, m.record_id from composite_matches c
    join composite_members m on m.tenant_id = c.tenant_id and m.composite_id = c.id
     and m.composite_id = any(array(select o.id from composite_matches o
                                     where o.tenant_id = $1 and o.job_id = $3 and o.decision = 'MATCH'))
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'`;

/** SQL for the hash by which the same records are found again, over the rows of a group. */
export const setHashSql = `sha256(convert_to(string_agg(record_id::text, ' ' order by record_id::text), 'UTF8'))`;
