import {
  candidateRanges, compileRuleSet, rescale, type CompiledRuleSet, type ComparedRecord, type JsonObject, type PairComparer,
  type PairResult, type RuleSetDefinition, type SortedKeys,
} from '@tieout/engine';
import { copyIn, copyOut, newId, type CopyRow, type CopyWriter, type PoolClient } from '@tieout/infra';
import type { TenantScope } from '../scope';
import type { BatchBounds } from './candidates';
import { ExpressionTimeoutError, failJob, reviveFailedJob, timeoutCounter } from './fail';
import type { OnStep } from './handlers';
import { keptErrors } from './plan-entry';
import { enqueueFinishWhenDone } from './protocol';
import { replanJob } from './replan';
import { StageLostError, sideNumber, stageTable } from './staging';

export interface BatchRef {
  jobId: string;
  entryId: string;
  batchNo: number;
}

interface BatchRow {
  done: boolean;
  bounds: BatchBounds;
  leftRows: number;
  ruleSetId: string;
  amountScale: number;
  definition: RuleSetDefinition;
}

/** Rows of the right side that are in memory at a time; the text of a chunk ends it earlier. */
const chunkRows = 20_000;
const chunkBytes = 16 << 20;
const cancelCheckMs = 1_000;

/** The job was cancelled or failed while the batch was running. */
class JobStoppedError extends Error {}

/**
 * Scores one slice of a job and writes its matches and its counters in one transaction: a batch that dies
 * leaves nothing, a batch that runs twice finds itself done. The row lock makes a second run wait for the first.
 */
export async function runBatch(scope: TenantScope, ref: BatchRef, onStep: OnStep): Promise<void> {
  try {
    await scope.db.session(async (writer) => {
      await writer.query('begin');
      const batch = await claim(scope, writer, ref);
      if (!batch) {
        await writer.query('rollback');
        return;
      }
      await scope.db.session((reader) => score(scope, reader, writer, ref, batch, onStep));
      await writer.query('commit');
    });
  } catch (error) {
    if (error instanceof JobStoppedError) return;
    if (error instanceof ExpressionTimeoutError) return failJob(scope, ref.jobId, error.jobError);
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, ref.jobId);
    return;
  }
  await enqueueFinishWhenDone(scope, ref.jobId);
}

async function claim(scope: TenantScope, client: PoolClient, ref: BatchRef): Promise<BatchRow | undefined> {
  await reviveFailedJob(scope, ref.jobId);
  const { rows } = await client.query<BatchRow>(
    `select b.done, b.bounds, b.left_rows as "leftRows", e.rule_set_id as "ruleSetId", e.amount_scale as "amountScale", e.definition
       from job_batches b
       join job_rule_sets e on e.id = b.entry_id
       join matching_jobs j on j.id = b.job_id and j.status = 'running'
      where b.tenant_id = $1 and b.entry_id = $2 and b.batch_no = $3 for update of b`,
    [scope.tenantId, ref.entryId, ref.batchNo],
  );
  const batch = rows[0];
  return batch && !batch.done ? batch : undefined;
}

async function score(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  ref: BatchRef,
  batch: BatchRow,
  onStep: OnStep,
): Promise<void> {
  const compiled = compileRuleSet(batch.definition);
  const comparer = compiled.comparer(batch.amountScale);
  const clock = { readMs: 0, scoreMs: 0, writeMs: 0 };
  const outcome = newOutcome();
  let mark = performance.now();
  const lap = (key: keyof typeof clock): void => {
    const now = performance.now();
    clock[key] += now - mark;
    mark = now;
  };
  const lefts = await readLeft(reader, ref.entryId, batch);
  const matches = copyIn(writer, '"matches" (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)');
  const run: PairRun = {
    compiled,
    comparer,
    amountScale: batch.amountScale,
    outcome,
    countTimeout: timeoutCounter(),
    afterPair: stillRunning(scope, ref.jobId, onStep),
  };
  for await (const chunk of readRight(reader, ref.entryId, batch)) {
    lap('readMs');
    const stored = await compareChunk(run, lefts, chunk);
    lap('scoreMs');
    await writeMatches(matches, stored, scope.tenantId, ref.jobId, batch.ruleSetId);
    lap('writeMs');
  }
  lap('readMs');
  await matches.end();
  lap('writeMs');
  await writer.query(
    `update job_batches set done = true, done_at = now(), matched = $3, possible = $4, no_match = $5, errored = $6,
            score_sum = $7, errors = $8, read_ms = $9, score_ms = $10, write_ms = $11
      where entry_id = $1 and batch_no = $2 and tenant_id = $12`,
    [
      ref.entryId, ref.batchNo, outcome.MATCH, outcome.POSSIBLE, outcome.NO_MATCH, outcome.ERROR, outcome.scoreSum,
      JSON.stringify(outcome.errors), Math.round(clock.readMs), Math.round(clock.scoreMs), Math.round(clock.writeMs),
      scope.tenantId,
    ],
  );
}

interface Staged {
  records: Row[];
  keys: SortedKeys;
}

interface Row {
  id: string;
  bucket: number;
  blockDay: number;
  compared: ComparedRecord;
}

const stagedColumns = 'record_id, bucket, day, units, scale, own_day, value';

function toRow(columns: CopyRow, amountScale: number): Row {
  const [id, bucket, day, units, scale, ownDay, value] = columns;
  return {
    id: id as string,
    bucket: Number(bucket),
    blockDay: Number(day),
    compared: {
      value: JSON.parse(value as string) as JsonObject,
      amountUnits: units == null ? null : rescale(Number(units), Number(scale), amountScale),
      day: ownDay == null ? null : Number(ownDay),
    },
  };
}

