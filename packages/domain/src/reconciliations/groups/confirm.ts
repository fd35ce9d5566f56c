import type { Side } from '@tieout/engine';
import { AppError, type TenantDb } from '@tieout/infra';
import { recordAudit, type AuditedAction } from '../../audit';
import { bookConfirmed } from '../../billing/ledger';
import type { TenantScope } from '../../kernel/scope';
import { getCompositeMatch, reviewCompositeMatch, type CompositeDetail } from '../../results/composites';
import { getMatch, reviewMatch, type Match } from '../../results/matches';
import type { Review, ReviewInput } from '../../results/reviews';
import { decimalOf, unitsOf } from '../amounts';
import { createMatchGroup, reportGroup } from './hold';
import { setHashOf, type GroupSource } from './insert';
import type { MatchGroup, MemberInput } from './types';

/**
 * Reviews a match. In a run of a reconciliation a confirmation holds its records as a group, or confirms the group that
 * the run has held.
 * @throws AppError as `reviewMatch` and `createMatchGroup` do; conflict on rejecting or withdrawing what a group holds
 */
export async function reviewMatchOfRun(scope: TenantScope, id: string, input: ReviewInput): Promise<Match> {
  return scope.transaction(async (s) => {
    const { match, done } = await reviewInTransaction(s, id, input);
    await reportReview(s, done);
    return match;
  });
}

/** Reviews a match in the transaction of the scope. What it has done is to be reported: see `reportReview`. */
export async function reviewInTransaction(
  s: TenantScope,
  id: string,
  input: ReviewInput,
): Promise<{ match: Match; done: DoneReview }> {
  const match = await getMatch(s, id);
  const object = { type: 'match', id } as const;
  const run = await runOf(s.db, match);
  const recordIds = [match.leftRecordId, match.rightRecordId];
  const settled = run && (await settleHeld(s, { ...run, ...match, id, recordIds }, input));
  const reviewed = await reviewMatch(s, id, input);
  if (settled || !run || input.status !== 'confirmed') {
    return { match: reviewed, done: settled?.done ?? reviewDone(object, match.review, input) };
  }
  const members = await membersBySide(s.db, run.reconciliationId, recordIds);
  const explanation: unknown = JSON.parse(match.explanation.text);
  const group = await hold(s, { ...run, ...match, members }, { kind: 'pair', matchId: id, explanation });
  return { match: reviewed, done: { group } };
}

/** The effect of a review: a group that it made, or an audit entry; none where it repeats an earlier review. */
export interface DoneReview {
  group?: MatchGroup;
  action?: AuditedAction;
}

async function reportReview(scope: TenantScope, { group, action }: DoneReview): Promise<void> {
  if (group) await reportGroup(scope, group);
  else if (action) await recordAudit(scope, action);
}

/**
 * Reviews a composite as `reviewMatchOfRun` reviews a match. Of the target of a PARTIAL one the group holds what its
 * members add up to: the rest stays open.
 */
export async function reviewCompositeOfRun(
  scope: TenantScope,
  id: string,
  input: ReviewInput,
): Promise<CompositeDetail> {
  return scope.transaction(async (s) => {
    const composite = await getCompositeMatch(s, id);
    const run = await runOf(s.db, composite);
    const ids = composite.members.map(({ recordId }) => recordId);
    const recordIds = [composite.targetRecordId, ...ids];
    const object = { type: 'composite_match', id } as const;
    const settled = run && (await settleHeld(s, { ...run, ...composite, id, recordIds }, input));
    const reviewed = await reviewCompositeMatch(s, id, input);
    if (run && !settled && input.status === 'confirmed') {
      const members = await membersBySide(s.db, run.reconciliationId, recordIds);
      if (composite.status === 'PARTIAL') {
        const part = await restOf(s.db, run.reconciliationId, { ids, sign: composite.targetAmount });
        for (const member of [...members.left, ...members.right]) {
          if (member.recordId === composite.targetRecordId) member.amount = part;
        }
      }
      const { explanation } = composite;
      const source = { kind: 'composite', compositeMatchId: id, explanation } as const;
      await reportReview(s, { group: await hold(s, { ...run, ...composite, members }, source) });
    } else await reportReview(s, settled?.done ?? reviewDone(object, composite.review, input));
    return reviewed;
  });
}

/** The actions of the audit by what a review makes of a result. */
export const auditedReviews = { confirmed: 'confirm', rejected: 'reject', withdrawn: 'withdraw' } as const;

/** Gives the entry of a review that holds no group, unless it repeats the one before. */
function reviewDone(
  object: { type: 'match' | 'composite_match'; id: string },
  before: Review | null,
  { status, note }: ReviewInput,
): DoneReview {
  const isRepeated = status === null ? before === null : before?.status === status && before.note === note;
  if (isRepeated) return {};
  return {
    action: {
      action: `${object.type}.${auditedReviews[status ?? 'withdrawn']}`,
      object,
      before: { review: before && { status: before.status, note: before.note } },
      after: { review: status && { status, note } },
      reason: note,
    },
  };
}

