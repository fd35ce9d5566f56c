import {
  type Admission,
  type AmountReading,
  type BlockKey,
  type DayReading,
  type JsonObject,
  noDay,
  type Placing,
  readAmount,
  readDay,
  recordKeys,
  RuleEntries,
  type Side,
} from '@tieout/engine';
import { streamRows, readId, type BinaryRows, type PoolClient } from '@tieout/infra';
import { hashJoins } from '../../kernel/sql';
import type { OnStep, RunningCheck } from '../jobs/context';
import type { UnblockedCount } from '../jobs/errors';
import { countUnblocked, type SideColumns } from './columns';
import { recordState } from './directory';
import type { FactsBuffer } from './facts';
import { FieldsFound } from './fields-found';
import { AmountReader, DayReader } from './json-bytes';
import type { RunBlock } from './run';
import { needsHashJoins, readsWhole, sideQuery, type SideSource } from './side-query';
import type { SideBuffers } from './spare-buffers';

export interface SidePlan {
  columns: SideColumns;
  ready: number;
  failed: number;
  /** Records that a filter refused or failed on. */
  filtered: number;
  unblocked: UnblockedCount;
  /** The places of the records in each rule whose pairs are listed; none where windows decide. */
  entries: RuleEntries[];
  /** The fields that the rule set reads of this side. */
  found: FieldsFound;
}

/** A filter failed on a record. `effort`: see the engine's admitRecord. */
export interface FilterFailure {
  side: Side;
  recordId: string;
  error: { code: string; message: string; expression: string };
  effort: number;
}

interface StageSideOptions extends SideBuffers, SideSource {
  reader: PoolClient;
  /** Gets the blocks of the records that take part in pairs. */
  onBlock: (side: Side, block: RunBlock) => Promise<void> | void;
  /** Takes the facts for composition now and then; null where nothing is composed. */
  facts: { buffer: FactsBuffer; flush: (isEnd: boolean) => Promise<void> | void } | null;
  onFilterError: (failure: FilterFailure) => void;
  /** Gets the time that the filters took for a record. */
  onFiltered: (tookMs: number) => void;
  onStep: OnStep;
  check: RunningCheck;
}

