import {
  NO_DAY,
  readAmount,
  readDay,
  recordKeys,
  type AmountReading,
  type CompiledRuleSet,
  type DayReading,
  type FieldSelection,
  type JsonObject,
  type Side,
} from '@tieout/engine';
import { streamRows, readId, type BinaryCopyWriter, type BinaryRows, type PoolClient } from '@tieout/infra';
import type { FactsBuffer } from '../composition/facts-buffer';
import { countUnblocked, type SideColumns, type UnblockedCount } from './columns';
import type { OnStep } from '../jobs/handlers';
import type { RunningCheck } from '../jobs/running';
import { recordState } from './directory';
import { AmountReader, DayReader } from './json-bytes';
import type { SideBuffers } from './spare-buffers';

export interface SidePlan {
  columns: SideColumns;
  ready: number;
  failed: number;
  unblocked: UnblockedCount;
}

export interface StageSideOptions extends SideBuffers {
  tenantId: string;
  reader: PoolClient;
  stage: Promise<BinaryCopyWriter>;
  /** Takes what composition has to know; null where the rule set composes nothing. */
  facts: FactsBuffer | null;
  compiled: CompiledRuleSet;
  side: Side;
  datasetId: string;
  /** `effort`: see Admission. */
  onFilterError: (
    side: Side,
    recordId: string,
    error: { code: string; message: string; expression: string },
    effort: number,
  ) => void;
  /** The filters have decided on a record in this time. */
  onFiltered: (tookMs: number) => void;
  onStep: OnStep;
  check: RunningCheck;
}

/** Streams one side: project, filter, key, stage. A record that takes part in no pair is known by id and state alone. */
export async function stageSide(options: StageSideOptions): Promise<SidePlan> {
  const { reader, run, columns, facts, compiled, side } = options;
  const selection = compiled.references[side];
  columns.clear();
  const plan: SidePlan = { columns, ready: 0, failed: 0, unblocked: { count: 0, reasons: {} } };
  const staged = new RowStager(options, plan);
  const query = await sideQuery(reader, options.tenantId, options.datasetId, selection);
  for await (const rows of streamRows(reader, query, staged.fields)) {
    for (let row = 0; row < rows.count; row++) {
      const room = staged.roomFor(rows, row);
      if (!run.reserve(room)) {
        await run.flush(await options.stage, side);
        run.reserve(room);
      }
      const pending = staged.take(rows, row);
      if (pending) await pending;
      const checking = staged.evaluates && options.check();
      if (checking) await checking;
    }
    if (facts) await facts.flush(await options.stage, false);
    options.onStep();
  }
  await run.flush(await options.stage, side);
  if (facts) await facts.flush(await options.stage, true);
  return plan;
}

const brace = { open: 123, close: 125 };
/** jsonb in binary form begins with the number of its version. */
const versionBytes = 1;
const idField = 0;
const failedField = 1;
const firstValue = 2;
const missingAmount = readAmount(undefined);
const missingDay = readDay(undefined);

/** Takes the rows of the query, one by one, into the run and the columns of the side. */
class RowStager {
  readonly fields: number;
  private readonly amounts = new AmountReader();
  private readonly days = new DayReader();
  /** `"key":` of each value, with a comma before it. */
  private readonly prefixes: Buffer[];
  private readonly prefixBytes: number;
  /** The field of each key; -1 when it takes the parsed value to find it. */
  private readonly amountField: number;
  private readonly dayField: number;
  /** Whether a row is parsed, and an expression of the tenant may take its time over it. */
  readonly evaluates: boolean;
  private readonly whole: boolean;

  constructor(
    private readonly options: StageSideOptions,
    private readonly plan: SidePlan,
  ) {
    const { compiled, side } = options;
    const { keys } = compiled.references[side];
    const all = readsWhole(compiled.references[side]);
    this.whole = all;
    this.prefixes = all ? [] : keys.map((key) => Buffer.from(`,${JSON.stringify(key)}:`));
    this.prefixBytes = this.prefixes.reduce((sum, prefix) => sum + prefix.length, 2);
    this.fields = firstValue + (all ? 1 : keys.length);
    const { params } = compiled.definition;
    const paths = recordKeys(params)[side];
    // A dotted path may walk into a value, which takes a parser.
    const fieldOf = (path: string): number => (all || path.includes('.') ? -1 : firstValue + keys.indexOf(path));
    this.amountField = fieldOf(paths.amount);
    this.dayField = fieldOf(paths.date);
    this.evaluates =
      this.amountField === -1 || this.dayField === -1 || (params.filters ?? []).length > 0 || options.facts !== null;
  }

  /** Bytes that the value of a row takes at most. */
  roomFor(rows: BinaryRows, row: number): number {
    let bytes = this.prefixBytes;
    for (let field = firstValue; field < this.fields; field++) bytes += Math.max(0, rows.length(row, field));
    return bytes;
  }

