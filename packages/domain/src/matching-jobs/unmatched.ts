import type { PoolClient } from '@tieout/infra';
import { AppError } from '@tieout/infra';
import { pageFrom, sliceOf, type Page, type PageRequest } from '../paging';
import { recordsById, type RecordView } from '../records';
import type { TenantScope } from '../scope';
import type { FinishedEntry } from './finish';
import { noCandidateTable, sideNumber, stageTable } from './staging';

/** Why a record got no MATCH, the most telling first: over several rule sets the first one counts. */
export const unmatchedReasons = [
  'ambiguous', 'possible_only', 'below_threshold', 'no_candidate', 'unblocked', 'filtered', 'failed',
] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

/** Stores, once a job, which staged records got no MATCH from any of its rule sets, and why. */
export async function writeUnmatched(
  client: PoolClient,
  tenantId: string,
  jobId: string,
  entries: readonly FinishedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const literal = (text: string): string => client.escapeLiteral(text);
  const rank = (reason: UnmatchedReason): number => unmatchedReasons.indexOf(reason);
  const perEntry = entries.map((entry) => {
    const side = (number: 0 | 1, column: string): string => `
      select s.side, s.record_id, coalesce(m.matched, false) as matched,
             case when s.reason is not null then case s.reason
                    when 'failed' then ${rank('failed')} when 'filtered' then ${rank('filtered')} else ${rank('unblocked')} end
                  when m.ambiguous then ${rank('ambiguous')}
                  when m.record_id is not null then ${rank('possible_only')}
                  when n.seq is not null then ${rank('no_candidate')}
                  else ${rank('below_threshold')} end as reason
        from ${stageTable(entry.id)} s
        left join ${noCandidateTable(entry.id)} n on n.side = s.side and n.seq = s.seq
        left join (select ${column} as record_id, bool_or(decision = 'MATCH') as matched,
                          bool_or(explanation ? 'ambiguous') as ambiguous
                     from matches where tenant_id = ${literal(tenantId)} and job_id = ${literal(jobId)} and rule_set_id = ${literal(entry.ruleSetId)}
                    group by 1) m on m.record_id = s.record_id
       where s.side = ${number}`;
    return `${side(sideNumber.left, 'left_record_id')} union all ${side(sideNumber.right, 'right_record_id')}`;
  });
  await client.query(
    `insert into job_unmatched (job_id, side, record_id, tenant_id, reason)
     select ${literal(jobId)}, side, record_id, ${literal(tenantId)}, ('{${unmatchedReasons.join(',')}}'::text[])[min(reason) + 1]
       from (${perEntry.join(' union all ')}) as outcome
      group by side, record_id having not bool_or(matched)`,
  );
}

export interface UnmatchedRecord {
  record: RecordView;
  reason: UnmatchedReason;
  bestPossible: { matchId: string; recordId: string; score: number } | null;
}

export interface UnmatchedFilter {
  side: 'left' | 'right';
  /** Filtered and failed records are left out unless they are asked for. */
  include: readonly ('filtered' | 'failed')[];
}

/** The records of one side that got no MATCH, each with its best POSSIBLE. Empty until the job is completed. */
export async function listUnmatched(
  scope: TenantScope,
  jobId: string,
  filter: UnmatchedFilter,
  page: PageRequest,
): Promise<Page<UnmatchedRecord>> {
  const { tenantId, db } = scope;
  const [job] = await db.query(`select 1 from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`, [tenantId, jobId]);
  if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
  const shown = unmatchedReasons.filter((r) => (r !== 'filtered' && r !== 'failed') || filter.include.includes(r));
  const where = `u.tenant_id = $1::uuid and u.job_id = $2::uuid and u.side = $3::smallint and u.reason = any($4::text[])`;
  const parameters = [tenantId, jobId, sideNumber[filter.side], shown];
  const own = filter.side === 'left' ? 'left_record_id' : 'right_record_id';
  const other = filter.side === 'left' ? 'right_record_id' : 'left_record_id';
  const slice = sliceOf(page);
  const [[count], rows] = await Promise.all([
    db.query<{ total: number }>(`select count(*)::int as total from job_unmatched u where ${where}`, parameters),
    db.query<{ recordId: string; reason: UnmatchedReason; matchId: string | null; otherId: string | null; score: number | null }>(
      `select u.record_id as "recordId", u.reason, best.id as "matchId", best.other as "otherId", best.score
         from (select * from job_unmatched u where ${where} and ($7::uuid is null or u.record_id < $7::uuid)
                order by u.record_id desc limit $5::int offset $6::int) u
         left join lateral (
           select m.id, m.${other} as other, m.score from matches m
            where m.tenant_id = u.tenant_id and m.job_id = u.job_id and m.${own} = u.record_id and m.decision = 'POSSIBLE'
            order by m.score desc, m.id limit 1) best on true
        order by u.record_id desc`,
      [...parameters, slice.take, slice.skip, slice.beforeId ?? null],
    ),
  ]);
  const records = await recordsById(scope, rows.map((r) => r.recordId));
  const items = rows.flatMap((row): UnmatchedRecord[] => {
    const record = records.get(row.recordId);
    // A record that was deleted since is no longer listed.
    if (!record) return [];
    const bestPossible =
      row.matchId === null ? null : { matchId: row.matchId, recordId: row.otherId as string, score: row.score as number };
    return [{ record, reason: row.reason, bestPossible }];
  });
  return pageFrom(page, count?.total ?? 0, items, (item) => item.record.id);
}
