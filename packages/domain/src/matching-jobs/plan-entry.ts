import {
  compileRuleSet, rescale, type CompiledRuleSet, type FieldSelection, type JsonObject, type RuleSetDefinition, type Side,
} from '@tieout/engine';
import { copyIn, copyOut, type CopyWriter, type PoolClient } from '@tieout/infra';
import type { TenantScope } from '../scope';
import { planCandidates, type BatchLimits, type CandidatePlan } from './candidates';
import { SideColumns, countUnblocked, type UnblockedCount } from './columns';
import { timeoutCounter } from './fail';
import type { OnStep } from './handlers';
import { recordState, writeDirectory, writeId } from './stage/directory';
import { createStage, indexStage, noCandidateTable, sideNumber, stageTable, stageWriter, type ExclusionReason } from './staging';

/** One rule set of a job, as it stood when the job was started. */
export interface JobEntry {
  id: string;
  jobId: string;
  leftDatasetId: string;
  rightDatasetId: string;
  definition: RuleSetDefinition;
}

interface SidePlan {
  columns: SideColumns;
  ready: number;
  failed: number;
  unblocked: UnblockedCount;
}

export interface EntryPlan {
  left: SidePlan;
  right: SidePlan;
}

interface RecordError {
  left_record_id: string | null;
  right_record_id: string | null;
  code: string;
  message: string;
}

/** The rule set has no blocking and too many records to compare every pair. */
export class TooManyPairsError extends Error {}

/** How many errors a job keeps in full; all are counted. */
export const keptErrors = 20;

/** About a second of work a batch while pairs run through the reference evaluator at some 50 µs each. */
const batchLimits: BatchLimits = { pairs: 20_000, rows: 5_000, bytes: 16 << 20 };

/** Reads both sides into the stage, counts the candidates and writes the batch rows. */
export async function planEntry(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  entry: JobEntry,
  onStep: OnStep,
): Promise<EntryPlan> {
  const startedMs = performance.now();
  const compiled = compileRuleSet(entry.definition);
  await writer.query(`delete from job_batches where tenant_id = $1 and entry_id = $2`, [scope.tenantId, entry.id]);
  await writer.query(`update job_rule_sets set started_at = now() where tenant_id = $1 and id = $2`, [scope.tenantId, entry.id]);
  await createStage(writer, entry.id);

  const errors: RecordError[] = [];
  let filterErrors = 0;
  const countTimeout = timeoutCounter();
  const onFilterError = (side: Side, recordId: string, error: { code: string; message: string }): void => {
    filterErrors++;
    countTimeout(error.code);
    if (errors.length >= keptErrors) return;
    errors.push({
      left_record_id: side === 'left' ? recordId : null,
      right_record_id: side === 'right' ? recordId : null,
      ...error,
    });
  };
  const stage = stageWriter(writer, entry.id);
  const read = (side: Side, datasetId: string): Promise<SidePlan> =>
    stageSide({ tenantId: scope.tenantId, reader, stage, compiled, side, datasetId, onFilterError, onStep });
  const left = await read('left', entry.leftDatasetId);
  const right = await read('right', entry.rightDatasetId);
  await stage.end();
  const readMs = performance.now() - startedMs;

  const amountScale = commonScale(left.columns, right.columns);
  for (const [side, plan] of [['left', left], ['right', right]] as const) {
    await excludeOutOfRange(writer, entry.id, compiled, side, plan, amountScale);
  }
  refuseTooManyPairs(compiled, left, right, scope.settings.maxUnblockedPairs);

  const blockStartedMs = performance.now();
  const candidates = planCandidates(compiled.blocking, left.columns, right.columns, amountScale, batchLimits, onStep);
  const blockMs = performance.now() - blockStartedMs;

  const stageStartedMs = performance.now();
  await indexStage(writer, entry.id);
  await writeNoCandidates(writer, entry.id, left, right, candidates);
  await writeDirectoryOf(writer, entry.id, 'left', candidates.leftHasCandidate);
  await writeDirectoryOf(writer, entry.id, 'right', candidates.rightHasCandidate);
  await writeBatches(writer, scope.tenantId, entry, candidates);
  await writer.query(
    `update job_rule_sets set status = 'running', left_count = $3, right_count = $4, staged_rows = $5, amount_scale = $6,
            pairs_total = $7, unblocked = $8, filter_errors = $9, errors = $10, timings = $11
      where tenant_id = $1 and id = $2`,
    [
      scope.tenantId,
      entry.id,
      left.ready,
      right.ready,
      left.columns.length + right.columns.length,
      amountScale,
      candidates.pairs,
      JSON.stringify({ left: left.unblocked, right: right.unblocked }),
      filterErrors,
      JSON.stringify(errors),
      JSON.stringify({
        readMs: Math.round(readMs),
        blockMs: Math.round(blockMs),
        stageMs: Math.round(performance.now() - stageStartedMs),
      }),
    ],
  );
  return { left, right };
}

