import { minAmountScale, rescale } from '../values/decimal';
import { maxComposedUnits } from './limits';
import type { CompiledComposition, CompositionFacts, CompositionPool, CompositionSide } from './types';

const initialCapacity = 256;

/** Numbers of the distinct texts of both sides. */
interface FactTexts {
  group: Map<string, number>;
  matchKey: Map<string, number>;
  related: Map<string, number>;
}

/** The facts of the records of one side, some 60 bytes each, in the order in which they are added. */
class FactColumns {
  length = 0;
  readonly columns = {
    units: new Float64Array(initialCapacity),
    unitValue: new Float64Array(initialCapacity),
    content: new Float64Array(initialCapacity),
    day: new Int32Array(initialCapacity),
    group: new Int32Array(initialCapacity),
    totalCount: new Int32Array(initialCapacity),
    position: new Int32Array(initialCapacity),
    matchKey: new Int32Array(initialCapacity),
    related: new Int32Array(initialCapacity),
    scale: new Uint8Array(initialCapacity),
    unitScale: new Uint8Array(initialCapacity),
  };

  constructor(private readonly texts: FactTexts) {}

  add(facts: CompositionFacts): void {
    if (this.length === this.columns.units.length) this.grow();
    const { columns, texts } = this;
    const at = this.length++;
    const { amount, unitValue } = facts;
    columns.units[at] = amount.ok ? amount.units : NaN;
    columns.scale[at] = amount.ok ? amount.scale : 0;
    columns.unitValue[at] = unitValue.ok ? unitValue.units : NaN;
    columns.unitScale[at] = unitValue.ok ? unitValue.scale : 0;
    columns.content[at] = facts.content;
    columns.day[at] = facts.day;
    columns.totalCount[at] = facts.totalCount ?? 0;
    columns.position[at] = facts.position ?? 0;
    columns.group[at] = numberOf(texts.group, facts.group);
    columns.matchKey[at] = numberOf(texts.matchKey, facts.matchKey);
    columns.related[at] = numberOf(texts.related, facts.related);
  }

  get maxScale(): number {
    let scale = minAmountScale;
    for (let at = 0; at < this.length; at++)
      scale = Math.max(scale, this.columns.scale[at] as number, this.columns.unitScale[at] as number);
    return scale;
  }

  sideAt(amountScale: number, has: { keys: boolean; related: boolean }): CompositionSide {
    const { columns, length } = this;
    const own = <T extends Float64Array | Int32Array>(column: T): T => column.subarray(0, length) as T;
    const scaled = (units: Float64Array, scale: Uint8Array): Float64Array =>
      own(units).map((value, at) => unitsAt(value, scale[at] as number, amountScale));
    return {
      length,
      units: scaled(columns.units, columns.scale),
      unitValue: scaled(columns.unitValue, columns.unitScale),
      day: own(columns.day),
      group: own(columns.group),
      totalCount: own(columns.totalCount),
      position: own(columns.position),
      content: own(columns.content),
      ...(has.keys ? { matchKey: own(columns.matchKey) } : {}),
      ...(has.related ? { related: own(columns.related) } : {}),
    };
  }

  private grow(): void {
    const { columns } = this;
    for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
      const from = columns[name];
      const larger = new (from.constructor as new (length: number) => typeof from)(from.length * 2);
      larger.set(from);
      Object.assign(columns, { [name]: larger });
    }
  }
}

/** Collects the facts of many records to a pool. */
export class PoolBuilder {
  private readonly texts: FactTexts = { group: new Map(), matchKey: new Map(), related: new Map() };
  readonly left = new FactColumns(this.texts);
  readonly right = new FactColumns(this.texts);

  constructor(private readonly composition: Pick<CompiledComposition, 'isKeyed'>) {}

  /** Makes the pool, with the smallest scale that holds all amounts. */
  build(): CompositionPool {
    const { left, right, texts } = this;
    const amountScale = Math.max(left.maxScale, right.maxScale);
    const has = { keys: this.composition.isKeyed, related: texts.related.size > 0 };
    return {
      left: left.sideAt(amountScale, has),
      right: right.sideAt(amountScale, has),
      amountScale,
      groupNames: [...texts.group.keys()],
      related: [...texts.related.keys()],
    };
  }
}

function numberOf(texts: Map<string, number>, text: string | null): number {
  if (text === null) return -1;
  let number = texts.get(text);
  if (number === undefined) texts.set(text, (number = texts.size));
  return number;
}

function unitsAt(units: number, from: number, to: number): number {
  const scaled = Number.isNaN(units) ? null : rescale(units, from, to);
  return scaled === null || Math.abs(scaled) > maxComposedUnits ? NaN : scaled;
}
