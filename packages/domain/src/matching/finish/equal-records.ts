import { createHash } from 'node:crypto';
import { equalityTexts, recordKeys, type RecordClasses, type RuleSetParams, type Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import { parseValues, readBlock, type Block } from '../stage/block';
import { bytesPerId, type Directory } from '../stage/directory';
import type { Stage } from '../stage/staging';

/** The snapshot of a rule set, and the records of each side to compare, marked with 1. */
interface RecordsToCompare {
  blocksOf: (side: Side) => AsyncIterable<Block> | Iterable<Block>;
  params: RuleSetParams;
  isOneSide: boolean;
  directories: Record<Side, Directory>;
  wanted: Record<Side, Uint8Array>;
}

/** Reads the blocks of a side of an entry. */
export async function* entryBlocks(client: PoolClient, stage: Stage, side: Side): AsyncGenerator<Block, void, void> {
  for await (const { rows, bytes } of stage.read(client, { side: sideNumber[side], order: 'run' }))
    yield readBlock(bytes, rows);
}

/**
 * Classes the wanted records by what the rule set reads. Records of one dataset on both sides are equal where they are
 * equal as left and as right ones.
 */
export async function equalRecords(to: RecordsToCompare): Promise<Record<Side, RecordClasses>> {
  const { left, right } = { left: await classesOf(to, 'left'), right: await classesOf(to, 'right') };
  if (!to.isOneSide) return { left, right };
  const both = { same: joined(left.same, right.same), alike: joined(left.alike, right.alike) };
  return { left: both, right: both };
}

async function classesOf(
  { blocksOf, params, isOneSide, directories, wanted }: RecordsToCompare,
  side: Side,
): Promise<RecordClasses> {
  const directory = directories[side];
  const classes = { same: ownClasses(directory), alike: ownClasses(directory) };
  const firsts = { same: new Map<string, number>(), alike: new Map<string, number>() };
  const keys = recordKeys(params)[side];
  // A record of one dataset may be wanted on one side only, and is compared on both.
  const isWanted = (seq: number): boolean =>
    wanted[side][seq] === 1 || (isOneSide && (wanted.left[seq] === 1 || wanted.right[seq] === 1));
  for await (const block of blocksOf(side)) {
    const ids = Buffer.from(block.ids.buffer, block.ids.byteOffset, block.ids.byteLength);
    for (let row = 0; row < block.rows; row++) {
      const seq = directory.seqAt(ids, row * bytesPerId);
      if (seq === -1 || !isWanted(seq)) continue;
      // Parsed, because 4.5 and 4.50 are one number.
      const [value = {}] = parseValues(block, row, row + 1);
      const placed = {
        units: block.units[row] as number,
        scale: block.scale[row] as number,
        day: block.ownDay[row] as number,
      };
      const { same, alike } = equalityTexts(value, placed, keys);
      classes.same[seq] = firstOf(firsts.same, shortText(same), seq);
      classes.alike[seq] = firstOf(firsts.alike, shortText(alike), seq);
    }
  }
  return classes;
}

const ownClasses = ({ length }: Directory): Int32Array => Int32Array.from({ length }, (_, seq) => seq);

function joined(lefts: Int32Array, rights: Int32Array): Int32Array {
  const firsts = new Map<string, number>();
  return lefts.map((left, seq) => firstOf(firsts, `${left} ${rights[seq] as number}`, seq));
}

function firstOf(firsts: Map<string, number>, text: string, seq: number): number {
  const first = firsts.get(text);
  if (first === undefined) firsts.set(text, seq);
  return first ?? seq;
}

const maxPlainText = 64;

/** Returns a text, or the hash of a long one. */
const shortText = (text: string): string =>
  text.length <= maxPlainText ? text : createHash('sha256').update(text, 'utf16le').digest('base64');
