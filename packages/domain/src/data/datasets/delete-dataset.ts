import { AppError, isForeignKeyViolation, isLockTimeout, type DbHandle, type Queries } from '@tieout/infra';
import { beginRemoval, deleteResultsOfRecords, forgetStaying, noteRemoved, recordsOfStep } from '../../results/matches';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { tenantScope } from '../../kernel/scope';
import { isOf } from '../../kernel/parent-condition';
import { datasetNotFound } from './datasets';

/** Records removed by one step, unless they have many results: it takes well under a second and holds few locks. */
const stepSize = 5_000;
/** A job of the tenant that completes may hold what a step needs for longer than others should wait. */
const lockTimeoutMs = 1_000;
/** The caller waits, with proxies in between that give up at some time. */
const requestMs = 1_000;
/** A sweep comes every five seconds, and others wait for their turn in it. */
const sweepMs = 2_000;

const firstId = '00000000-0000-0000-0000-000000000000';

/** Whether the time is over that a purge may take. It is asked after each step, so that there is at least one. */
type IsOver = () => boolean;

function after(ms: number): IsOver {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
}

/**
 * Removes a dataset with its fields, its files, its records and what hangs on them. The dataset is gone at once, because no record
 * can be reached without it; the records follow in steps, those of most datasets until their time is over. `purgeDeletedDatasets` finds what is
 * left then, or after a crash.
 * @throws AppError dataset_not_found, conflict while a rule set uses it
 */