  take(rows: BinaryRows, row: number): Promise<void> | void {
    const { plan, options } = this;
    const idAt = rows.start(row, idField);
    if (rows.bytes[rows.start(row, failedField)] === 1) {
      plan.failed++;
      plan.columns.add(recordState.failed, rows.bytes, idAt);
      return;
    }
    plan.ready++;
    this.writeValue(rows, row);
    if (!this.evaluates) {
      const amountAt = rows.start(row, this.amountField);
      const dayAt = rows.start(row, this.dayField);
      const amountLength = rows.length(row, this.amountField);
      const dayLength = rows.length(row, this.dayField);
      this.place(
        rows.bytes,
        idAt,
        amountLength === -1
          ? missingAmount
          : this.amounts.read(rows.bytes, amountAt + versionBytes, amountAt + amountLength),
        dayLength === -1 ? missingDay : this.days.read(rows.bytes, dayAt + versionBytes, dayAt + dayLength),
      );
      return;
    }
    options.onStep();
    const { run, facts, compiled, side } = options;
    const value = JSON.parse(run.value.toString('utf8')) as JsonObject;
    const startedMs = performance.now();
    const decide = (admission: Awaited<ReturnType<CompiledRuleSet['admitRecord']>>): void => {
      if (admission.admitted) {
        const { amount, day } = compiled.readKeys(side, value);
        // Blocking places pairs: a record that it cannot place may still be composed.
        if (compiled.composition) facts?.add(compiled.composition.read(side, value), rows.bytes, idAt);
        this.place(rows.bytes, idAt, amount, day);
        return;
      }
      if (admission.error)
        options.onFilterError(side, readId(rows.bytes, idAt), admission.error, admission.effort ?? 0);
      this.leaveOut(recordState.filtered, rows.bytes, idAt);
    };
    const settle = (admission: Parameters<typeof decide>[0]): void => {
      const tookMs = performance.now() - startedMs;
      decide(admission);
      options.onFiltered(tookMs);
    };
    const admission = compiled.admitRecord(side, value);
    if (admission instanceof Promise) return admission.then(settle);
    settle(admission);
  }

  /** `{"key":value,…}` of the values that are there. */
  private writeValue(rows: BinaryRows, row: number): void {
    const { run } = this.options;
    if (this.whole) {
      const from = rows.start(row, firstValue);
      return run.append(rows.bytes, from + versionBytes, from + rows.length(row, firstValue));
    }
    run.appendByte(brace.open);
    let first = true;
    for (let field = firstValue; field < this.fields; field++) {
      const length = rows.length(row, field);
      if (length === -1) continue;
      const prefix = this.prefixes[field - firstValue] as Buffer;
      run.append(prefix, first ? 1 : 0, prefix.length);
      const from = rows.start(row, field);
      run.append(rows.bytes, from + versionBytes, from + length);
      first = false;
    }
    run.appendByte(brace.close);
  }

  /** The row takes part in pairs when it can be blocked. */
  private place(ids: Uint8Array, idAt: number, amount: AmountReading, day: DayReading): void {
    const { plan, options } = this;
    const key = options.compiled.blocking.keyOf({ amount, day });
    if ('reason' in key) {
      countUnblocked(plan.unblocked, key.reason);
      return this.leaveOut(recordState.unblocked, ids, idAt);
    }
    const seq = plan.columns.add(recordState.candidate, ids, idAt);
    const { bucket, day: keyDay } = key;
    const units = amount.ok ? amount.units : NaN;
    const scale = amount.ok ? amount.scale : 0;
    plan.columns.place(seq, bucket, keyDay, units, scale, options.run.valueWeight);
    options.run.endRow({ seq, bucket, day: keyDay, ownDay: day.ok ? day.day : NO_DAY, units, scale, ids, idAt });
  }

  private leaveOut(state: number, ids: Uint8Array, idAt: number): void {
    this.options.run.dropValue();
    this.plan.columns.add(state, ids, idAt);
  }
}

/** A query can have some 1,600 columns; so many fields are most of the record anyway. */
const mostColumns = 1_000;

const readsWhole = (selection: FieldSelection): boolean => selection.all || selection.keys.length > mostColumns;

/** Only what the rule set reads crosses the wire: the record's data overlaid with its normalised fields, projected. */
async function sideQuery(
  client: PoolClient,
  tenantId: string,
  datasetId: string,
  selection: FieldSelection,
): Promise<string> {
  const literal = (text: string): string => client.escapeLiteral(text);
  const normalised = await hasNormalisedFields(client, tenantId, datasetId);
  const column = (key: string): string => {
    const raw = `data -> ${literal(key)}`;
    return normalised ? `coalesce(fields -> ${literal(key)}, ${raw})` : raw;
  };
  const columns = readsWhole(selection)
    ? [normalised ? `data || coalesce(fields, '{}')` : 'data']
    : selection.keys.map(column);
  return `select ${['id', `status = 'failed'`, ...columns].join(', ')} from records
    where tenant_id = ${literal(tenantId)} and dataset_id = ${literal(datasetId)} and status in ('ready', 'failed')`;
}

/** Records of a dataset without fields have none either, unless a removal is still being carried out. */
async function hasNormalisedFields(client: PoolClient, tenantId: string, datasetId: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select d.fields_version > d.reprocessed_version or exists (select 1 from dataset_fields f where f.dataset_id = d.id) as found
       from datasets d where d.tenant_id = $1 and d.id = $2`,
    [tenantId, datasetId],
  );
  return rows[0]?.found ?? true;
}
