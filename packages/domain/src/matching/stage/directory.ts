import { recordState as states, sortedOrder, type Side } from '@tieout/engine';
import { idBytes, writeId, type PoolClient } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';

/** The part of a snapshot's record in pairs; a local constant like the next one. */
export const recordState = states;

/** A local constant: in loops over records the export getter of its package would take most of the time. */
export const bytesPerId: number = idBytes;

const rowsPerBlock = 65_536;

/** The table of all records of a snapshot with their states, numbered by `seq` in the order of their ids. */
export function directoryTable(entryId: string): string {
  return `staging.d_${entryId.replace(/-/g, '')}`;
}

export const directoryColumns = `side smallint not null, first_seq int not null, row_count int not null,
  ids bytea not null, states bytea not null, primary key (side, first_seq)`;

/** 16 bytes of id and one value of `recordState` for each record of a side, in the order of seq. */
export interface RecordStates {
  ids: Uint8Array;
  states: Uint8Array;
}

export async function writeDirectory(
  client: PoolClient,
  entryId: string,
  side: Side,
  { ids, states }: RecordStates,
): Promise<void> {
  for (let from = 0; from < states.length; from += rowsPerBlock) {
    const block = states.subarray(from, from + rowsPerBlock);
    // An object, as in all statements on these tables: there is no use in preparing them.
    await client.query({
      text: `insert into ${directoryTable(entryId)} (side, first_seq, row_count, ids, states)
        values ($1, $2, $3, $4, $5)`,
      values: [
        sideNumber[side],
        from,
        block.length,
        asBuffer(ids.subarray(from * bytesPerId, (from + block.length) * bytesPerId)),
        asBuffer(block),
      ],
    });
  }
}

/** Returns a Buffer over the same memory; the driver takes bytes as a Buffer only. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The records of one side, 17 bytes each. */
export interface Directory {
  readonly length: number;
  /** 16 bytes a record, ascending. */
  readonly ids: Buffer;
  readonly states: Uint8Array;
  /** Returns the seq of the record whose id is the 16 bytes at `at`, or -1. */
  seqAt(bytes: Buffer, at: number): number;
  /** Returns the seq of the record with this id, or -1. */
  seqOf(id: string): number;
}

export async function readDirectory(client: PoolClient, entryId: string, side: Side): Promise<Directory> {
  const table = directoryTable(entryId);
  const { rows: totals } = await client.query<{ count: number }>({
    text: `select coalesce(sum(row_count), 0)::int as count from ${table} where side = $1`,
    values: [sideNumber[side]],
  });
  const count = totals[0]?.count ?? 0;
  const ids = Buffer.alloc(count * bytesPerId);
  const states = new Uint8Array(count);
  for (let seq = 0; seq < count;) {
    const { rows } = await client.query<{ ids: Buffer; states: Buffer }>({
      text: `select ids, states from ${table} where side = $1 and first_seq = $2`,
      values: [sideNumber[side], seq],
    });
    const block = rows[0];
    if (!block) throw new Error(`block ${seq} of the directory is missing`);
    ids.set(block.ids, seq * bytesPerId);
    states.set(block.states, seq);
    seq += block.states.length;
  }
  return directoryOf(ids, states);
}

export function directoryOf(ids: Buffer, states: Uint8Array): Directory {
  const wanted = Buffer.alloc(bytesPerId);
  return {
    length: states.length,
    ids,
    states,
    seqAt: (bytes, at) => findId(ids, states.length, bytes, at),
    seqOf: (id) => {
      writeId(wanted, 0, id);
      return findId(ids, states.length, wanted, 0);
    },
  };
}

/** Finds an id by binary search. Ids ascend as unsigned bytes, which is PostgreSQL's order of UUIDs. */
function findId(ids: Buffer, count: number, wanted: Buffer, at: number): number {
  const first = wanted.readUInt32BE(at);
  const second = wanted.readUInt32BE(at + 4);
  const third = wanted.readUInt32BE(at + 8);
  const fourth = wanted.readUInt32BE(at + 12);
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const id = middle * bytesPerId;
    const order =
      ids.readUInt32BE(id) - first ||
      ids.readUInt32BE(id + 4) - second ||
      ids.readUInt32BE(id + 8) - third ||
      ids.readUInt32BE(id + 12) - fourth;
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * Returns the indexes of the first `count` ids in ascending order; null when they ascend already, as ids usually do.
 */
export function orderOfIds(ids: Buffer, count: number): Uint32Array | null {
  let ascending = true;
  for (let i = 1; i < count && ascending; i++) ascending = compareIds(ids, i - 1, ids, i) <= 0;
  if (ascending) return null;
  const column = (word: number): Uint32Array => {
    const values = new Uint32Array(count);
    for (let i = 0; i < count; i++) values[i] = ids.readUInt32BE(i * bytesPerId + word * 4);
    return values;
  };
  return sortedOrder(count, [column(0), column(1), column(2), column(3)]);
}

/** Copies the ids at these indexes, in their order. */
export function gatherIds(ids: Uint8Array, indexes: Uint32Array): Uint8Array {
  const found = new Uint8Array(indexes.length * bytesPerId);
  for (let i = 0; i < indexes.length; i++) {
    const from = (indexes[i] as number) * bytesPerId;
    for (let k = 0; k < bytesPerId; k++) found[i * bytesPerId + k] = ids[from + k] as number;
  }
  return found;
}

/** Compares two ids as unsigned bytes: the result is negative, 0 or positive. */
export function compareIds(ids: Buffer, seq: number, others: Buffer, otherSeq: number): number {
  for (let word = 0; word < bytesPerId; word += 4) {
    const difference = ids.readUInt32BE(seq * bytesPerId + word) - others.readUInt32BE(otherSeq * bytesPerId + word);
    if (difference !== 0) return difference;
  }
  return 0;
}
