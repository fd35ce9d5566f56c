import { createHash } from 'node:crypto';
import type { AmountReading, CompositionFacts, Side } from '@tieout/engine';
import { bytesPerId } from './directory';
import type { StagePlan } from './stage-plan';
import { stageSides } from './staging';

/**
 * The facts that composition needs of some records of one side, column by column, in the byte order of the machine.
 * Amounts keep the scale they were read with; `readPool` brings all of them to one scale.
 */
export interface FactsBlock {
  readonly rows: number;
  /** NaN without an amount, infinite where it is out of range. */
  readonly units: Float64Array;
  /** NaN without a unit value. */
  readonly unitValue: Float64Array;
  /** Hash of the other values that the rule set reads. */
  readonly content: Float64Array;
  /** `noDay` without one. */
  readonly day: Int32Array;
  /** 0 without a total count. */
  readonly totalCount: Int32Array;
  /** 0 without a position. */
  readonly position: Int32Array;
  /** The index in the names of the block; -1 without a group. */
  readonly group: Int32Array;
  /** The index in the match keys of the block; -1 without one. */
  readonly matchKey: Int32Array;
  /** The index in the related texts of the block; -1 without one. */
  readonly related: Int32Array;
  /** 16 bytes a row. */
  readonly ids: Uint8Array;
  readonly scale: Uint8Array;
  readonly unitScale: Uint8Array;
}

/** Texts that the rows of a block refer to. */
export interface FactTexts {
  names: string[];
  matchKeys: string[];
  related: string[];
}

const columnBytes = 8 + 8 + 8 + 4 + 4 + 4 + 4 + 4 + 4 + bytesPerId + 1 + 1;

/** Returns the columns inside `buffer`. */
function viewFacts(buffer: ArrayBuffer, rows: number): FactsBlock {
  let at = 0;
  const next = (bytes: number): number => {
    const from = at;
    at += bytes * rows;
    return from;
  };
  return {
    rows,
    units: new Float64Array(buffer, next(8), rows),
    unitValue: new Float64Array(buffer, next(8), rows),
    content: new Float64Array(buffer, next(8), rows),
    day: new Int32Array(buffer, next(4), rows),
    totalCount: new Int32Array(buffer, next(4), rows),
    position: new Int32Array(buffer, next(4), rows),
    group: new Int32Array(buffer, next(4), rows),
    matchKey: new Int32Array(buffer, next(4), rows),
    related: new Int32Array(buffer, next(4), rows),
    ids: new Uint8Array(buffer, next(bytesPerId), bytesPerId * rows),
    scale: new Uint8Array(buffer, next(1), rows),
    unitScale: new Uint8Array(buffer, next(1), rows),
  };
}

export function emptyFacts(rows: number): FactsBlock {
  return viewFacts(new ArrayBuffer(columnBytes * rows), rows);
}

/** Serialises the first `rows` rows: the columns, then their texts as JSON. */
export function factsBytes(block: FactsBlock, rows: number, texts: FactTexts): Uint8Array {
  const text = Buffer.from(JSON.stringify(texts));
  const bytes = new Uint8Array(columnBytes * rows + text.length);
  const to = viewFacts(bytes.buffer, rows);
  to.units.set(block.units.subarray(0, rows));
  to.unitValue.set(block.unitValue.subarray(0, rows));
  to.content.set(block.content.subarray(0, rows));
  to.day.set(block.day.subarray(0, rows));
  to.totalCount.set(block.totalCount.subarray(0, rows));
  to.position.set(block.position.subarray(0, rows));
  to.group.set(block.group.subarray(0, rows));
  to.matchKey.set(block.matchKey.subarray(0, rows));
  to.related.set(block.related.subarray(0, rows));
  to.ids.set(block.ids.subarray(0, rows * bytesPerId));
  to.scale.set(block.scale.subarray(0, rows));
  to.unitScale.set(block.unitScale.subarray(0, rows));
  bytes.set(text, columnBytes * rows);
  return bytes;
}

