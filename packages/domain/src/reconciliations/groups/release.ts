import { createHash } from 'node:crypto';
import { decidingText } from '@tieout/engine';
import { AppError, invalid } from '@tieout/infra';
import { recordAudit } from '../../audit';
import type { TenantScope } from '../../kernel/scope';
import { definitionOf, listedRuleSets, listedRuleSetsById } from '../../rules/rule-sets';
import {
  getReconciliation,
  lockReconciliation,
  paramsOfPass,
  shareReconciliation,
  type Reconciliation,
  type SharedReconciliation,
} from '../definition';
import { sweepAgainSql } from '../../results/held';
import { withdrawReview } from '../../results/reviews';
import { unknownReason, unknownReasons } from '../reason-codes';
import { openForRelease, type ClosedFault } from '../periods/guard';
import { auditReopened } from '../periods/reopen';
import { itemSql } from '../lookups';
import { emitGroups } from './hold';
import { readReleasedAgain } from './read-again';
import { getMatchGroup, groupCondition, matchGroupNotFound, type MatchGroupFilter } from './read';
import type { MatchGroup } from './types';

export interface ReleaseInput {
  reasonCode: string;
  note?: string | undefined;
  /** Lets a job tie the same records again. */
  allowAgain?: boolean | undefined;
  /** Releases groups of closed months too, which are open again. */
  force?: boolean | undefined;
  /** False: what people have approved stays, and for a user what others have tied or confirmed. Default true. */
  mayApprove?: boolean | undefined;
}

/** Groups of a request: by id, or all held ones of a filter. */
export type ReleaseSelection = { ids: readonly string[] } | { filter: MatchGroupFilter };

export interface BulkOutcome {
  done: number;
  failed: { id: string; code: string; message: string }[];
}

/**
 * Releases a group: its records are open again. No pass ties the same records as a whole again, unless `allowAgain`.
 * @throws AppError match_group_not_found; validation_error: unknown reason; conflict: it is released;
 *   period_closed without `force`; period_locked
 */
export async function releaseMatchGroup(scope: TenantScope, id: string, input: ReleaseInput): Promise<MatchGroup> {
  return scope.transaction(async (s) => {
    await assertReason(s, input.reasonCode);
    const group = await getMatchGroup(s, id);
    const reconciliation = await lockFor(s, group.reconciliationId, input);
    const { released, faults } = await releaseUnlessClosed(s, reconciliation, [id], input);
    for (const { code, message } of faults.values()) throw new AppError(code, message);
    if (released.length === 0) throw new AppError('conflict', 'The match group is released already');
    return getMatchGroup(s, id);
  });
}

/** Groups that one transaction releases. */
const groupsPerStep = 200;

/** Releases many groups in batches; each batch is atomic. @throws AppError validation_error: unknown reason */
export async function releaseMatchGroups(
  scope: TenantScope,
  selection: ReleaseSelection,
  sent: ReleaseInput,
): Promise<BulkOutcome> {
  return releaseSelected(scope, selection, { ...sent, ...('filter' in selection ? { filter: selection.filter } : {}) });
}

/** Releases all groups that a run has held. @throws AppError as `releaseMatchGroups` does */
export const undoRun = (scope: TenantScope, jobId: string, input: ReleaseInput): Promise<BulkOutcome> =>
  releaseSelected(scope, { filter: { jobId } }, { ...input, undoneJobId: jobId });

/** Adds what the entry of a release says besides. */
interface AuditedRelease extends ReleaseInput {
  /** The conditions that chose the groups. */
  filter?: MatchGroupFilter;
  /** The run that the release undoes. */
  undoneJobId?: string;
}

