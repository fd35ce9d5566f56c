import {
  noDay,
  rarityField,
  recordState,
  RuleEntries,
  type CompiledRuleSet,
  type JsonObject,
  type MaybePromise,
  type Placing,
  type PoolBuilder,
  type Side,
} from '@tieout/engine';
import type { SideTable } from './side-table';

export interface ExpressionFailure {
  line: number;
  side: Side;
  code: string;
  message: string;
  expression: string;
}

const keptFailures = 20;

/** Collects the errors of expressions that read only one record. */
export class PlacingErrors {
  count = 0;
  readonly first: ExpressionFailure[] = [];

  add(failure: ExpressionFailure): void {
    this.count++;
    if (this.first.length < keptFailures) this.first.push(failure);
  }

  append({ count, first }: Pick<PlacingErrors, 'count' | 'first'>): void {
    this.count += count;
    this.first.push(...first.slice(0, keptFailures - this.first.length));
  }
}

/** Filters the records of one side and places them, as the plan of a job does. */
export class Placer {
  /** Numbers of the records that take part in composites. */
  readonly pooled: number[] = [];

  constructor(
    private readonly compiled: CompiledRuleSet,
    private readonly side: Side,
    private readonly pool: PoolBuilder | null,
    private readonly errors: PlacingErrors,
  ) {}

  place(table: SideTable, seq: number, given: JsonObject): Promise<void> | void {
    const { compiled, side } = this;
    if (compiled.listed !== null && table.entries.length === 0)
      table.entries = compiled.listed.rules.map(() => new RuleEntries());
    const value = compiled.withRemaining(side, given);
    const settled = this.admit(table, seq, value);
    return settled instanceof Promise ? settled : undefined;
  }

  private admit(table: SideTable, seq: number, value: JsonObject): MaybePromise<void> {
    const { compiled, side, errors } = this;
    const admission = compiled.admitRecord(side, value);
    if (admission instanceof Promise)
      return admission.then((result) => {
        if (result.admitted) return this.settle(table, seq, value);
        if (result.error) errors.add({ line: table.line[seq] as number, side, ...result.error });
        table.state[seq] = recordState.filtered;
      });
    if (admission.admitted) return this.settle(table, seq, value);
    if (admission.error) errors.add({ line: table.line[seq] as number, side, ...admission.error });
    table.state[seq] = recordState.filtered;
  }

  private settle(table: SideTable, seq: number, value: JsonObject): MaybePromise<void> {
    const { compiled, side } = this;
    if (this.pool !== null && compiled.composition !== null) {
      this.pool[side].add(compiled.composition.read(side, value));
      this.pooled.push(seq);
    }
    const placing = compiled.listed?.place(side, value) ?? null;
    if (placing instanceof Promise) return placing.then((result) => this.placeAt(table, seq, value, result));
    this.placeAt(table, seq, value, placing);
  }

  private placeAt(table: SideTable, seq: number, value: JsonObject, placing: Placing | null): void {
    const { compiled, side, errors } = this;
    const { amount, day } = compiled.readKeys(side, value);
    const key = compiled.blocking.keyOf({ amount, day });
    for (const { error } of placing?.failures ?? []) errors.add({ line: table.line[seq] as number, side, ...error });
    const place = {
      ownDay: day.ok ? day.day : noDay,
      units: amount.ok ? amount.units : NaN,
      scale: amount.ok ? amount.scale : 0,
    };
    if ('reason' in key) return table.leaveOut(seq, key.reason);
    if (placing === null) return table.place(seq, { bucket: key.bucket, day: key.day, ...place });
    const first = placing.places.find((one) => one !== null);
    if (first === undefined || first === null) return table.leaveOut(seq, placing.reason ?? 'missing_key');
    const [code = 0] = first.codes;
    table.place(seq, { bucket: code === 0 ? first.bucket : code, day: 0, ...place });
    placing.places.forEach((one, rule) => {
      if (one !== null) table.entries[rule]?.add(seq, one);
    });
  }
}

/** Returns a function that gives a record the shares of its values, where the rule set reads them. */
export function withRarities(
  compiled: CompiledRuleSet,
  side: Side,
  table: SideTable,
): ((value: JsonObject) => JsonObject) | null {
  const keys = compiled.references[side].keys.flatMap((key) => {
    const field = rarityField(key);
    return field === undefined ? [] : [{ key, field, counts: new Map<string, number>() }];
  });
  if (keys.length === 0) return null;
  let ready = 0;
  for (let seq = 0; seq < table.length; seq++) {
    if (table.state[seq] !== recordState.candidate) continue;
    ready++;
    const value = table.records.readAt(seq);
    for (const { field, counts } of keys) {
      const text = textOf(value[field]);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return (value) => {
    const own = { ...value };
    for (const { key, field, counts } of keys) {
      const text = textOf(value[field]);
      if (text !== 'null') own[key] = (counts.get(text) ?? 0) / ready;
    }
    return own;
  };
}

const textOf = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));