interface StageSideOptions {
  tenantId: string;
  reader: PoolClient;
  stage: CopyWriter;
  compiled: CompiledRuleSet;
  side: Side;
  datasetId: string;
  onFilterError: (side: Side, recordId: string, error: { code: string; message: string }) => void;
  onStep: OnStep;
}

/** Streams one side: project, filter, key, stage. A failed record is staged by id alone, so that it can be listed. */
async function stageSide(options: StageSideOptions): Promise<SidePlan> {
  const { reader, stage, compiled, side } = options;
  const selection = compiled.references[side];
  const plan: SidePlan = { columns: new SideColumns(), ready: 0, failed: 0, unblocked: { count: 0, reasons: {} } };
  const place = async (recordId: string, text: string): Promise<void> => {
    const value = JSON.parse(text) as JsonObject;
    const pending = compiled.admitRecord(side, value);
    const admission = pending instanceof Promise ? await pending : pending;
    if (!admission.admitted) {
      if (admission.error) options.onFilterError(side, recordId, admission.error);
      return exclude(recordId, 'filtered');
    }
    const keys = compiled.readKeys(side, value);
    const key = compiled.blocking.keyOf(keys);
    if ('reason' in key) {
      countUnblocked(plan.unblocked, key.reason);
      return exclude(recordId, 'unblocked');
    }
    const { amount } = keys;
    const day = keys.day.ok ? keys.day.day : null;
    const seq = plan.columns.add({
      bucket: key.bucket,
      day: key.day,
      units: amount.ok ? amount.units : NaN,
      scale: amount.ok ? amount.scale : 0,
      bytes: text.length,
      included: true,
    });
    await stage.write([
      sideNumber[side], seq, key.bucket, key.day, recordId,
      amount.ok ? amount.units : null, amount.ok ? amount.scale : null, day, null, text,
    ]);
  };
  const exclude = async (recordId: string, reason: ExclusionReason): Promise<void> => {
    const seq = plan.columns.add({ bucket: 0, day: 0, units: NaN, scale: 0, bytes: 0, included: false });
    await stage.write([sideNumber[side], seq, null, null, recordId, null, null, null, reason, null]);
  };

  for await (const rows of copyOut(reader, sideQuery(reader, options.tenantId, options.datasetId, selection))) {
    for (const [recordId, status, ...values] of rows) {
      if (status === 'failed') {
        plan.failed++;
        await exclude(recordId as string, 'failed');
        continue;
      }
      plan.ready++;
      options.onStep();
      await place(recordId as string, selection.all ? (values[0] as string) : objectText(selection.keys, values));
    }
  }
  return plan;
}