async function releaseSelected(
  scope: TenantScope,
  selection: ReleaseSelection,
  input: AuditedRelease,
): Promise<BulkOutcome> {
  await assertReason(scope, input.reasonCode);
  const outcome: BulkOutcome = { done: 0, failed: [] };
  for await (const ids of stepsOf(scope, selection)) {
    const known = await heldAmong(scope, ids);
    for (const id of ids) if (!known.has(id)) outcome.failed.push({ id, ...matchGroupFault(undefined) });
    for (const [reconciliationId, own] of byReconciliation(known)) {
      const { released, faults } = await scope.transaction(async (s) =>
        releaseUnlessClosed(s, await lockFor(s, reconciliationId, input), own, input),
      );
      outcome.done += released.length;
      const gone = new Set(released);
      for (const id of own) {
        if (!gone.has(id)) outcome.failed.push({ id, ...(faults.get(id) ?? matchGroupFault('released')) });
      }
    }
  }
  return outcome;
}

/** A release that may reopen months locks the reconciliation exclusively. */
const lockFor = (scope: TenantScope, id: string, { force }: ReleaseInput): Promise<SharedReconciliation> =>
  force === true ? lockReconciliation(scope, id) : shareReconciliation(scope, id);

async function releaseUnlessClosed(
  scope: TenantScope,
  reconciliation: SharedReconciliation,
  ids: readonly string[],
  input: AuditedRelease,
): Promise<{ released: string[]; faults: Map<string, ReleaseFault> }> {
  const reason = input.note ?? input.reasonCode;
  const none = new Map<string, ReleaseFault>();
  const faults = input.mayApprove === false ? await decidedByOthers(scope, ids) : none;
  const own = ids.filter((id) => !faults.has(id));
  const opened = await openForRelease(scope, reconciliation, own, { force: input.force, reason });
  for (const [id, fault] of opened.faults) faults.set(id, fault);
  const free = own.filter((id) => !faults.has(id));
  const { reopened } = opened;
  const released = await release(scope, reconciliation, free, { ...input, reopened });
  const [period] = reopened;
  if (period !== undefined) await auditReopened(scope, reconciliation, { period, reopened, reason });
  return { released, faults };
}

/** The reason for which a group is not released. */
type ReleaseFault = ClosedFault | { code: 'insufficient_scope'; message: string };

/** Finds the held groups that only an approver may release. */
async function decidedByOthers(
  { db, tenantId, origin: { actor } }: TenantScope,
  ids: readonly string[],
): Promise<Map<string, ReleaseFault>> {
  const rows = await db.query<{ id: string }>(
    `select id::text as id from match_groups
      where tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'held'
        and (approval = 'approved'
             or $3::text in ('user', 'agent') and origin <> 'auto'
                and coalesce(confirmed_by, held_by) ->> 'id' <> $4::text)`,
    [tenantId, ids, actor.type, actor.id],
  );
  const message = 'Another person has decided on the match group: releasing it needs the scope matches:approve';
  return new Map(rows.map(({ id }) => [id, { code: 'insufficient_scope', message }]));
}

const matchGroupFault = (status: 'released' | undefined): { code: string; message: string } =>
  status === undefined
    ? { code: 'match_group_not_found', message: matchGroupNotFound().message }
    : { code: 'conflict', message: 'The match group is released already' };

async function* stepsOf(scope: TenantScope, selection: ReleaseSelection): AsyncGenerator<string[]> {
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids.map((id) => id.toLowerCase()))];
    for (let from = 0; from < ids.length; from += groupsPerStep) yield ids.slice(from, from + groupsPerStep);
    return;
  }
  const { sql, parameters } = groupCondition(scope.tenantId, selection.filter);
  let before: string | null = null;
  for (;;) {
    const rows: { id: string }[] = await scope.db.query<{ id: string }>(
      `select g.id::text as id from match_groups g
        where ${sql} and g.status = 'held'
          and ($${parameters.length + 1}::uuid is null or g.id < $${parameters.length + 1}::uuid)
        order by g.id desc limit ${groupsPerStep}`,
      [...parameters, before],
    );
    if (rows.length === 0) return;
    before = rows.at(-1)?.id ?? null;
    yield rows.map(({ id }) => id);
  }
}

