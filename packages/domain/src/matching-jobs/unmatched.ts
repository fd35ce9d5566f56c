import { AppError } from '@tieout/infra';
import { pageFrom, sliceOf, type Page, type PageRequest } from '../paging';
import { recordsById, type RecordView } from '../records';
import type { TenantScope } from '../scope';
import { unmatchedReasons, type UnmatchedReason } from './outcome';
import { sideNumber } from './stage/directory';

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
