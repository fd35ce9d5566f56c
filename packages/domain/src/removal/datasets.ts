import {
  AppError,
  isForeignKeyViolation,
  isLockTimeout,
  isTenantMoving,
  type DbHandle,
  type Queries,
} from '@tieout/infra';
import { datasetNotFound } from '../data/datasets';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import { firstId } from '../kernel/sql';
import { waitToRemove, deleteResultsOfRecords } from '../results/matches';
import { nextRecords, type RemovalStep } from './records';

/** A job of the tenant that completes may hold the locks of a step for longer than other writers should wait. */
const lockTimeoutMs = 1_000;
/** The caller waits, and proxies on the way to the caller time out. */
const requestMs = 1_000;
/** A sweep runs every five seconds, and its other parts wait for this one. */
const sweepMs = 2_000;

/** Says whether the time limit of a purge is over. It is asked after each step, so at least one step runs. */
type IsTimeUp = () => boolean;

function timeLimit(ms: number): IsTimeUp {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
}

/**
 * Removes a dataset with its fields, files, records and their results. The dataset is gone at once, because no record
 * can be reached without it. Its records follow in steps until the time limit; `purgeDeletedDatasets` removes the rest,
 * also after a crash.
 * @throws AppError dataset_not_found, conflict while a rule set uses it
 */
export async function deleteDataset(
  scope: TenantScope,
  id: string,
  isTimeUp: IsTimeUp = timeLimit(requestMs),
): Promise<void> {
  try {
    await scope.transaction(async (tx) => {
      // Files before the dataset: a reader of a file locks in this order. The old time lets the next sweep remove the
      // bytes from the storage.
      await tx.db.execute(
        `update data_source_files set status = 'deleted', updated_at = to_timestamp(0)
          where tenant_id = $1::uuid and dataset_id = $2::uuid`,
        [tx.tenantId, id],
      );
      const { count } = await tx.db.orm.dataset.deleteMany({ where: { id } });
      if (count === 0) throw datasetNotFound();
      await tx.db.afterCommit(() => purgeUntil(new Purge(scope, id), isTimeUp));
    });
  } catch (error) {
    if (isForeignKeyViolation(error))
      throw new AppError('conflict', 'The dataset is used by a rule set or a reconciliation');
    throw error;
  }
}

async function purgeUntil(purge: Purge, isTimeUp: IsTimeUp): Promise<void> {
  while ((await purge.step()) && !isTimeUp());
}

const emptyStep: RemovalStep = { ids: [], hasMore: false };

/** Removes the records of a deleted dataset, step by step. */
class Purge {
  removed = 0;
  private lastId = firstId;

  constructor(
    private readonly scope: TenantScope,
    private readonly datasetId: string,
  ) {}

  /** Returns whether to continue. False also while another process purges the dataset or locks its rows. */
  async step(): Promise<boolean> {
    const { ids, hasMore } = await this.removeSome();
    this.removed += ids.length;
    this.lastId = ids.at(-1) ?? this.lastId;
    return hasMore;
  }

  private async removeSome(): Promise<RemovalStep> {
    const { tenantId, db } = this.scope;
    const { datasetId } = this;
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
        if (!(await tryLockPurge(tx, datasetId))) return emptyStep;
        await waitToRemove(tx, datasetId);
        const step = await nextRecords(tx, { tenantId, datasetId, after: this.lastId });
        await tx.execute(`delete from records where id = any($2::uuid[]) and tenant_id = $1::uuid`, [
          tenantId,
          step.ids,
        ]);
        await deleteResultsOfRecords(tx, tenantId, datasetId, step.ids);
        if (!step.hasMore) await deleteCounters(tx, tenantId, datasetId);
        return step;
      });
    } catch (error) {
      if (!isLockTimeout(error) && !isTenantMoving(error)) throw error;
      return emptyStep;
    }
  }
}

/** Deletes the counters of a dataset whose records are all removed. */
async function deleteCounters(tx: Queries, tenantId: string, datasetId: string): Promise<void> {
  for (const table of ['record_counts', 'matched_counts']) {
    await tx.execute(`delete from ${table} where tenant_id = $1::uuid and dataset_id = $2::uuid`, [
      tenantId,
      datasetId,
    ]);
  }
}

/** Lets one process purge a dataset at a time: together they would only wait for each other. */
async function tryLockPurge(tx: Queries, datasetId: string): Promise<boolean> {
  const [lock] = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('purge of dataset ' || $1::text, 0)) as locked`,
    [datasetId],
  );
  return lock?.locked === true;
}

/**
 * Removes remaining records of deleted datasets until the time limit; returns the number of removed records. For a
 * periodic sweep. Each dataset gets one step at a time, so that none waits for the end of a large one.
 */
export async function purgeDeletedDatasets(deps: DomainDeps, isTimeUp: IsTimeUp = timeLimit(sweepMs)): Promise<number> {
  const purges = (await orphanedDatasets(deps.db.system)).map(
    ({ tenantId, datasetId }) => new Purge(tenantScope(deps, tenantId), datasetId),
  );
  let unfinished = purges;
  while (unfinished.length > 0) unfinished = await stepEach(unfinished, isTimeUp);
  return purges.reduce((sum, { removed }) => sum + removed, 0);
}

/** Runs one step of each purge; returns those with more to do, none once the time is up. */
async function stepEach(purges: readonly Purge[], isTimeUp: IsTimeUp): Promise<Purge[]> {
  const unfinished = [];
  for (const purge of purges) {
    if (await purge.step()) unfinished.push(purge);
    if (isTimeUp()) return [];
  }
  return unfinished;
}

/**
 * Hops from dataset to dataset along the index: a few pages for each, whatever the number of records. The order is
 * random, so that repeated sweeps reach all of them.
 */
function orphanedDatasets(db: DbHandle): Promise<{ tenantId: string; datasetId: string }[]> {
  return db.query(
    `with recursive hop as (
       (select dataset_id, tenant_id from records order by dataset_id limit 1)
       union all
       select next.dataset_id, next.tenant_id from hop
       cross join lateral (
         select r.dataset_id, r.tenant_id from records r
          where r.dataset_id > hop.dataset_id order by r.dataset_id limit 1
       ) next
     )
     select tenant_id::text as "tenantId", dataset_id::text as "datasetId" from hop
     where not exists (select 1 from datasets d where d.id = hop.dataset_id) order by random()`,
  );
}