async function readLeft(reader: PoolClient, entryId: string, batch: BatchRow): Promise<Row[]> {
  const { from, to } = batch.bounds.left;
  const rows: Row[] = [];
  const query = `select ${stagedColumns} from ${stageTable(entryId)}
    where side = ${sideNumber.left} and reason is null and (bucket, day, seq) between (${from.join(', ')}) and (${to.join(', ')})
    order by bucket, day, seq`;
  try {
    for await (const group of copyOut(reader, query)) for (const row of group) rows.push(toRow(row, batch.amountScale));
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) throw new StageLostError();
    throw error;
  }
  if (rows.length !== batch.leftRows) throw new StageLostError();
  return rows;
}

const undefinedTable = '42P01';

/** The window of the right side in key order, in chunks of bounded size. */
async function* readRight(reader: PoolClient, entryId: string, batch: BatchRow): AsyncGenerator<Staged> {
  const { bucketFrom, bucketTo, dayFrom, dayTo } = batch.bounds.right;
  const days = dayFrom === null ? '' : `and day between ${dayFrom} and ${dayTo}`;
  const query = `select ${stagedColumns} from ${stageTable(entryId)}
    where side = ${sideNumber.right} and reason is null and bucket between ${bucketFrom} and ${bucketTo} ${days}
    order by bucket, day, seq`;
  let rows: Row[] = [];
  let bytes = 0;
  for await (const group of copyOut(reader, query)) {
    for (const columns of group) {
      rows.push(toRow(columns, batch.amountScale));
      bytes += (columns[6] as string).length;
      if (rows.length < chunkRows && bytes < chunkBytes) continue;
      yield { records: rows, keys: keysOf(rows) };
      rows = [];
      bytes = 0;
    }
  }
  if (rows.length > 0) yield { records: rows, keys: keysOf(rows) };
}

function keysOf(rows: readonly Row[]): SortedKeys {
  return {
    length: rows.length,
    bucket: Float64Array.from(rows, (r) => r.bucket),
    day: Int32Array.from(rows, (r) => r.blockDay),
    units: Float64Array.from(rows, (r) => r.compared.amountUnits ?? NaN),
  };
}

interface Outcome {
  MATCH: number;
  POSSIBLE: number;
  NO_MATCH: number;
  ERROR: number;
  scoreSum: number;
  errors: { left_record_id: string; right_record_id: string; code: string; message: string }[];
}

const newOutcome = (): Outcome => ({ MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0, scoreSum: 0, errors: [] });

interface StoredPair {
  left: string;
  right: string;
  result: Extract<PairResult, { decision: 'MATCH' | 'POSSIBLE' }>;
}

/** What the comparisons of one batch share. */
interface PairRun {
  compiled: CompiledRuleSet;
  comparer: PairComparer;
  amountScale: number;
  outcome: Outcome;
  countTimeout: (code: string) => void;
  /** Gives a promise when there is something to wait for. */
  afterPair: () => Promise<void> | undefined;
}

/** Compares every candidate pair of the slice and one chunk; returns those that are kept, by left record. */
async function compareChunk(run: PairRun, lefts: readonly Row[], chunk: Staged): Promise<StoredPair[]> {
  const { compiled, comparer, outcome } = run;
  const stored: StoredPair[] = [];
  const visitRanges = candidateRanges(compiled.blocking, chunk.keys);
  for (const left of lefts) {
    const candidates: Row[] = [];
    visitRanges(left.bucket, left.blockDay, (from, to) => {
      for (let j = from; j < to; j++) {
        const right = chunk.records[j] as Row;
        if (compiled.blocking.admits(left.compared.amountUnits, right.compared.amountUnits, run.amountScale)) candidates.push(right);
      }
    });
    for (const right of candidates) {
      const pending = comparer.compare(left.compared, right.compared);
      const result = pending instanceof Promise ? await pending : pending;
      outcome[result.decision]++;
      if (result.decision === 'MATCH' || result.decision === 'POSSIBLE') {
        outcome.scoreSum += result.score;
        stored.push({ left: left.id, right: right.id, result });
      } else if (result.decision === 'ERROR') {
        const { code, message } = result.error;
        if (outcome.errors.length < keptErrors) {
          outcome.errors.push({ left_record_id: left.id, right_record_id: right.id, code, message });
        }
        run.countTimeout(code);
      }
      const waiting = run.afterPair();
      if (waiting) await waiting;
    }
  }
  return stored;
}

async function writeMatches(
  writer: CopyWriter,
  pairs: readonly StoredPair[],
  tenantId: string,
  jobId: string,
  ruleSetId: string,
): Promise<void> {
  for (const { left, right, result } of pairs) {
    await writer.write([
      newId(), tenantId, jobId, ruleSetId, left, right, result.score, result.decision, JSON.stringify(result.explanation),
    ]);
  }
}

/** Once a second, looks whether the job is still running. */
function stillRunning(scope: TenantScope, jobId: string, onStep: OnStep): () => Promise<void> | undefined {
  let checkedMs = performance.now();
  return () => {
    onStep();
    const now = performance.now();
    if (now - checkedMs < cancelCheckMs) return undefined;
    checkedMs = now;
    return assertRunning(scope, jobId);
  };
}

async function assertRunning(scope: TenantScope, jobId: string): Promise<void> {
  const [job] = await scope.db.query<{ status: string }>(
    `select status from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (job?.status !== 'running') throw new JobStoppedError();
}
