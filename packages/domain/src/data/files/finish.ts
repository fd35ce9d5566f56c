import { reasonOf, type Detected, type ReadingWarning, type Recognised } from '@tieout/formats';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { enqueueFile, lockDatasetOf, workerFailed } from './claim';
import { countReviewsLost, keepEqualRecords, type Replacement } from './keep-equal';
import { warnOfFailedRows } from './nothing-kept';
import { replacedFiles, replacementChain } from './reading';

/** SQL over a file: it has a stored row, or it is a statement of a time without transactions. */
const isReadable = `(ready_rows + failed_rows > 0 or (rejected_rows = 0 and detected -> 'statements' is not null))`;

/**
 * Ends a file whose rows are all stored or rejected. A file without a stored row fails and replaces nothing. Removes
 * the records of the files that it replaces; records that both have belong to this file by now.
 */
export async function finishFile(
  scope: TenantScope,
  file: { id: string; datasetId: string; originalName: string; detected: Detected },
): Promise<void> {
  const replaced = (await hasRecords(scope, file.id)) ? await replacedFiles(scope, file.id) : [];
  for (const fileId of replaced) await replaceFile(scope, { ...file, replacedId: fileId });
  await warnOfNothingReady(scope, file.id);
  await endFile(scope, file.id, async (tx) => {
    const ended = await tx.db.query<{ status: string }>(
      `update data_source_files
          set status = case when ${isReadable} then 'ready' else 'failed' end,
              error_code = case when ${isReadable} then null
                                when rejected_rows > 0 then 'no_readable_rows' else 'file_empty' end,
              error_message = case when ${isReadable} then null
                                   when rejected_rows > 0 then $3::text else $4::text end,
              processed_at = now(), updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'processing' returning status`,
      [tx.tenantId, file.id, allRejected, noRowsOf(file.detected, file.originalName)],
    );
    await tx.db.execute(
      `update data_source_files set replaced_by = $2::uuid, updated_at = now()
        where tenant_id = $1::uuid and id = any($3::uuid[])`,
      [tx.tenantId, file.id, replaced],
    );
    if (ended[0]?.status === 'ready') await stateBalances(tx, file, replaced);
    return ended[0]?.status;
  });
}

/** Stores the closing balances of a bank statement, in place of those of the files that it replaces. */
async function stateBalances(
  { db, tenantId }: TenantScope,
  { id, datasetId }: { id: string; datasetId: string },
  replaced: readonly string[],
): Promise<void> {
  await db.execute(
    `update balances set valid_to = clock_timestamp()
      where tenant_id = $1::uuid and file_id = any($2::uuid[]) and valid_to is null`,
    [tenantId, replaced],
  );
  await db.execute(
    `insert into balances (tenant_id, id, dataset_id, file_id, account, day, currency, amount, stated_by)
     select f.tenant_id, gen_random_uuid(), $3::uuid, f.id, b.account, b.day, b.currency, b.amount, $4::jsonb
       from data_source_files f cross join lateral balances_of_file(f.detected) b
      where f.tenant_id = $1::uuid and f.id = $2::uuid`,
    [tenantId, id, datasetId, JSON.stringify({ type: 'job', id, label: null })],
  );
}

/** Lets equal rows keep their records, and removes the others of a replaced file; a warning counts the lost reviews. */
async function replaceFile(scope: TenantScope, replacement: Replacement): Promise<void> {
  const { id, datasetId, replacedId } = replacement;
  const kept = await keepEqualRecords(scope, replacement);
  await warnOfLostReviews(scope, id, await countReviewsLost(scope, replacement));
  const chain = await replacementChain(scope, { id: replacedId, datasetId });
  // Records of this file that have changed places with older ones go as well.
  await removeRecords(scope, { id, datasetId }, { fileId: replacedId, madeBy: [...chain, id] });
  if (kept > 0) scope.logger.info({ tenantId: scope.tenantId, fileId: id, kept }, 'equal rows kept their records');
}

