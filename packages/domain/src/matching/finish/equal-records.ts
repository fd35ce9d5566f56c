import { createHash } from 'node:crypto';
import type { Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import { readBlock, type Block } from '../stage/block';
import { bytesPerId, type Directory } from '../stage/directory';
import { stageBlocks } from '../stage/staging';

/** The snapshot of an entry, and the records of each side to compare, marked with 1. */
interface RecordsToCompare {
  client: PoolClient;
  entryId: string;
  directories: Record<Side, Directory>;
  wanted: Record<Side, Uint8Array>;
  isOneSide: boolean;
}

/**
 * Returns for each record the first wanted one with the same values, which are all that the rule set reads. Records of
 * one dataset on both sides are equal where they are equal as left and as right ones.
 */
export async function equalRecords({
  client,
  entryId,
  directories,
  wanted,
  isOneSide,
}: RecordsToCompare): Promise<Record<Side, Int32Array>> {
  const classes = { left: ownClasses(directories.left), right: ownClasses(directories.right) };
  // A record of one dataset may be wanted on one side only, and is compared on both.
  const isWanted = (side: Side, seq: number): boolean =>
    wanted[side][seq] === 1 || (isOneSide && (wanted.left[seq] === 1 || wanted.right[seq] === 1));
  for (const side of ['left', 'right'] as const) {
    const firsts = new Map<string, number>();
    for await (const { rows, bytes } of stageBlocks(
      client,
      entryId,
      `side = ${sideNumber[side]} order by run, block`,
    )) {
      const block = readBlock(bytes, rows);
      const ids = Buffer.from(block.ids.buffer, block.ids.byteOffset, block.ids.byteLength);
      for (let row = 0; row < rows; row++) {
        const seq = directories[side].seqAt(ids, row * bytesPerId);
        if (seq !== -1 && isWanted(side, seq)) classes[side][seq] = firstOf(firsts, contentOf(block, row), seq);
      }
    }
  }
  if (!isOneSide) return classes;
  const firsts = new Map<string, number>();
  const both = classes.left.map((left, seq) => firstOf(firsts, `${left} ${classes.right[seq] as number}`, seq));
  return { left: both, right: both };
}

const ownClasses = ({ length }: Directory): Int32Array => Int32Array.from({ length }, (_, seq) => seq);

function firstOf<K>(firsts: Map<K, number>, key: K, seq: number): number {
  const first = firsts.get(key);
  if (first === undefined) firsts.set(key, seq);
  return first ?? seq;
}

const maxPlainContent = 64;

/** Returns the values of a row as a short text: parsed, because 4.5 and 4.50 are one number. */
function contentOf({ values, start }: Block, row: number): string {
  const text = values.toString('utf8', start[row], (start[row + 1] as number) - 1);
  const content = JSON.stringify(JSON.parse(text));
  if (content.length <= maxPlainContent) return content;
  return createHash('sha256').update(content, 'utf16le').digest('base64');
}