/** Reads a block from a copy of the bytes, which belong to the connection. */
export function readFacts(bytes: Uint8Array, rows: number): { block: FactsBlock; texts: FactTexts } {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  const texts = JSON.parse(Buffer.from(own.buffer, columnBytes * rows).toString('utf8')) as FactTexts;
  return { block: viewFacts(own.buffer, rows), texts };
}

/**
 * Max characters of a value that is the name of its group. Every batch holds the names of all groups, and V8 hashes
 * very long keys only by their length.
 */
export const maxPlainName = 256;
const shownCharacters = 200;

/** Names a group by its value, or by the beginning and a digest of a long value; such a name exceeds `maxPlainName`. */
export function groupName(text: string): string {
  if (text.length <= maxPlainName) return text;
  const digest = createHash('sha256').update(text, 'utf16le').digest('hex');
  const shown = text.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, '');
  // The copy through bytes does not retain the whole text.
  return `${Buffer.from(shown).toString()}… (${text.length} characters, SHA-256 ${digest})`;
}

/** Collects the facts of the records of one side and stages them in blocks, in the order of arrival. */
export class FactsBuffer {
  /** Records taken so far. */
  total = 0;
  private length = 0;
  private columns;
  private names = new Map<string, number>();
  private matchKeys = new Map<string, number>();
  private related = new Map<string, number>();
  private readonly full: { rows: number; bytes: Uint8Array }[] = [];
  private blocks = 0;

  constructor(
    private readonly side: Side,
    private readonly blockRows: number,
  ) {
    this.columns = emptyFacts(blockRows);
  }

  /** The id is the 16 bytes at `idAt`. */
  add(facts: CompositionFacts, ids: Uint8Array, idAt: number): void {
    const { columns, length } = this;
    const { amount, unitValue } = facts;
    columns.units[length] = unitsOf(amount);
    columns.scale[length] = amount.ok ? amount.scale : 0;
    columns.unitValue[length] = unitValue.ok ? unitValue.units : NaN;
    columns.unitScale[length] = unitValue.ok ? unitValue.scale : 0;
    columns.content[length] = facts.content;
    columns.day[length] = facts.day;
    columns.totalCount[length] = facts.totalCount ?? 0;
    columns.position[length] = facts.position ?? 0;
    columns.group[length] = facts.group === null ? -1 : indexIn(this.names, groupName(facts.group));
    columns.matchKey[length] = facts.matchKey === null ? -1 : indexIn(this.matchKeys, groupName(facts.matchKey));
    columns.related[length] = facts.related === null ? -1 : indexIn(this.related, facts.related);
    for (let i = 0; i < bytesPerId; i++) columns.ids[length * bytesPerId + i] = ids[idAt + i] as number;
    this.length++;
    this.total++;
    if (this.length === this.blockRows) this.endBlock();
  }

  /** Returns the full blocks, and at the end the last one. */
  takeBlocks(isEnd: boolean): { rows: number; bytes: Uint8Array }[] {
    if (isEnd && this.length > 0) this.endBlock();
    return this.full.splice(0);
  }

  /** Writes the full blocks, and at the end the last one. */
  async flush(stage: StagePlan, isEnd: boolean): Promise<void> {
    for (const { rows, bytes } of this.takeBlocks(isEnd))
      await stage.add({ side: stageSides.facts[this.side], run: 0, block: this.blocks++, rows, bytes });
  }

  private endBlock(): void {
    const texts = {
      names: [...this.names.keys()],
      matchKeys: [...this.matchKeys.keys()],
      related: [...this.related.keys()],
    };
    this.full.push({ rows: this.length, bytes: factsBytes(this.columns, this.length, texts) });
    this.length = 0;
    for (const map of [this.names, this.matchKeys, this.related]) map.clear();
  }
}

/** Returns the number of a text, which is new unless it is known. */
function indexIn(texts: Map<string, number>, text: string): number {
  let index = texts.get(text);
  if (index === undefined) texts.set(text, (index = texts.size));
  return index;
}

function unitsOf(amount: AmountReading): number {
  if (amount.ok) return amount.units;
  return amount.reason === 'out_of_range' ? Infinity : NaN;
}
