import {
  type Composer,
  type CompositionSide,
  gather,
  maxAmountScale,
  minAmountScale,
  rescale,
  type Side,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { LRUCache } from 'lru-cache';
import type { ComposedRecords } from '../../results/composites';
import type { JobContext } from '../jobs/context';
import { asBuffer, bytesPerId, gatherIds, orderOfIds } from '../stage/directory';
import { emptyFacts, readFacts, type FactsBlock, type FactTexts } from '../stage/facts';
import type { KeptStages } from '../stage/kept-stages';
import { StageLostError, stageSides, type Stage, type StagedBytes } from '../stage/staging';
import type { Outset } from './outset';

/** The records, the composer and the outset that the batches of an entry share. */
interface OpenPool {
  records: ComposedRecords;
  composer: Composer;
  outset: Outset;
}

export interface CompositionContext extends JobContext {
  pools: PoolCache;
  stages: KeptStages;
}

/** Max records of the cached pools together; a single pool may have more while it is in use. */
const maxCachedRecords = 1_000_000;

/**
 * Caches the pools that the batches of this process used last: reading one takes longer than most batches, and the
 * batches of several jobs alternate.
 */
export class PoolCache {
  /** A pool above the limit weighs as much as the limit, so that it is kept alone while it is in use. */
  private readonly pools = new LRUCache<string, OpenPool>({
    maxSize: maxCachedRecords,
    sizeCalculation: (pool) => Math.max(1, Math.min(recordCount(pool), maxCachedRecords)),
  });

  /** @param key see `snapshotKey` */
  async get(key: string, open: () => Promise<OpenPool>): Promise<OpenPool> {
    const pool = this.pools.get(key) ?? (await open());
    this.pools.set(key, pool);
    return pool;
  }

  /** Evicts pools above the limit. */
  dropLarge(): void {
    for (const [key, pool] of this.pools.entries()) if (recordCount(pool) > maxCachedRecords) this.pools.delete(key);
  }

  recordsOf(key: string): ComposedRecords | undefined {
    return this.pools.get(key)?.records;
  }

  drop(key: string): void {
    this.pools.delete(key);
  }
}

function recordCount({ records: { pool } }: OpenPool): number {
  return pool.left.length + pool.right.length;
}

/** Blocks of facts, as `FactsBuffer` gives them. */
type FactBlocks = AsyncIterable<StagedBytes> | Iterable<{ rows: number; bytes: Uint8Array }>;

interface PoolSize {
  expected: Record<Side, number>;
  isKeyed: boolean;
}

/** Reads the pool of an entry from its stage. @throws StageLostError unless the stage holds the expected records */
export function readPool(client: PoolClient, stage: Stage, size: PoolSize): Promise<ComposedRecords> {
  const blocks = (side: Side): FactBlocks => stage.read(client, { side: stageSides.facts[side], order: 'run' });
  return poolOfFacts({ left: blocks('left'), right: blocks('right') }, size);
}

/**
 * Collects all records that may take part in composites of a rule set, some 60 bytes each, in the order of their ids.
 * The pool does not depend on the order of staging: amounts have the smallest scale (2..4) that holds all of them, and
 * groups are numbered in the order in which the left, then the right records name them.
 */
export async function poolOfFacts(
  blocks: Record<Side, FactBlocks>,
  { expected, isKeyed }: PoolSize,
): Promise<ComposedRecords> {
  const texts: PoolTexts = { names: new Map(), matchKeys: new Map(), related: new Map() };
  const left = await readSide(blocks.left, expected.left, texts);
  const right = await readSide(blocks.right, expected.right, texts);
  const amountScale = scaleOf(left, right);
  const numbered = (column: 'group' | 'matchKey' | 'related', of: keyof PoolTexts): string[] =>
    numberTexts([left[column], right[column]], [...texts[of].keys()]);
  const groupNames = numbered('group', 'names');
  const hasKeys = numbered('matchKey', 'matchKeys').length > 0 || isKeyed;
  const related = numbered('related', 'related');
  const sideOf = (facts: FactsBlock): CompositionSide => ({
    ...toScale(facts, amountScale),
    ...(hasKeys ? { matchKey: facts.matchKey } : {}),
    ...(related.length > 0 ? { related: facts.related } : {}),
  });
  return {
    ids: { left: asBuffer(left.ids), right: asBuffer(right.ids) },
    pool: {
      left: sideOf(left),
      right: sideOf(right),
      amountScale,
      groupNames,
      ...(related.length > 0 ? { related } : {}),
    },
  };
}

/** Numbers of the texts of all blocks, in the order of arrival. */
type PoolTexts = Record<keyof FactTexts, Map<string, number>>;

/** Reads the facts of a side and numbers their texts in the order of arrival. */
async function readSide(blocks: FactBlocks, expectedRows: number, texts: PoolTexts): Promise<FactsBlock> {
  const facts = emptyFacts(expectedRows);
  let length = 0;
  for await (const { rows, bytes } of blocks) {
    if (length + rows > expectedRows) throw new StageLostError();
    append(facts, length, readFacts(bytes, rows), texts);
    length += rows;
  }
  if (length !== expectedRows) throw new StageLostError();
  return sortedById(facts);
}

function append(
  to: FactsBlock,
  at: number,
  { block, texts: own }: ReturnType<typeof readFacts>,
  texts: PoolTexts,
): void {
  to.units.set(block.units, at);
  to.unitValue.set(block.unitValue, at);
  to.content.set(block.content, at);
  to.day.set(block.day, at);
  to.totalCount.set(block.totalCount, at);
  to.position.set(block.position, at);
  to.ids.set(block.ids, at * bytesPerId);
  to.scale.set(block.scale, at);
  to.unitScale.set(block.unitScale, at);
  for (const [column, name] of textColumns) {
    const codes = own[name].map((text) => {
      let code = texts[name].get(text);
      if (code === undefined) texts[name].set(text, (code = texts[name].size));
      return code;
    });
    for (let row = 0; row < block.rows; row++) to[column][at + row] = codes[block[column][row] as number] ?? -1;
  }
}

const textColumns = [
  ['group', 'names'],
  ['matchKey', 'matchKeys'],
  ['related', 'related'],
] as const;

function sortedById(facts: FactsBlock): FactsBlock {
  const { rows } = facts;
  const order = orderOfIds(asBuffer(facts.ids), rows);
  if (order === null) return facts;
  return {
    rows,
    units: gather(facts.units, order, new Float64Array(rows)),
    unitValue: gather(facts.unitValue, order, new Float64Array(rows)),
    content: gather(facts.content, order, new Float64Array(rows)),
    day: gather(facts.day, order, new Int32Array(rows)),
    totalCount: gather(facts.totalCount, order, new Int32Array(rows)),
    position: gather(facts.position, order, new Int32Array(rows)),
    group: gather(facts.group, order, new Int32Array(rows)),
    matchKey: gather(facts.matchKey, order, new Int32Array(rows)),
    related: gather(facts.related, order, new Int32Array(rows)),
    ids: gatherIds(facts.ids, order),
    scale: gather(facts.scale, order, new Uint8Array(rows)),
    unitScale: gather(facts.unitScale, order, new Uint8Array(rows)),
  };
}

function scaleOf(...sides: readonly FactsBlock[]): number {
  let scale = minAmountScale;
  for (const { rows, scale: own, unitScale } of sides) {
    for (let row = 0; row < rows; row++) scale = Math.max(scale, own[row] as number, unitScale[row] as number);
  }
  return Math.min(scale, maxAmountScale);
}

/** Replaces codes by numbers in the order of the rows, and returns the texts in that order. */
function numberTexts(columns: readonly Int32Array[], names: readonly string[]): string[] {
  const numbers = new Int32Array(names.length).fill(-1);
  const ordered: string[] = [];
  for (const group of columns) {
    for (let row = 0; row < group.length; row++) {
      const code = group[row] as number;
      if (code === -1) continue;
      if (numbers[code] === -1) {
        numbers[code] = ordered.length;
        ordered.push(names[code] as string);
      }
      group[row] = numbers[code] as number;
    }
  }
  return ordered;
}

function toScale(facts: FactsBlock, amountScale: number): CompositionSide {
  const { rows, day, group, totalCount, position, content } = facts;
  for (let row = 0; row < rows; row++) {
    facts.units[row] = unitsAt(facts.units[row] as number, facts.scale[row] as number, amountScale);
    const unitValue = unitsAt(facts.unitValue[row] as number, facts.unitScale[row] as number, amountScale);
    facts.unitValue[row] = Number.isFinite(unitValue) ? unitValue : NaN;
  }
  return { length: rows, units: facts.units, day, group, totalCount, position, unitValue: facts.unitValue, content };
}

/** Rescales an amount. The result is infinite where it is no safe integer, as for amounts too large to be read. */
function unitsAt(units: number, from: number, to: number): number {
  return Number.isFinite(units) ? (rescale(units, from, to) ?? Infinity) : units;
}
