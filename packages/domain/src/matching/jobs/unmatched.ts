import { AppError } from '@tieout/infra';
import { bestPossibleComposites } from '../../results/composites';
import { pageFrom, sliceOf, type Page, type PageRequest } from '../../kernel/paging';
import { recordsById, type ListedRecord } from '../../data/records';
import type { TenantScope } from '../../kernel/scope';
import { readUnmatched, unmatchedReasons, type UnmatchedReason } from '../../results/unmatched';
import { sideNumber } from '../stage/directory';

export interface UnmatchedRecord {
  record: ListedRecord;
  reason: UnmatchedReason;
  /** Here and below, what somebody has rejected does not count. */
  bestPossible: { matchId: string; recordId: string; score: number } | null;
  /** As target or member. */
  bestPossibleComposite: { compositeMatchId: string; score: number } | null;
}

export interface UnmatchedFilter {
  side: 'left' | 'right';
  /** Filtered and failed records are left out unless they are asked for. */
  include: readonly ('filtered' | 'failed')[];
}

/** The records of one side that got no MATCH, each with its best POSSIBLE, pair and composite. Empty until the job is completed. */
export async function listUnmatched(
  scope: TenantScope,
  jobId: string,
  filter: UnmatchedFilter,
  page: PageRequest,
): Promise<Page<UnmatchedRecord>> {
  const { tenantId, db } = scope;
  const [job] = await db.query(`select 1 from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`, [
    tenantId,
    jobId,
  ]);
  if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
  const shown = unmatchedReasons.filter((r) => (r !== 'filtered' && r !== 'failed') || filter.include.includes(r));
  const { total, entries } = await readUnmatched(
    db,
    { tenantId, jobId, side: sideNumber[filter.side], reasons: shown },
    sliceOf(page),
  );
  const ids = entries.map(({ recordId }) => recordId);
  const [own, other] =
    filter.side === 'left' ? ['left_record_id', 'right_record_id'] : ['right_record_id', 'left_record_id'];
  const possible = await db.query<{ recordId: string; matchId: string; otherId: string; score: number }>(
    `select r.id as "recordId", best.id as "matchId", best.other as "otherId", best.score
       from unnest($3::uuid[]) r(id), lateral (
         select m.id, m.${other} as other, m.score
           -- The fence keeps the search on the index of the record: right after a large job the statistics know nothing of it.
           from (select * from matches where ${own} = r.id offset 0) m
          where m.tenant_id = $1::uuid and m.job_id = $2::uuid and m.decision = 'POSSIBLE' and m.review_status is distinct from 'rejected'
          order by m.score desc, m.id limit 1) best`,
    [tenantId, jobId, ids],
  );
  const composites = await bestPossibleComposites(db, { tenantId, jobId }, ids);
  const records = await recordsById(scope, ids);
  const listed = pageFrom(page, total, entries, ({ recordId }) => recordId);
  const items = listed.items.flatMap(({ recordId, reason }): UnmatchedRecord[] => {
    const record = records.get(recordId);
    // A record that was deleted since, or whose dataset was, is no longer listed; its place says whether another page follows.
    if (!record) return [];
    const best = possible.find((match) => match.recordId === recordId);
    const composite = composites.find((c) => c.recordId === recordId);
    return [
      {
        record,
        reason,
        bestPossible: best ? { matchId: best.matchId, recordId: best.otherId, score: best.score } : null,
        bestPossibleComposite: composite
          ? { compositeMatchId: composite.compositeMatchId, score: composite.score }
          : null,
      },
    ];
  });
  return { ...listed, items };
}