/** `{"key":value,…}` from the JSON texts of the values; absent ones are left out. */
function objectText(keys: readonly string[], values: readonly (string | null)[]): string {
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(keys[i])}:${value}`;
  }
  return `{${text}}`;
}

/** Only what the rule set reads crosses the wire: the record's data overlaid with its normalised fields, projected. */
function sideQuery(client: PoolClient, tenantId: string, datasetId: string, selection: FieldSelection): string {
  const literal = (text: string): string => client.escapeLiteral(text);
  const columns = selection.all
    ? [`data || coalesce(fields, '{}')`]
    : selection.keys.map((key) => `case when fields ? ${literal(key)} then fields -> ${literal(key)} else data -> ${literal(key)} end`);
  return `select ${['id', 'status', ...columns].join(', ')} from records
    where tenant_id = ${literal(tenantId)} and dataset_id = ${literal(datasetId)} and status in ('ready', 'failed') order by id`;
}

/** The smallest number of decimals, 2 at least, that holds every amount of the run exactly. */
function commonScale(...sides: readonly SideColumns[]): number {
  let scale = 2;
  for (const side of sides) for (let i = 0; i < side.length; i++) scale = Math.max(scale, side.scale[i] as number);
  return scale;
}

/** An amount that is no safe integer at the scale of the run cannot be blocked on. */
async function excludeOutOfRange(
  writer: PoolClient,
  entryId: string,
  compiled: CompiledRuleSet,
  side: Side,
  plan: SidePlan,
  amountScale: number,
): Promise<void> {
  const blocksOnAmount = 'reason' in compiled.blocking.keyOf({ amount: { ok: false, reason: 'out_of_range' }, day: { ok: true, day: 0 } });
  if (!blocksOnAmount) return;
  const { columns } = plan;
  const out: number[] = [];
  for (let seq = 0; seq < columns.length; seq++) {
    if (columns.included[seq] !== 1) continue;
    if (rescale(columns.units[seq] as number, columns.scale[seq] as number, amountScale) !== null) continue;
    columns.included[seq] = 0;
    out.push(seq);
  }
  if (out.length === 0) return;
  countUnblocked(plan.unblocked, 'amount_out_of_range', out.length);
  await writer.query(
    `update ${stageTable(entryId)} set reason = 'unblocked', value = null where side = $1 and seq = any($2::int[])`,
    [sideNumber[side], out],
  );
}

function refuseTooManyPairs(compiled: CompiledRuleSet, left: SidePlan, right: SidePlan, limit: number): void {
  if (compiled.blocking.active) return;
  const count = (side: SidePlan): number => side.columns.included.subarray(0, side.columns.length).reduce((a, b) => a + b, 0);
  const pairs = count(left) * count(right);
  if (pairs > limit) {
    throw new TooManyPairsError(
      `Without blocking ${pairs} pairs would be compared, more than the ${limit} allowed: add params.blocking with an amountKey or a dateKey, or filters`,
    );
  }
}

async function writeDirectoryOf(writer: PoolClient, entryId: string, side: Side, hasCandidate: Uint8Array): Promise<void> {
  const { rows } = await writer.query<{ id: string; reason: ExclusionReason | null }>(
    `select record_id::text as id, reason from ${stageTable(entryId)} where side = $1 order by seq`,
    [sideNumber[side]],
  );
  const ids = Buffer.alloc(rows.length * 16);
  rows.forEach(({ id }, seq) => writeId(ids, seq * 16, id));
  const states = rows.map(({ reason }, seq) =>
    reason !== null ? recordState[reason] : hasCandidate[seq] === 1 ? recordState.candidate : recordState.noCandidate);
  await writeDirectory(writer, entryId, side, ids, Uint8Array.from(states));
}

async function writeNoCandidates(
  writer: PoolClient,
  entryId: string,
  left: SidePlan,
  right: SidePlan,
  candidates: CandidatePlan,
): Promise<void> {
  const rows = copyIn(writer, `${noCandidateTable(entryId)} (side, seq)`);
  for (const [side, { columns }, has] of [
    ['left', left, candidates.leftHasCandidate],
    ['right', right, candidates.rightHasCandidate],
  ] as const) {
    for (let seq = 0; seq < columns.length; seq++) {
      if (columns.included[seq] === 1 && has[seq] === 0) await rows.write([sideNumber[side], seq]);
    }
  }
  await rows.end();
}

async function writeBatches(writer: PoolClient, tenantId: string, entry: JobEntry, candidates: CandidatePlan): Promise<void> {
  const { batches } = candidates;
  await writer.query(
    `insert into job_batches (entry_id, batch_no, tenant_id, job_id, bounds, left_rows, pairs)
     select $1, b.no - 1, $2, $3, b.bounds, b.left_rows, b.pairs
       from unnest($4::jsonb[], $5::int[], $6::bigint[]) with ordinality as b(bounds, left_rows, pairs, no)`,
    [
      entry.id,
      tenantId,
      entry.jobId,
      batches.map((b) => JSON.stringify(b.bounds)),
      batches.map((b) => b.leftRows),
      batches.map((b) => b.pairs),
    ],
  );
}
