import { AppError } from '@tieout/infra';
import { pageFrom, sliceOf, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { recordsById, type ListedRecord } from '../../data/records';
import { bestPossibleComposites } from '../composites';
import { sideNumber, unmatchedReasons, type UnmatchedReason } from './blocks';
import { nearestCandidates, type NearestCandidate } from './candidates';
import { readUnmatched } from './read';
import { restsOf } from './rests';

export interface UnmatchedRecord {
  record: ListedRecord;
  reason: UnmatchedReason;
  /** Rejected matches and composites do not count. */
  bestPossible: { matchId: string; recordId: string; score: number } | null;
  /** The record is its target or a member. */
  bestPossibleComposite: { compositeMatchId: string; score: number } | null;
  /** Its best candidate below Tpossible, where it has none above. */
  nearest: NearestCandidate | null;
  /** The part of its amount that confirmed composites leave open; null where they hold none of it. */
  remainingAmount: number | null;
}

export interface UnmatchedFilter {
  side: 'left' | 'right';
  /** Filtered and failed records are listed only if they are included here. */
  include: readonly ('filtered' | 'failed')[];
}

/**
 * Lists the records of one side without a MATCH, each with its best POSSIBLE pair and composite. Empty until
 * completion.
 */
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
  const possible = await bestPossibleMatches(scope, jobId, filter.side, ids);
  const composites = await bestPossibleComposites(db, { tenantId, jobId }, ids);
  const records = await recordsById(scope, ids);
  const rests = await restsOf(scope, jobId, filter.side, ids);
  const nearest = await nearestCandidates(scope, jobId, entries);
  const listed = pageFrom(page, total, entries, ({ recordId }) => recordId);
  const items = listed.items.flatMap(({ recordId, reason }): UnmatchedRecord[] => {
    const record = records.get(recordId);
    // A record deleted since is no longer listed, but counts for the question whether another page follows.
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
        nearest: nearest.get(recordId) ?? null,
        remainingAmount: rests.get(recordId) ?? null,
      },
    ];
  });
  return { ...listed, items };
}

interface BestMatch {
  recordId: string;
  matchId: string;
  otherId: string;
  score: number;
}

/** Finds for each record of a side its best POSSIBLE match that is not rejected. */
function bestPossibleMatches(
  { db, tenantId }: TenantScope,
  jobId: string,
  side: 'left' | 'right',
  recordIds: readonly string[],
): Promise<BestMatch[]> {
  const [own, other] = side === 'left' ? ['left', 'right'] : ['right', 'left'];
  return db.query(
    `select r.id as "recordId", best.id as "matchId", best.other as "otherId", best.score
       from unnest($3::uuid[]) r(id), lateral (
         select m.id, m.${other}_record_id as other, m.score
           -- offset 0 keeps the search on the index of the record: right after a large job statistics are out of date.
           from (select * from matches where ${own}_record_id = r.id offset 0) m
          where m.tenant_id = $1::uuid and m.job_id = $2::uuid and m.decision = 'POSSIBLE'
            and m.review_status is distinct from 'rejected'
          order by m.score desc, m.id limit 1) best`,
    [tenantId, jobId, recordIds],
  );
}