async function heldAmong({ db, tenantId }: TenantScope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reconciliationId: string }>(
    `select id::text as id, reconciliation_id::text as "reconciliationId" from match_groups
      where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, reconciliationId }) => [id, reconciliationId]));
}

function byReconciliation(groups: ReadonlyMap<string, string>): Map<string, string[]> {
  const own = new Map<string, string[]>();
  for (const [id, reconciliationId] of groups) own.set(reconciliationId, [...(own.get(reconciliationId) ?? []), id]);
  return own;
}

/** @throws AppError validation_error */
async function assertReason(scope: TenantScope, reasonCode: string): Promise<void> {
  if ((await unknownReasons(scope, [reasonCode])).length > 0) throw invalid([unknownReason('/reasonCode')]);
}

/**
 * Releases those of the groups that are held, in the transaction of the scope; returns their ids. The items are locked
 * in the order of all writers before the trigger changes them.
 */
async function release(
  scope: TenantScope,
  reconciliation: Pick<Reconciliation, 'id'>,
  ids: readonly string[],
  { allowAgain = false, ...input }: AuditedRelease & { reopened?: readonly string[] },
): Promise<string[]> {
  const released = await takeApart(scope, reconciliation, ids, input);
  if (released.length === 0) return released;
  if (allowAgain) await forgetReleased(scope, reconciliation, released);
  else await rememberReleased(scope, reconciliation, released);
  await reportReleased(scope, reconciliation, released, { ...input, allowAgain });
  return released;
}

async function takeApart(
  scope: TenantScope,
  reconciliation: Pick<Reconciliation, 'id'>,
  ids: readonly string[],
  { reasonCode, note }: ReleaseInput,
): Promise<string[]> {
  const { db, tenantId, origin } = scope;
  await db.prepared.query(
    `select 1
       from (select distinct record_id from match_group_members
              where tenant_id = $1::uuid and group_id = any($3::uuid[]) order by record_id) m
      cross join lateral (${itemSql('m.record_id', 'for no key update')}) i`,
    [tenantId, reconciliation.id, ids],
  );
  const rows = await db.prepared.query<{ id: string; isResult: boolean }>(
    `update match_groups set status = 'released', released_at = clock_timestamp(), released_by = $4::jsonb,
            release_reason = $5, release_note = $6
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and id = any($3::uuid[]) and status = 'held'
      returning id::text as id, coalesce(match_id, composite_match_id, matching_job_id) is not null as "isResult"`,
    [tenantId, reconciliation.id, ids, JSON.stringify(origin.actor), reasonCode, note ?? null],
  );
  const released = rows.map(({ id }) => id);
  if (released.length === 0) return released;
  await readReleasedAgain(scope, reconciliation.id, released);
  const ofResults = rows.flatMap(({ id, isResult }) => (isResult ? [id] : []));
  if (ofResults.length > 0) {
    await withdrawReviews(scope, ofResults);
    await db.execute(sweepAgainSql, [tenantId, ofResults]);
  }
  return released;
}

async function reportReleased(
  scope: TenantScope,
  reconciliation: Pick<Reconciliation, 'id'>,
  released: readonly string[],
  {
    reasonCode,
    note,
    allowAgain,
    filter,
    undoneJobId,
    reopened = [],
  }: AuditedRelease & { reopened?: readonly string[] },
): Promise<void> {
  await emitGroups(scope, 'MATCH_GROUP_RELEASED', { reconciliationId: reconciliation.id, ids: released, reasonCode });
  const own = { type: 'match_group', id: released.length === 1 ? (released[0] as string) : reconciliation.id };
  await recordAudit(scope, {
    action: undoneJobId === undefined ? 'match_group.release' : 'matching_job.undo',
    object: undoneJobId === undefined ? own : { type: 'matching_job', id: undoneJobId },
    before: { status: 'held' },
    after: {
      status: 'released',
      ids: released,
      reason_code: reasonCode,
      allow_again: allowAgain,
      ...(filter ? { filter } : {}),
      ...(reopened.length === 0 ? {} : { reopened_periods: reopened }),
    },
    reason: note ?? reasonCode,
  });
}

/** Takes back the confirmations of released groups: their results hold nothing any more. */
async function withdrawReviews({ db, tenantId }: TenantScope, ids: readonly string[]): Promise<void> {
  for (const [table, column] of [
    ['matches', 'match_id'],
    ['composite_matches', 'composite_match_id'],
  ] as const) {
    const rows = await db.query<{ id: string }>(
      `select r.id::text as id from match_groups g join ${table} r on r.tenant_id = g.tenant_id and r.id = g.${column}
        where g.tenant_id = $1::uuid and g.id = any($2::uuid[]) and r.review_status = 'confirmed'`,
      [tenantId, ids],
    );
    for (const { id } of rows) await withdrawReview(db, table, id);
  }
}

/**
 * Releases groups because of what has become of their records. The same records may be tied again, as far as no person
 * has released them: a job neither adds to what people said nor takes it back.
 */
export async function releaseAs(
  scope: TenantScope,
  reconciliationId: string,
  ids: readonly string[],
  reasonCode: 'record_changed' | 'record_deleted',
): Promise<void> {
  if (ids.length === 0) return;
  const reconciliation = { id: reconciliationId };
  const released = await takeApart(scope, reconciliation, ids, { reasonCode });
  if (released.length > 0) await reportReleased(scope, reconciliation, released, { reasonCode, allowAgain: true });
}

/** Keeps the records of released groups from every pass that decides as it does today. */
async function rememberReleased(
  scope: TenantScope,
  reconciliation: Pick<Reconciliation, 'id'>,
  ids: readonly string[],
): Promise<void> {
  const { db, tenantId } = scope;
  await db.prepared.execute(
    `insert into released_sets (tenant_id, reconciliation_id, set_hash, deciding_hash, group_id)
     select g.tenant_id, g.reconciliation_id, g.set_hash, p.hash, g.id
       from match_groups g, unnest($4::bytea[]) p (hash)
      where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.id = any($3::uuid[])
     on conflict do nothing`,
    [tenantId, reconciliation.id, ids, (await decidingHashes(scope, reconciliation)).map((hash) => `\\x${hash}`)],
  );
}

async function forgetReleased(
  { db, tenantId }: TenantScope,
  { id }: Pick<Reconciliation, 'id'>,
  ids: readonly string[],
): Promise<void> {
  await db.execute(
    `delete from released_sets r using match_groups g
      where g.tenant_id = $1::uuid and g.id = any($3::uuid[]) and r.tenant_id = $1::uuid
        and r.reconciliation_id = $2::uuid and r.set_hash = g.set_hash`,
    [tenantId, id, ids],
  );
}

/** Returns the hashes of what decides in the passes, in hex. */
async function decidingHashes(scope: TenantScope, { id }: Pick<Reconciliation, 'id'>): Promise<string[]> {
  const reconciliation = await getReconciliation(scope, id);
  const listed = await listedRuleSetsById(scope, reconciliation.ruleSetIds);
  const ruleSets = await listedRuleSets(scope, [...listed.values()]);
  return ruleSets.map((ruleSet) =>
    decidingHash({
      definition: definitionOf({ ...ruleSet, params: paramsOfPass(ruleSet, reconciliation) }),
      leftDatasetId: ruleSet.leftDatasetId,
      rightDatasetId: ruleSet.rightDatasetId,
    }),
  );
}

/** Returns the hash of what decides in a pass: datasets, expressions and params. Name and version decide nothing. */
export function decidingHash(pass: {
  definition: Parameters<typeof decidingText>[0];
  leftDatasetId: string;
  rightDatasetId: string;
}): string {
  return createHash('sha256')
    .update(`${pass.leftDatasetId} ${pass.rightDatasetId} ${decidingText(pass.definition)}`)
    .digest('hex');
}
