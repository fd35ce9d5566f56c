import type { TenantDb } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { sideNumber, unmatchedReasonsOf, type SideNumber, type UnmatchedReason } from '../../results/unmatched';
import type { Reconciliation } from '../definition';
import { isAsSeenSql } from '../groups/members';

/** The newest completed run of a reconciliation, whose proposals are live. */
export interface LatestRun {
  jobId: string;
  /** A MATCH is a proposal too, where a run holds nothing by itself. */
  decisions: readonly string[];
}

export async function latestRunOf(
  { db, tenantId }: TenantScope,
  { id, accept }: Pick<Reconciliation, 'id' | 'accept'>,
): Promise<LatestRun | null> {
  const [run] = await db.query<{ jobId: string }>(
    `select id::text as "jobId" from matching_jobs
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and status = 'completed' and not dry_run
      order by id desc limit 1`,
    [tenantId, id],
  );
  return run ? { ...run, decisions: accept === 'review' ? ['POSSIBLE', 'MATCH'] : ['POSSIBLE'] } : null;
}

/** Returns why records have no MATCH in a run; none for a record that the run did not list. */
export async function reasonsInRun(
  { db, tenantId }: TenantScope,
  jobId: string,
  records: readonly { recordId: string; side: SideNumber }[],
): Promise<Map<string, UnmatchedReason>> {
  const reasons = new Map<string, UnmatchedReason>();
  for (const side of Object.values(sideNumber)) {
    const ids = records.flatMap((record) => (record.side === side ? [record.recordId] : []));
    for (const [id, reason] of await unmatchedReasonsOf(db, { tenantId, jobId, side }, ids)) reasons.set(id, reason);
  }
  return reasons;
}

/** Names the parameters of a statement over proposals. */
export interface ProposalParameters {
  reconciliation: string;
  job: string;
  decisions: string;
}

/**
 * SQL for the absence of a group that a match or composite has become. `offset 0` keeps each search on its index:
 * statistics take the few groups that have another id than their match for nearly all.
 */
const isUnheld = (alias: string): string =>
  [
    `g.id = ${alias}.id`,
    `g.match_id = ${alias}.id and g.match_id <> g.id`,
    `g.composite_match_id = ${alias}.id and g.composite_match_id <> g.id`,
  ]
    .map((isOf) => `not exists (select 1 from match_groups g where g.tenant_id = $1::uuid and ${isOf} offset 0)`)
    .join(' and ');

/** SQL that holds for a match or composite of the latest run that is a proposal still. */
export const isLive = (alias: string, { job, decisions }: ProposalParameters): string =>
  `${alias}.tenant_id = $1::uuid and ${alias}.job_id = ${job}::uuid and ${alias}.decision = any(${decisions}::text[])
   and ${alias}.review_status is distinct from 'rejected' and ${isUnheld(alias)}`;

/** SQL that holds for a record that is an open item, as the run has seen it. */
export const isOpen = (recordId: string, { reconciliation, job }: ProposalParameters): string => {
  const snapshot = `(select j.snapshot::pg_snapshot from matching_jobs j
                      where j.tenant_id = $1::uuid and j.id = ${job}::uuid)`;
  return `exists (select 1 from reconciliation_items i
            where i.tenant_id = $1::uuid and i.reconciliation_id = ${reconciliation}::uuid
              and i.record_id = ${recordId} and i.open and ${isAsSeenSql(snapshot)})`;
};

/**
 * SQL for the proposed pairs of a record, with its partner, all of whose records are open. `offset 0` keeps each search
 * on the index of the record: right after a large run statistics are out of date.
 */
const pairsOf = (recordId: string, names: ProposalParameters): string =>
  `select m.id, m.other, m.score, m.decision
     from (select m.*, right_record_id as other from matches m where left_record_id = ${recordId}
           union all
           select m.*, left_record_id from matches m where right_record_id = ${recordId} offset 0) m
    where ${isLive('m', names)} and ${isOpen('m.left_record_id', names)} and ${isOpen('m.right_record_id', names)}`;

/** SQL for the proposed composites that name a record, all of whose records are open. */
const compositesOf = (recordId: string, names: ProposalParameters): string =>
  `select c.id, c.score, c.decision
     from (select id as composite_id from composite_matches where target_record_id = ${recordId}
           union all
           select composite_id from composite_members where record_id = ${recordId} offset 0) naming,
          lateral (select * from composite_matches where tenant_id = $1::uuid and id = naming.composite_id offset 0) c
    where ${isLive('c', names)} and ${isOpen('c.target_record_id', names)}
      and not exists (select 1 from composite_members n
                       where n.composite_id = c.id and not ${isOpen('n.record_id', names)})`;

/** Proposals whose records are listed first; more are found item by item, in the order of the list. */
const maxListed = 20_000;

/** Builds SQL that holds for items `i` which a proposal of the latest run names. */
export async function suggestedSql(
  db: TenantDb,
  run: LatestRun,
  parameter: (value: string | string[]) => string,
): Promise<string> {
  const names = { reconciliation: '$2', job: parameter(run.jobId), decisions: parameter([...run.decisions]) };
  const [counted] = await db.query<{ proposals: number }>(
    `select coalesce(sum(count), 0)::float8 as proposals from result_counts
      where tenant_id = $1::uuid and job_id = $2::uuid and decision = any($3::text[])`,
    [db.tenantId, run.jobId, [...run.decisions]],
  );
  const isAny = `(exists (${pairsOf('i.record_id', names)}) or exists (${compositesOf('i.record_id', names)}))`;
  if ((counted?.proposals ?? 0) > maxListed) return isAny;
  const of = (alias: string): string =>
    `${alias}.tenant_id = $1::uuid and ${alias}.job_id = ${names.job}::uuid
     and ${alias}.decision = any(${names.decisions}::text[])`;
  return `(i.record_id = any(array(
      select left_record_id from matches m where ${of('m')}
      union select right_record_id from matches m where ${of('m')}
      union select target_record_id from composite_matches c where ${of('c')}
      union select n.record_id from composite_matches c join composite_members n on n.composite_id = c.id
             where ${of('c')})) and ${isAny})`;
}

export interface ItemProposals {
  bestPossible: { matchId: string; recordId: string; score: number } | null;
  /** The record is its target or a member. */
  bestPossibleComposite: { compositeMatchId: string; score: number } | null;
}

/** Finds the best live proposals of records: a MATCH before a POSSIBLE, then by score. */
export async function proposalsOf(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  run: LatestRun,
  recordIds: readonly string[],
): Promise<Map<string, ItemProposals>> {
  const names = { reconciliation: '$2', job: '$3', decisions: '$4' };
  const best = (found: string, columns: string): string =>
    `(select jsonb_build_object(${columns}) from (${found}) b order by b.decision, b.score desc, b.id limit 1)`;
  const rows = await db.query<{ recordId: string } & ItemProposals>(
    `select r.id::text as "recordId",
            ${best(pairsOf('r.id', names), `'matchId', b.id, 'recordId', b.other, 'score', b.score`)} as "bestPossible",
            ${best(compositesOf('r.id', names), `'compositeMatchId', b.id, 'score', b.score`)}
              as "bestPossibleComposite"
       from unnest($5::uuid[]) r(id)`,
    [tenantId, reconciliationId, run.jobId, [...run.decisions], recordIds],
  );
  return new Map(rows.map(({ recordId, ...proposals }) => [recordId, proposals]));
}