async function warnOfNothingReady(scope: TenantScope, fileId: string): Promise<void> {
  const [failed] = await scope.db.query<{ count: number; why: string | null }>(
    `select f.failed_rows as count, (select format('"%s" %s', r.error ->> 'field', r.error ->> 'message') from records r
              where r.tenant_id = f.tenant_id and r.file_id = f.id and r.status = 'failed' and r.line is not null
              order by r.line limit 1) as why
       from data_source_files f
      where f.tenant_id = $1::uuid and f.id = $2::uuid and f.ready_rows = 0 and f.failed_rows > 0`,
    [scope.tenantId, fileId],
  );
  if (failed) await addWarning(scope, fileId, warnOfFailedRows(failed.count, failed.why ?? 'see its errors'));
}

function warnOfLostReviews(scope: TenantScope, fileId: string, count: number): Promise<void> | undefined {
  if (count === 0) return undefined;
  return addWarning(scope, fileId, {
    code: 'reviews_lost',
    column: null,
    message:
      `${count} reviewed ${count === 1 ? 'match names a row' : 'matches name rows'} that the replaced file had and ` +
      'this one has not in the same words: the row, and the review with it, are gone. Review the matches of ' +
      'the new rows',
    count,
  });
}

/** Adds a warning to a file. After a crash the one of the first run stays: the repetition finds what is left. */
async function addWarning({ db, tenantId }: TenantScope, fileId: string, warning: ReadingWarning): Promise<void> {
  await db.execute(
    `update data_source_files
        set detected = jsonb_set(detected, '{warnings}', coalesce(detected -> 'warnings', '[]') || $3::jsonb),
            updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid
        and not coalesce(detected -> 'warnings', '[]') @> $4::jsonb`,
    [tenantId, fileId, JSON.stringify([warning]), JSON.stringify([{ code: warning.code }])],
  );
}

/** Removes records on behalf of a file, which each step touches: a sweep then does not have the file read again. */
function removeRecords(
  { db, tenantId, removeRecordsOfFile }: TenantScope,
  { id, datasetId }: { id: string; datasetId: string },
  records: { fileId: string; madeBy: readonly string[] },
): Promise<void> {
  return removeRecordsOfFile(db, { datasetId, ...records }, () =>
    db.execute(
      `update data_source_files set updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('uploaded', 'processing')`,
      [tenantId, id],
    ),
  );
}

/** The errors of a file without a readable row. */
export const allRejected =
  'Not one row of the file could be read: its errors (GET …/errors) say why for each. Correct the rows, or say how ' +
  'the file is written, with "delimiter" or "encoding" for instance, and upload it again';
const noRows =
  'The file has names of columns and no row below them. Export it again with its rows; where the first row is one ' +
  'of data, say that it has no names (header=false)';

/** Returns the error of a file without rows. */
export const noRowsOf = (detected: Detected, name: string): string =>
  reasonOf({ code: 'file_empty', message: noRows, recognised: detected }, name);

async function hasRecords(scope: TenantScope, fileId: string): Promise<boolean> {
  const rows = await scope.db.query(
    'select 1 from data_source_files where tenant_id = $1::uuid and id = $2::uuid and ready_rows + failed_rows > 0',
    [scope.tenantId, fileId],
  );
  return rows.length > 0;
}

/** Ends a file whose content was already read in the same way from another file. */
export function finishDuplicate(scope: TenantScope, fileId: string, originalId: string): Promise<void> {
  return endFile(scope, fileId, async (tx) => {
    const ended = await tx.db.execute(
      `update data_source_files f
          set status = 'ready', owner = false, duplicate_of = o.id, replaces = null, ready_rows = o.ready_rows,
              failed_rows = o.failed_rows, rejected_rows = o.rejected_rows, next_line = o.next_line,
              next_offset = o.next_offset, processed_at = now(), updated_at = now()
         from data_source_files o
        where f.tenant_id = $1::uuid and f.id = $2::uuid and f.status = 'processing'
          and o.tenant_id = $1::uuid and o.id = $3::uuid`,
      [tx.tenantId, fileId, originalId],
    );
    return ended > 0 ? 'duplicate' : undefined;
  });
}

