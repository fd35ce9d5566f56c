import { AppError } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { inSavepoint, withShortLockTimeout } from '../../kernel/sql';
import type { Page } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { listMatches, type Match, type MatchFilter } from '../../results/matches';
import { busyMessage, type ReviewInput } from '../../results/reviews';
import { auditedReviews, reviewInTransaction, type DoneReview } from './confirm';
import { emitHeldGroups, heldAction } from './hold';
import type { BulkOutcome } from './release';

/** Matches of a request: by id, or all of a filter. */
export type MatchSelection = { ids: readonly string[] } | { filter: MatchFilter };

/** Max matches that one transaction reviews: other reviews of their rule sets wait until it ends. */
const matchesPerStep = 50;

/** Reviews many matches, in steps. Each step is one entry of the audit; in it each match is reviewed or not. */
export async function reviewMatches(
  scope: TenantScope,
  selection: MatchSelection,
  input: ReviewInput,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, failed: [] };
  for await (const ids of stepsOf(scope, selection)) {
    const { done, failed } = await scope.transaction((s) => reviewStep(s, ids, { selection, input }));
    outcome.done += done;
    outcome.failed.push(...failed);
  }
  return outcome;
}

async function reviewStep(
  scope: TenantScope,
  ids: readonly string[],
  { selection, input }: { selection: MatchSelection; input: ReviewInput },
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, failed: [] };
  const reviews: { id: string; done: DoneReview }[] = [];
  const isLocked = await tryPart(scope, ids, { outcome, work: () => lockForStep(scope, ids) });
  for (const id of isLocked ? ids : []) {
    await tryPart(scope, [id], {
      outcome,
      work: async () => {
        const { done } = await reviewInTransaction(scope, id, input);
        if (done.group ?? done.action) reviews.push({ id, done });
        outcome.done++;
      },
    });
  }
  await reportReviews(scope, reviews, { selection, input });
  return outcome;
}

/** Does a part of a step, and lists the matches as failed if it is refused. Returns whether it is done. */
async function tryPart(
  { db }: TenantScope,
  ids: readonly string[],
  { outcome, work }: { outcome: BulkOutcome; work: () => Promise<void> },
): Promise<boolean> {
  try {
    await inSavepoint(db, () => withShortLockTimeout(db, busyMessage, work));
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const id of ids) outcome.failed.push({ id, code: error.code, message: error.message });
    return false;
  }
}

/** Locks what the reviews lock in the order of all writers, which a match after another would not keep to. */
async function lockForStep({ db, tenantId }: TenantScope, ids: readonly string[]): Promise<void> {
  await db.query(
    `select 1 from rule_sets where tenant_id = $1::uuid and id in (
       select rule_set_id from matches where tenant_id = $1::uuid and id = any($2::uuid[])) order by id for update`,
    [tenantId, ids],
  );
  await db.query(
    `select 1 from reconciliations where tenant_id = $1::uuid and id in (
       select j.reconciliation_id from matches m join matching_jobs j on j.id = m.job_id
        where m.tenant_id = $1::uuid and m.id = any($2::uuid[])) order by id for key share`,
    [tenantId, ids],
  );
  await db.query(
    `select 1 from reconciliation_items i where i.tenant_id = $1::uuid and i.record_id in (
       select r.id from matches m, unnest(array[m.left_record_id, m.right_record_id]) r (id)
        where m.tenant_id = $1::uuid and m.id = any($2::uuid[]))
      order by i.reconciliation_id, i.record_id for no key update`,
    [tenantId, ids],
  );
}

async function reportReviews(
  scope: TenantScope,
  reviews: readonly { id: string; done: DoneReview }[],
  { selection, input: { status, note } }: { selection: MatchSelection; input: ReviewInput },
): Promise<void> {
  const [first] = reviews;
  if (!first) return;
  const groups = reviews.flatMap(({ done }) => done.group ?? []);
  for (const reconciliationId of new Set(groups.map((held) => held.reconciliationId))) {
    await emitHeldGroups(
      scope,
      groups.filter((held) => held.reconciliationId === reconciliationId),
    );
  }
  const filter = 'filter' in selection ? { filter: selection.filter } : {};
  const { group, action = group && heldAction(group) } = first.done;
  if (reviews.length === 1 && action) await recordAudit(scope, { ...action, after: { ...action.after, ...filter } });
  else {
    await recordAudit(scope, {
      action: `match.${auditedReviews[status ?? 'withdrawn']}`,
      object: { type: 'match', id: first.id },
      after: {
        review: status && { status, note },
        count: reviews.length,
        ids: reviews.map(({ id }) => id),
        ...(groups.length > 0 ? { match_group_ids: groups.map(({ id }) => id) } : {}),
        ...filter,
      },
      reason: note,
    });
  }
}

async function* stepsOf(scope: TenantScope, selection: MatchSelection): AsyncGenerator<string[]> {
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids.map((id) => id.toLowerCase()))];
    for (let from = 0; from < ids.length; from += matchesPerStep) yield ids.slice(from, from + matchesPerStep);
    return;
  }
  let cursor: string | undefined;
  do {
    const request = { page: 1, limit: matchesPerStep, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page<Match> = await listMatches(scope, selection.filter, request);
    if (page.items.length > 0) yield page.items.map(({ id }) => id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
