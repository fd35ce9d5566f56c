import { idBytes } from '@tieout/infra';

/** The best pair of an unmatched record without one of Tpossible. */
export interface StoredNearest {
  /** Position of the rule set in the job. */
  entry: number;
  partner: Uint8Array;
  score: number;
  /** Values of the matchers in `valueSteps` of the engine; null where they are not known. */
  values: Uint16Array | null;
}

/** Place in the block, position of the rule set, id, score, number of values. */
const headBytes = 2 + 2 + idBytes + 8 + 1;

/** Serialises the pairs of the records of a block by their places; null without any. */
export function nearestBytes(pairs: readonly (StoredNearest | undefined)[]): Buffer | null {
  const size = pairs.reduce((sum, pair) => sum + (pair ? headBytes + 2 * (pair.values?.length ?? 0) : 0), 0);
  if (size === 0) return null;
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const [place, pair] of pairs.entries()) {
    if (!pair) continue;
    at = bytes.writeUInt16LE(place, at);
    at = bytes.writeUInt16LE(pair.entry, at);
    bytes.set(pair.partner, at);
    at = bytes.writeDoubleLE(pair.score, at + idBytes);
    at = bytes.writeUInt8(pair.values?.length ?? 0, at);
    for (const value of pair.values ?? []) at = bytes.writeUInt16LE(value, at);
  }
  return bytes;
}

/** Reads what `nearestBytes` wrote of a block with this number of records. */
export function readNearest(bytes: Buffer | null, records: number): (StoredNearest | undefined)[] {
  const pairs = new Array<StoredNearest | undefined>(records).fill(undefined);
  for (let at = 0; bytes !== null && at < bytes.length;) {
    const values = at + headBytes;
    const count = bytes.readUInt8(values - 1);
    pairs[bytes.readUInt16LE(at)] = {
      entry: bytes.readUInt16LE(at + 2),
      partner: bytes.subarray(at + 4, at + 4 + idBytes),
      score: bytes.readDoubleLE(at + 4 + idBytes),
      values: count === 0 ? null : Uint16Array.from({ length: count }, (_, i) => bytes.readUInt16LE(values + 2 * i)),
    };
    at = values + 2 * count;
  }
  return pairs;
}