export interface FileFailure {
  code: string;
  /** Reports to the sender what is wrong and what to do. */
  message: string;
  recognised?: Recognised | null;
}

/**
 * Ends a file that cannot be read to its end. The records that it created are removed, since the file will be sent
 * again; records that the dataset already had stay.
 */
export async function failFile(
  scope: TenantScope,
  file: { id: string; datasetId: string },
  { code, message, recognised = null }: FileFailure,
): Promise<void> {
  await removeRecords(scope, file, { fileId: file.id, madeBy: [file.id] });
  await endFile(scope, file.id, async (tx) => {
    await tx.db.execute('delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid', [
      tx.tenantId,
      file.id,
    ]);
    const ended = await tx.db.execute(
      `update data_source_files
          set status = 'failed', error_code = $3, error_message = $4, recognised = $5::jsonb, next_line = 0,
              next_offset = null, ready_rows = 0, failed_rows = 0, rejected_rows = 0, repeated_rows = 0,
              processed_at = now(), updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('uploaded', 'processing')`,
      [tx.tenantId, file.id, code, message, recognised && JSON.stringify(recognised)],
    );
    return ended > 0 ? 'failed' : undefined;
  });
}

/** Fails a file whose queue job used all attempts. */
export function failFileOfWorker(scope: TenantScope, fileId: string): Promise<void> {
  const message = 'The file could not be processed because of a failure on our side: upload it again later';
  return failFileById(scope, fileId, { code: workerFailed, message });
}

/** Fails a file that has filled the memory of a worker more than once. */
export function failFileOutOfMemory(scope: TenantScope, fileId: string): Promise<void> {
  const message =
    'The file takes too much memory to be read: save the sheet as CSV, split the file, or let transform_expr of its ' +
    'fields make shorter values';
  return failFileById(scope, fileId, { code: 'file_too_large', message });
}

async function failFileById(scope: TenantScope, fileId: string, failure: FileFailure): Promise<void> {
  const file = await scope.db.orm.dataSourceFile.findFirst({ where: { id: fileId }, select: { datasetId: true } });
  if (file?.datasetId) await failFile(scope, { id: fileId, datasetId: file.datasetId }, failure);
}

/**
 * Ends a file and wakes the next one of its dataset.
 * @param change ends the file and returns its status for the metric; undefined if it had ended before
 */
async function endFile(
  scope: TenantScope,
  fileId: string,
  change: (tx: TenantScope) => Promise<string | undefined>,
): Promise<void> {
  const ended = await scope.transaction(async (tx) => {
    await lockDatasetOf(tx, fileId);
    const status = await change(tx);
    await wakeNext(tx, fileId);
    return status;
  });
  if (ended === undefined) return;
  domainMetrics.add('tieout_files_ended_total', { status: ended });
  scope.logger.info({ tenantId: scope.tenantId, fileId, status: ended }, 'file ended');
}

async function wakeNext(tx: TenantScope, fileId: string): Promise<void> {
  const [next] = await tx.db.query<{ id: string }>(
    `select o.id::text as id
       from data_source_files f join data_source_files o on o.dataset_id = f.dataset_id and o.id <> f.id
      where f.tenant_id = $1::uuid and f.id = $2::uuid and o.tenant_id = $1::uuid and o.status = 'uploaded'
      order by o.id limit 1`,
    [tx.tenantId, fileId],
  );
  if (next === undefined) return;
  // A separate job id: the first job of the next file may be running, and end without seeing this change.
  await tx.db.afterCommit(() => enqueueFile(tx, { id: next.id, nextLine: 0 }, `file-${next.id}-after-${fileId}`));
}