interface RunOfResult {
  reconciliationId: string;
  ruleSetName: string;
  ruleSetVersion: number;
}

/** Finds the run that a result comes from; undefined for a job that is no run. */
async function runOf(
  db: TenantDb,
  { matchingJobId, ruleSetId }: { matchingJobId: string; ruleSetId: string },
): Promise<RunOfResult | undefined> {
  const [run] = await db.query<RunOfResult>(
    `select j.reconciliation_id::text as "reconciliationId", e.rule_set_name as "ruleSetName",
            e.rule_set_version as "ruleSetVersion"
       from matching_jobs j join job_rule_sets e on e.job_id = j.id and e.rule_set_id = $3::uuid
      where j.tenant_id = $1::uuid and j.id = $2::uuid and j.reconciliation_id is not null`,
    [db.tenantId, matchingJobId, ruleSetId],
  );
  return run;
}

interface ResultToSettle {
  id: string;
  recordIds: readonly string[];
  review: Review | null;
}

/**
 * Confirms the group that holds the records of a result: this run has held it, or an earlier one has.
 * @returns undefined: there is none; what it has done, unless people had confirmed the group before
 * @throws AppError conflict on rejecting, and on withdrawing unless it was rejected
 */
async function settleHeld(
  scope: TenantScope,
  { reconciliationId, id, recordIds, review }: Pick<RunOfResult, 'reconciliationId'> & ResultToSettle,
  { status, note }: ReviewInput,
): Promise<{ done: DoneReview | undefined } | undefined> {
  if (status === null && review?.status === 'rejected') return undefined;
  const { db, tenantId } = scope;
  const [group] = await db.query<{ id: string; origin: string }>(
    `select g.id::text as id, g.origin from match_groups g
      where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.set_hash = $3::bytea and g.status = 'held'
        and g.origin <> 'manual'
        and (coalesce(g.match_id, g.composite_match_id) = $4::uuid
             or not exists (select 1 from reconciliation_items i
                             where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid
                               and i.record_id = any($5::uuid[]) and i.open))
      order by g.origin limit 1 for update`,
    [tenantId, reconciliationId, setHashOf(recordIds), id, recordIds],
  );
  if (!group) return undefined;
  if (status !== 'confirmed') {
    throw new AppError('conflict', `Match group ${group.id} holds the records: release it instead`);
  }
  if (group.origin !== 'auto') return { done: undefined };
  await db.execute(
    `update match_groups set origin = 'confirmed', confirmed_at = clock_timestamp(), confirmed_by = $3::jsonb
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, group.id, JSON.stringify(scope.origin.actor)],
  );
  const action = {
    action: 'match_group.confirm',
    object: { type: 'match_group', id: group.id },
    before: { origin: 'auto' },
    after: { origin: 'confirmed' },
    reason: note,
  };
  return { done: { action } };
}

async function membersBySide(
  db: TenantDb,
  reconciliationId: string,
  recordIds: readonly string[],
): Promise<Record<Side, MemberInput[]>> {
  const rows = await db.query<{ recordId: string; side: number }>(
    `select record_id::text as "recordId", side::int as side from reconciliation_items
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])
      order by array_position($3::uuid[], record_id)`,
    [db.tenantId, reconciliationId, recordIds],
  );
  const of = (side: number): MemberInput[] =>
    rows.flatMap((row) => (row.side === side ? [{ recordId: row.recordId }] : []));
  return { left: of(0), right: of(1) };
}

/** Adds up what remains of members, with the sign of the target. */
async function restOf(
  db: TenantDb,
  reconciliationId: string,
  { ids, sign }: { ids: readonly string[]; sign: number },
): Promise<string> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(amount - held), 0)::numeric(24, 4)::text as sum from reconciliation_items
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])`,
    [db.tenantId, reconciliationId, ids],
  );
  const sum = unitsOf(row?.sum) ?? 0n;
  const size = sum < 0n ? -sum : sum;
  return decimalOf(sign < 0 ? -size : size);
}

interface ResultToHold extends RunOfResult {
  matchingJobId: string;
  ruleSetId: string;
  score: number;
  members: Record<Side, MemberInput[]>;
}

/** Holds the records of a result. The group is to be reported. */
async function hold(
  scope: TenantScope,
  { reconciliationId, members, matchingJobId, ruleSetId, ruleSetName, ruleSetVersion, score }: ResultToHold,
  source: Pick<GroupSource, 'kind' | 'matchId' | 'compositeMatchId' | 'explanation'>,
): Promise<MatchGroup> {
  const group = await createMatchGroup(
    scope,
    { reconciliationId, ...members },
    {
      ...source,
      origin: 'confirmed',
      matchingJobId,
      ruleSetId,
      ruleSetName,
      ruleSetVersion,
      score,
      toleratesDifference: true,
      foundBy: matchingJobId,
    },
    () => Promise.resolve(),
  );
  await bookConfirmed(scope.db, scope.tenantId, group.id);
  return group;
}
