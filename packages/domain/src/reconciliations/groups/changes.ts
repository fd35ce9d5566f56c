import { AppError } from '@tieout/infra';
import { decodeKeyset, keysetPage, notACursor, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { TenantScope } from '../../kernel/scope';
import { changeKinds, type ChangeCounts, type ChangeKind } from './full-run';
import { readMatchGroups } from './read';
import type { MatchGroup } from './types';

/** A record of a tie, and the part of it that the tie would hold. */
interface TieMember {
  recordId: string;
  externalId: string | null;
  /** A decimal text; null: it has no amount. */
  amount: string | null;
}

/** Records that a run ties. */
export interface GroupTie {
  kind: 'pair' | 'composite';
  ruleSetId: string;
  score: number;
  left: TieMember[];
  right: TieMember[];
}

/** A standing group, and what a full run ties of its records instead. */
export interface RunChange {
  kind: ChangeKind;
  /** Null for what is new. */
  stands: MatchGroup | null;
  would: GroupTie[];
}

type StoredTie = Omit<GroupTie, 'left' | 'right'> & Partial<Record<'left' | 'right', TieMember[] | null>>;

interface ChangeRow {
  kind: ChangeKind;
  id: string;
  /** A tie that the run holds is the id of its group. */
  would: (StoredTie | string)[];
}

/**
 * Lists what a dry run would change, and a full run has changed, kind after kind. Other jobs, and one that
 * has not completed, have none.
 * @throws AppError matching_job_not_found
 */
export async function listRunChanges(
  scope: TenantScope,
  jobId: string,
  { kind, page }: { kind?: ChangeKind | undefined; page: KeysetRequest },
): Promise<KeysetPage<RunChange>> {
  const { db, tenantId } = scope;
  const [job] = await db.query<{ changes: ChangeCounts | null }>(
    `select changes from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, jobId],
  );
  if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
  const kinds: readonly ChangeKind[] = kind === undefined ? changeKinds : [kind];
  const total = job.changes ? kinds.reduce((sum, one) => sum + (job.changes as ChangeCounts)[one], 0) : 0;
  const [fromKind, fromId] = page.cursor === undefined ? [null, null] : decodeChange(page.cursor, kinds);
  const asked = job.changes ? kinds.slice(fromKind === null ? 0 : kinds.indexOf(fromKind)) : [];
  const rows: ChangeRow[] = [];
  for (const one of asked) {
    const after = one === fromKind ? fromId : null;
    const limit = page.limit + 1 - rows.length;
    const read = readers[one];
    if (limit > 0) rows.push(...(await read(scope, { jobId, kind: one, after, limit })));
  }
  const paged = keysetPage(page, rows, { total, sortOf: (row) => [row.kind, row.id] });
  return { ...paged, items: await completed(scope, jobId, paged.items) };
}

/** Reads a cursor, which continues one of the asked kinds. @throws AppError validation_error */
function decodeChange(cursor: string, kinds: readonly ChangeKind[]): [ChangeKind, string] {
  const [name = '', id = ''] = decodeKeyset(cursor, ['text', 'id']);
  const kind = kinds.find((one) => one === name);
  if (kind === undefined) throw notACursor();
  return [kind, id];
}

interface RowsToRead {
  jobId: string;
  kind: ChangeKind;
  after: string | null;
  limit: number;
}

function changeRows({ db, tenantId }: TenantScope, { jobId, kind, after, limit }: RowsToRead): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(
    `select kind, id::text as id, would from run_changes
      where tenant_id = $1::uuid and job_id = $2::uuid and kind = $3 and ($4::uuid is null or id > $4::uuid)
      order by run_changes.id limit $5::int`,
    [tenantId, jobId, kind, after, limit],
  );
}

/** Reads the groups that stood when the run completed, and were neither changed nor lost. */
function keptRows({ db, tenantId }: TenantScope, { jobId, after, limit }: RowsToRead): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(
    `select 'kept' as kind, g.id::text as id, '[]'::jsonb as would
       from matching_jobs j
       join match_groups g on g.tenant_id = j.tenant_id and g.reconciliation_id = j.reconciliation_id
        and g.held_at <= j.finished_at and (g.released_at is null or g.released_at > j.finished_at)
        and (g.origin <> 'auto' or g.matching_job_id <> j.id)
      where j.tenant_id = $1::uuid and j.id = $2::uuid and ($3::uuid is null or g.id > $3::uuid)
        and not exists (select 1 from run_changes c
                         where c.job_id = j.id and c.kind in ('changed', 'lost') and c.id = g.id)
      order by g.id limit $4::int`,
    [tenantId, jobId, after, limit],
  );
}

/**
 * Reads what a run ties among records that had no group: its stored ties and the groups that it held. A run stores such
 * ties only where they replace other groups.
 */
function newRows({ db, tenantId }: TenantScope, { jobId, after, limit }: RowsToRead): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(
    `select 'new' as kind, n.id::text as id, n.would from (
       select c.id, c.would from run_changes c
        where c.tenant_id = $1::uuid and c.job_id = $2::uuid and c.kind = 'new'
       union all
       select g.id, jsonb_build_array(g.id) from match_groups g
        where g.tenant_id = $1::uuid and g.matching_job_id = $2::uuid and g.held_by ->> 'type' = 'job'
          and g.id not in (select jsonb_array_elements_text(c.would)::uuid from run_changes c
                            where c.tenant_id = $1::uuid and c.job_id = $2::uuid and c.kind = 'changed'
                              and jsonb_typeof(c.would -> 0) = 'string')
          and not exists (select 1 from run_changes c
                           where c.tenant_id = $1::uuid and c.job_id = $2::uuid and c.kind = 'new' and c.id = g.id)) n
      where $3::uuid is null or n.id > $3::uuid
      order by n.id limit $4::int`,
    [tenantId, jobId, after, limit],
  );
}

const readers: Record<ChangeKind, typeof changeRows> = {
  kept: keptRows,
  changed: changeRows,
  new: newRows,
  lost: changeRows,
};

async function completed(scope: TenantScope, jobId: string, rows: readonly ChangeRow[]): Promise<RunChange[]> {
  const groups = await readMatchGroups(
    scope,
    rows.flatMap(({ kind, id, would }) => [
      ...(kind === 'new' ? [] : [id]),
      ...would.filter((tie) => typeof tie === 'string'),
    ]),
  );
  const byId = new Map(groups.map((group) => [group.id, group]));
  const stored = rows.flatMap(({ would }) => would.filter((tie) => typeof tie !== 'string'));
  const members = stored.flatMap(({ left, right }) => [...(left ?? []), ...(right ?? [])]);
  const names = await scope.db.query<{ id: string; externalId: string | null }>(
    `select i.record_id::text as id, i.external_id as "externalId"
       from matching_jobs j
       join reconciliation_items i on i.tenant_id = j.tenant_id and i.reconciliation_id = j.reconciliation_id
      where j.tenant_id = $1::uuid and j.id = $2::uuid and i.record_id = any($3::uuid[])`,
    [scope.tenantId, jobId, [...new Set(members.map(({ recordId }) => recordId))]],
  );
  const nameOf = new Map(names.map(({ id, externalId }) => [id, externalId]));
  const named = (of: TieMember[] | null | undefined): TieMember[] =>
    (of ?? []).map(({ recordId, amount }) => ({ recordId, amount, externalId: nameOf.get(recordId) ?? null }));
  return rows.map(({ kind, id, would }) => ({
    kind,
    stands: kind === 'new' ? null : (byId.get(id) ?? null),
    would: would.flatMap((tie) =>
      typeof tie === 'string' ? tieOf(byId.get(tie)) : { ...tie, left: named(tie.left), right: named(tie.right) },
    ),
  }));
}

function tieOf(group: MatchGroup | undefined): GroupTie[] {
  if (!group || group.kind === 'manual') return [];
  const { kind, ruleSetId, score, members } = group;
  const shown = (of: MatchGroup['members']['left']): TieMember[] =>
    of.map(({ recordId, externalId, amount }) => ({ recordId, externalId, amount }));
  return [
    { kind, ruleSetId: ruleSetId ?? '', score: score ?? 0, left: shown(members.left), right: shown(members.right) },
  ];
}
