import { hash } from 'node:crypto';
import type { PoolClient } from '@tieout/infra';

/** A row key has hexadecimal digits of the content's hash, then of the index among equal rows, from 0. */
const contentDigits = 24;
const indexDigits = 8;

/** Max contents remembered over chunks, which bounds the memory of a large file. */
const maxRepeated = 20_000;

/** Hash of a row's data, which equal rows share. */
export const contentOf = (data: string): string => hash('sha256', data, 'hex').slice(0, contentDigits);

const rowKey = (content: string, index: number): string => content + index.toString(16).padStart(indexDigits, '0');
const contentOfKey = (key: string): string => key.slice(0, contentDigits);
const indexOfKey = (key: string): number => Number.parseInt(key.slice(contentDigits), 16);

/** Numbers the equal rows of a file while it is read. */
export class RowKeys {
  /** Number of rows so far with each content that earlier chunks also had. */
  private readonly repeated = new Map<string, number>();
  private readonly inChunk = new Map<string, number>();

  /** Returns the key of the next row of a chunk. `renumber` corrects keys that earlier chunks have used. */
  next(content: string): string {
    const index = this.inChunk.get(content) ?? this.repeated.get(content) ?? 0;
    this.inChunk.set(content, index + 1);
    return rowKey(content, index);
  }

  /** Continues at a free index. */
  private skipTo(content: string, index: number): void {
    if (this.repeated.size >= maxRepeated) this.repeated.clear();
    this.repeated.set(content, index);
    this.inChunk.set(content, index);
  }

  /** Ends a chunk, when its rows are stored or will never be. */
  endChunk(): void {
    for (const content of this.repeated.keys()) {
      const index = this.inChunk.get(content);
      if (index !== undefined) this.repeated.set(content, index);
    }
    this.inChunk.clear();
  }

  /** Returns new keys for rows whose keys this file has already used, by their old keys. */
  async renumber(
    client: PoolClient,
    file: { datasetId: string; fileId: string },
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const minKeys = new Map<string, string>();
    for (const key of keys) {
      const content = contentOfKey(key);
      const min = minKeys.get(content);
      if (min === undefined || key < min) minKeys.set(content, key);
    }
    for (const [content, min] of minKeys) this.skipTo(content, await freeIndex(client, file, min));
    return new Map([...keys].sort().map((key) => [key, this.next(contentOfKey(key))]));
  }
}

/**
 * SQL over records `r` and files `f`: the file has stored the record in this run, not only in an earlier failed one.
 */
export const isOfFile = `r.file_id = f.id and r.updated_at >= f.started_at`;

/** Returns the first index from a key on that the file has not used: one of another file, or the one after the last. */
async function freeIndex(
  client: PoolClient,
  { datasetId, fileId }: { datasetId: string; fileId: string },
  key: string,
): Promise<number> {
  const from = `records r cross join (select id, started_at from data_source_files where id = $2) f
    where r.dataset_id = $1 and r.row_key >= $3::uuid and r.row_key <= $4::uuid`;
  const high = rowKey(contentOfKey(key), 2 ** 31 - 1);
  const { rows } = await client.query<{ foreign: string | null; last: string | null }>(
    `select (select replace(r.row_key::text, '-', '') from ${from} and not (${isOfFile})
              order by r.row_key limit 1) as foreign,
            (select replace(r.row_key::text, '-', '') from ${from} order by r.row_key desc limit 1) as last`,
    [datasetId, fileId, key, high],
  );
  const [row] = rows;
  if (typeof row?.foreign === 'string') return indexOfKey(row.foreign);
  return typeof row?.last === 'string' ? indexOfKey(row.last) + 1 : indexOfKey(key);
}