export async function deleteDataset(scope: TenantScope, id: string, isOver: IsOver = after(requestMs)): Promise<void> {
  try {
    await scope.transaction(async (tx) => {
      // Files before the dataset, as who reads one locks them. Long untouched: the next sweep takes their bytes out of the storage.
      await tx.db.execute(
        `update data_source_files set status = 'deleted', updated_at = to_timestamp(0) where tenant_id = $1::uuid and dataset_id = $2::uuid`,
        [tx.tenantId, id],
      );
      const { count } = await tx.db.orm.dataset.deleteMany({ where: { id } });
      if (count === 0) throw datasetNotFound();
      await tx.db.afterCommit(() => purgeInTime(new Purge(scope, id), isOver));
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('conflict', 'The dataset is used by a rule set');
    throw error;
  }
}

async function purgeInTime(purge: Purge, isOver: IsOver): Promise<void> {
  while ((await purge.step()) && !isOver());
}

/** Records that one step removes, and whether there are others behind them. */
interface Step {
  ids: readonly string[];
  more: boolean;
}

const nothing: Step = { ids: [], more: false };

/** The removal of the records of a dataset that is gone. */
class Purge {
  removed = 0;
  private lastId = firstId;

  constructor(
    private readonly scope: TenantScope,
    private readonly datasetId: string,
  ) {}

  /** Returns whether to go on. Not where somebody else has the dataset in hand, or holds what is to be removed: the next sweep finds what is left. */
  async step(): Promise<boolean> {
    const { ids, more } = await this.removeSome();
    this.removed += ids.length;
    this.lastId = ids.at(-1) ?? this.lastId;
    return more;
  }

  private async removeSome(): Promise<Step> {
    const { tenantId, db } = this.scope;
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
        if (!(await isOurs(tx, this.datasetId))) return nothing;
        await beginRemoval(tx, this.datasetId);
        const step = await nextRecords(tx, { tenantId, datasetId: this.datasetId, behind: this.lastId });
        const { ids } = step;
        await tx.execute(`delete from records where id = any($2::uuid[]) and tenant_id = $1::uuid`, [tenantId, ids]);
        await deleteResultsOfRecords(tx, tenantId, this.datasetId, ids);
        if (!step.more) await forgetFigures(tx, tenantId, this.datasetId);
        return step;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return nothing;
    }
  }
}

/** What is counted of a dataset that has no records any more. */
async function forgetFigures(tx: Queries, tenantId: string, datasetId: string): Promise<void> {
  for (const table of ['record_counts', 'matched_counts']) {
    await tx.execute(`delete from ${table} where tenant_id = $1::uuid and dataset_id = $2::uuid`, [
      tenantId,
      datasetId,
    ]);
  }
}

/** Of those who purge a dataset one does each step: together they would only wait for each other. */
async function isOurs(tx: Queries, datasetId: string): Promise<boolean> {
  const [lock] = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('purge of dataset ' || $1::text, 0)) as locked`,
    [datasetId],
  );
  return lock?.locked === true;
}

/**
 * Records with the data of a file that were made while one of these files was read: files of a dataset are read one after the
 * other. Those that others made, and the file has only written to, stay.
 */
export interface BroughtBy {
  fileId: string;
  madeBy: readonly string[];
}

/**
 * Removes the records of a file, with their matches, composites and places in lists of the unmatched.
 * @param goOn called before each step: says that it goes on, or throws
 */
export async function purgeRecords(
  { tenantId, db }: TenantScope,
  datasetId: string,
  brought: BroughtBy,
  goOn: () => Promise<unknown>,
): Promise<void> {
  let behind = firstId;
  for (;;) {
    await goOn();
    // Records last: as long as one is there, a repetition finds what is left. By themselves: who writes to one waits for no job that completes.
    const ids = await db.transaction(async (tx) => {
      await beginRemoval(tx, datasetId);
      const step = await nextRecords(tx, { tenantId, datasetId, behind, brought });
      if (step.ids.length === 0) return [];
      await deleteResultsOfRecords(tx, tenantId, datasetId, step.ids);
      return step.ids;
    });
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    await db.transaction(async (tx) => {
      // Somebody else may have sent some of them meanwhile: those are theirs.
      const { only, values } = filterOf(brought);
      await tx.execute(
        `delete from records where tenant_id = $1::uuid and dataset_id = $2::uuid and id = any($3::uuid[]) ${only}`,
        [tenantId, datasetId, ids, ...values],
      );
      await noteRemoved(tx, tenantId, datasetId, ids);
      await forgetStaying(tx, tenantId, ids);
    });
    behind = lastId;
  }
}

interface Wanted {
  tenantId: string;
  datasetId: string;
  behind: string;
  brought?: BroughtBy;
}

/**
 * Ids first: starting each step behind the last one spares it the dead rows of the steps before. Lists of ids instead of joins: without
 * fresh statistics, which a table that has just been filled lacks, a join to records becomes a quadratic one.
 */
async function nextRecords(db: Queries, { tenantId, datasetId, behind, brought }: Wanted): Promise<Step> {
  const { only, values } = filterOf(brought);
  const rows = await db.query<{ id: string }>(
    `select id::text as id from records
     where tenant_id = $1::uuid and ${isOf('dataset_id', '$2::uuid')} and id > $3::uuid ${only} order by dataset_id, id limit ${stepSize}`,
    [tenantId, datasetId, behind, ...values],
  );
  const ids = await recordsOfStep(
    db,
    tenantId,
    rows.map(({ id }) => id),
  );
  return { ids, more: rows.length === stepSize || ids.length < rows.length };
}

function filterOf(brought?: BroughtBy): { only: string; values: (string | readonly string[])[] } {
  if (brought === undefined) return { only: '', values: [] };
  const whileRead = `exists (select 1 from data_source_files f where f.tenant_id = $1::uuid and f.id = any($5::uuid[])
    and records.created_at between f.started_at and coalesce(f.processed_at, 'infinity'))`;
  return { only: `and file_id = $4::uuid and ${whileRead}`, values: [brought.fileId, brought.madeBy] };
}

/**
 * Removes records of deleted datasets that are left, until its time is over; returns how many it has removed. For a periodic sweep.
 * The datasets take turns of a step, so that none waits for the end of a large one.
 */
export async function purgeDeletedDatasets(deps: DomainDeps, isOver: IsOver = after(sweepMs)): Promise<number> {
  const purges = (await orphanedDatasets(deps.db.system)).map(
    ({ tenantId, datasetId }) => new Purge(tenantScope(deps, tenantId), datasetId),
  );
  let waiting = purges;
  while (waiting.length > 0) waiting = await inTurn(waiting, isOver);
  return purges.reduce((sum, { removed }) => sum + removed, 0);
}

/** A step of each; returns those that go on, none once the time is over. */
async function inTurn(purges: readonly Purge[], isOver: IsOver): Promise<Purge[]> {
  const unfinished = [];
  for (const purge of purges) {
    if (await purge.step()) unfinished.push(purge);
    if (isOver()) return [];
  }
  return unfinished;
}

/**
 * Hops from dataset to dataset along the index, so that it costs a few pages for each, whatever the number of records. In any order:
 * where there are more than a sweep has time for, others are first the next time.
 */
function orphanedDatasets(db: DbHandle): Promise<{ tenantId: string; datasetId: string }[]> {
  return db.query(
    `with recursive hop as (
       (select dataset_id, tenant_id from records order by dataset_id limit 1)
       union all
       select next.dataset_id, next.tenant_id from hop
       cross join lateral (
         select r.dataset_id, r.tenant_id from records r where r.dataset_id > hop.dataset_id order by r.dataset_id limit 1
       ) next
     )
     select tenant_id::text as "tenantId", dataset_id::text as "datasetId" from hop
     where not exists (select 1 from datasets d where d.id = hop.dataset_id) order by random()`,
  );
}