/** Streams one side: project, filter, key, stage. A record without pairs leaves only its id and state. */
export async function stageSide(options: StageSideOptions): Promise<SidePlan> {
  const { reader, run, columns, facts, side } = options;
  columns.clear();
  const entries = (options.compiled.listed?.rules ?? []).map(() => new RuleEntries());
  const found = new FieldsFound(
    options.compiled.sought.filter(({ sides }) => sides.includes(side)).map(({ field }) => field),
  );
  const unblocked = { count: 0, reasons: {} };
  const plan: SidePlan = { columns, ready: 0, failed: 0, filtered: 0, unblocked, entries, found };
  const stager = new RowStager(options, plan);
  const flushed = (block: RunBlock) => options.onBlock(side, block);
  const query = await sideQuery(reader, options);
  const isJoined = needsHashJoins(options);
  if (isJoined) await reader.query(hashJoins.begin);
  for await (const rows of streamRows(reader, query, stager.fields)) {
    for (let row = 0; row < rows.count; row++) {
      if (stager.isLeftOut(rows, row)) continue;
      const room = stager.roomFor(rows, row);
      if (!run.reserve(room)) {
        await run.flush(flushed);
        run.reserve(room);
      }
      const pending = stager.take(rows, row);
      if (pending) await pending;
      const checking = stager.evaluates && options.check();
      if (checking) await checking;
    }
    await facts?.flush(false);
    options.onStep();
  }
  if (isJoined) await reader.query(hashJoins.end);
  await run.flush(flushed);
  await facts?.flush(true);
  stager.end();
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

/** Adds the rows of the query, one by one, to the run and the columns of the side. */
class RowStager {
  readonly fields: number;
  /** The field after those of the value holds the rest of a record of which a part is held. */
  private readonly restField: number;
  private readonly rests = new AmountReader();
  private readonly amounts = new AmountReader();
  private readonly days: DayReader;
  /** The text `,"key":` before each value. */
  private readonly prefixes: Buffer[];
  private readonly prefixBytes: number;
  /** The field of each blocking key; -1 where the key is found in the parsed value only. */
  private readonly amountField: number;
  private readonly dayField: number;
  /** The field that decides which records are left out. */
  private readonly rangeField: number;
  /** True if rows are parsed and may be evaluated by expressions of the tenant. */
  readonly evaluates: boolean;
  private readonly whole: boolean;
  private readonly isReversed: boolean;
  /** Marks of the fields that a row had, by column. */
  private readonly seen: Uint8Array;

  constructor(
    private readonly options: StageSideOptions,
    private readonly plan: SidePlan,
  ) {
    const { compiled, side } = options;
    this.days = new DayReader((value) => compiled.readDay(value));
    this.isReversed = compiled.amountSigns[side] === -1;
    const { keys } = compiled.references[side];
    const all = readsWhole(compiled.references[side]);
    this.whole = all;
    this.prefixes = all ? [] : keys.map((key) => Buffer.from(`,${JSON.stringify(key)}:`));
    this.seen = new Uint8Array(this.prefixes.length);
    this.prefixBytes = this.prefixes.reduce((sum, prefix) => sum + prefix.length, 2);
    this.restField = firstValue + (all ? 1 : keys.length);
    this.fields = this.restField + (options.reconciliationId === null ? 0 : 1);
    const { params } = compiled.definition;
    const paths = recordKeys(params)[side];
    // A dotted path may lead into a value, which needs a parser.
    const fieldOf = (path: string): number => (all || path.includes('.') ? -1 : firstValue + keys.indexOf(path));
    this.amountField = fieldOf(paths.amount);
    this.dayField = fieldOf(paths.date);
    this.rangeField = options.within === undefined ? -1 : fieldOf(options.within.field);
    this.evaluates =
      this.amountField === -1 ||
      this.dayField === -1 ||
      (params.filters ?? []).length > 0 ||
      options.facts !== null ||
      compiled.listed !== null;
  }

  /** Notes the fields that unparsed rows had. For records that are staged whole, all fields count as found. */
  end(): void {
    if (this.evaluates) return;
    const { found } = this.plan;
    if (this.whole) return found.foundAll();
    this.options.compiled.references[this.options.side].keys.forEach((key, column) => {
      if (this.seen[column] === 1) found.note(key);
    });
  }

  /** Returns whether the value of the row is outside of the range that is read. */
  isLeftOut(rows: BinaryRows, row: number): boolean {
    const { within } = this.options;
    if (within === undefined || this.rangeField === -1) return false;
    const own = within.kind === 'day' ? this.dayIn(rows, row, this.rangeField) : this.sizeIn(rows, row);
    return !(own >= within.from && own <= within.to);
  }

  private sizeIn(rows: BinaryRows, row: number): number {
    const amount = this.amountIn(rows, row, this.rangeField);
    return amount?.ok === true ? Math.abs(amount.units) / 10 ** amount.scale : NaN;
  }

  /** Returns the max bytes of the value of a row. */
  roomFor(rows: BinaryRows, row: number): number {
    let bytes = this.prefixBytes;
    for (let field = firstValue; field < this.restField; field++) bytes += Math.max(0, rows.length(row, field));
    return bytes;
  }

  take(rows: BinaryRows, row: number): Promise<void> | void {
    const { plan } = this;
    const idAt = rows.start(row, idField);
    if (rows.bytes[rows.start(row, failedField)] === 1) {
      plan.failed++;
      plan.columns.add(recordState.failed, rows.bytes, idAt);
      return;
    }
    plan.ready++;
    this.writeValue(rows, row);
    const rest = this.restField < this.fields ? this.amountIn(rows, row, this.restField) : null;
    if (this.evaluates) return this.evaluate(rows.bytes, idAt, rest);
    const amount = rest ?? this.amountIn(rows, row, this.amountField) ?? missingAmount;
    this.place(rows.bytes, idAt, amount, this.dayOf(rows, row));
  }

  private amountIn(rows: BinaryRows, row: number, field: number): AmountReading | null {
    const length = rows.length(row, field);
    const start = rows.start(row, field);
    if (length === -1) return null;
    const reader = field === this.restField ? this.rests : this.amounts;
    const amount = reader.read(rows.bytes, start + versionBytes, start + length);
    return this.isReversed && amount.ok ? { ...amount, units: 0 - amount.units } : amount;
  }

  private dayIn(rows: BinaryRows, row: number, field: number): number {
    const day = this.dayOf(rows, row, field);
    return day.ok ? day.day : NaN;
  }

  private dayOf(rows: BinaryRows, row: number, field = this.dayField): DayReading {
    const length = rows.length(row, field);
    const start = rows.start(row, field);
    return length === -1 ? missingDay : this.days.read(rows.bytes, start + versionBytes, start + length);
  }

  /** Runs the filters on the value in the run. */
  private evaluate(ids: Uint8Array, idAt: number, rest: AmountReading | null): Promise<void> | void {
    const { run, compiled, side, onStep, onFiltered } = this.options;
    onStep();
    const value = JSON.parse(run.value.toString('utf8')) as JsonObject;
    this.plan.found.look(value);
    const startedMs = performance.now();
    const settle = (placing: Placing | null): void => {
      const tookMs = performance.now() - startedMs;
      this.admit(placing, { value, rest }, ids, idAt);
      onFiltered(tookMs);
    };
    const place = (admission: Admission): Promise<void> | void => {
      if (!admission.admitted) {
        this.refuse(admission, ids, idAt);
        return onFiltered(performance.now() - startedMs);
      }
      const placing = compiled.listed?.place(side, value, rest) ?? null;
      if (placing instanceof Promise) return placing.then(settle);
      settle(placing);
    };
    const admission = compiled.admitRecord(side, value);
    return admission instanceof Promise ? admission.then(place) : place(admission);
  }

  /** @param placing null where windows place the record */
  private admit(
    placing: Placing | null,
    { value, rest }: { value: JsonObject; rest: AmountReading | null },
    ids: Uint8Array,
    idAt: number,
  ): void {
    const { facts, compiled, side } = this.options;
    const keys = compiled.readKeys(side, value);
    const { amount, day } = { ...keys, ...(rest && { amount: rest }) };
    // Blocking places pairs only: a record that it cannot place may still be composed.
    if (compiled.composition) facts?.buffer.add(compiled.composition.read(side, value), ids, idAt);
    if (placing) this.placeInRules(placing, ids, idAt, { amount, day });
    else this.place(ids, idAt, amount, day);
  }

  private refuse(admission: Extract<Admission, { admitted: false }>, ids: Uint8Array, idAt: number): void {
    const { side } = this.options;
    const { error, effort = 0 } = admission;
    if (error) this.options.onFilterError({ side, recordId: readId(ids, idAt), error, effort });
    this.plan.filtered++;
    this.leaveOut(recordState.filtered, ids, idAt);
  }

  /** Writes `{"key":value,…}` of the present values. */
  private writeValue(rows: BinaryRows, row: number): void {
    const { run } = this.options;
    if (this.whole) {
      const from = rows.start(row, firstValue);
      return run.append(rows.bytes, from + versionBytes, from + rows.length(row, firstValue));
    }
    run.appendByte(brace.open);
    let first = true;
    for (let field = firstValue; field < this.restField; field++) {
      const length = rows.length(row, field);
      if (length === -1) continue;
      this.seen[field - firstValue] = 1;
      const prefix = this.prefixes[field - firstValue] as Buffer;
      run.append(prefix, first ? 1 : 0, prefix.length);
      const from = rows.start(row, field);
      run.append(rows.bytes, from + versionBytes, from + length);
      first = false;
    }
    run.appendByte(brace.close);
  }

  /** Stages the row where a rule can place it, by the first code: records that share it are staged side by side. */
  private placeInRules(
    { places, reason, failures }: Placing,
    ids: Uint8Array,
    idAt: number,
    keys: { amount: AmountReading; day: DayReading },
  ): void {
    const { compiled, side, onFilterError } = this.options;
    for (const failure of failures) onFilterError({ side, recordId: readId(ids, idAt), ...failure });
    const refused = compiled.blocking.keyOf(keys);
    const first = places.find((place) => place !== null);
    if (first === undefined || first === null || 'reason' in refused) {
      countUnblocked(this.plan.unblocked, 'reason' in refused ? refused.reason : (reason ?? 'missing_key'));
      return this.leaveOut(recordState.unblocked, ids, idAt);
    }
    const [code = 0] = first.codes;
    const seq = this.stage(ids, idAt, { ...keys, key: { bucket: code === 0 ? first.bucket : code, day: 0 } });
    places.forEach((place, rule) => {
      if (place !== null) this.plan.entries[rule]?.add(seq, place);
    });
  }

  /** Stages the row where blocking can place it. */
  private place(ids: Uint8Array, idAt: number, amount: AmountReading, day: DayReading): void {
    const key = this.options.compiled.blocking.keyOf({ amount, day });
    if ('reason' in key) {
      countUnblocked(this.plan.unblocked, key.reason);
      return this.leaveOut(recordState.unblocked, ids, idAt);
    }
    this.stage(ids, idAt, { amount, day, key });
  }

  /** Stages the row at a key. Returns its seq. */
  private stage(
    ids: Uint8Array,
    idAt: number,
    { amount, day, key }: { amount: AmountReading; day: DayReading; key: BlockKey },
  ): number {
    const { plan, options } = this;
    const seq = plan.columns.add(recordState.candidate, ids, idAt);
    const { bucket, day: keyDay } = key;
    const units = amount.ok ? amount.units : NaN;
    const scale = amount.ok ? amount.scale : 0;
    plan.columns.place(seq, { bucket, day: keyDay, units, scale, weight: options.run.valueWeight });
    options.run.endRow({ seq, bucket, day: keyDay, ownDay: day.ok ? day.day : noDay, units, scale, ids, idAt });
    return seq;
  }

  private leaveOut(state: number, ids: Uint8Array, idAt: number): void {
    this.options.run.dropValue();
    this.plan.columns.add(state, ids, idAt);
  }
}
