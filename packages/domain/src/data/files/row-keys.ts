import { hash } from 'node:crypto';
import type { PoolClient } from '@tieout/infra';

/** Hexadecimal digits of a row key that say what a row holds; the others say which of the equal rows it is, from 0. */
const contentDigits = 24;
const placeDigits = 8;

/** Rows that a file repeats in other chunks are remembered up to so many, so that memory does not grow with the file. */
const maxRepeated = 20_000;

/** What a row holds, as a text that equal rows share. */
export const contentOf = (data: string): string => hash('sha256', data, 'hex').slice(0, contentDigits);

const rowKey = (content: string, place: number): string => content + place.toString(16).padStart(placeDigits, '0');
const contentOfKey = (key: string): string => key.slice(0, contentDigits);
const placeOfKey = (key: string): number => Number.parseInt(key.slice(contentDigits), 16);

/** Numbers the equal rows of one file as it is read. */
export class RowKeys {
  /** Of contents that earlier chunks had too: how many rows of the file so far. */
  private readonly repeated = new Map<string, number>();
  private readonly inChunk = new Map<string, number>();

  /** Of the rows of one chunk, one after the other; that chunks before had the same content, `numberAnew` finds out. */
  next(content: string): string {
    const place = this.inChunk.get(content) ?? this.repeated.get(content) ?? 0;
    this.inChunk.set(content, place + 1);
    return rowKey(content, place);
  }

  /** Goes on at the place that is free. */
  private skipTo(content: string, place: number): void {
    if (this.repeated.size >= maxRepeated) this.repeated.clear();
    this.repeated.set(content, place);
    this.inChunk.set(content, place);
  }

  /** To be called when the rows of a chunk are stored, or will never be. */
  endChunk(): void {
    for (const content of this.repeated.keys()) {
      const place = this.inChunk.get(content);
      if (place !== undefined) this.repeated.set(content, place);
    }
    this.inChunk.clear();
  }

  /** New keys for rows whose keys this file has used already, by the keys that they had. */
  async numberAnew(
    client: PoolClient,
    file: { datasetId: string; fileId: string },
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const lowest = new Map<string, string>();
    for (const key of keys) {
      const content = contentOfKey(key);
      const low = lowest.get(content);
      if (low === undefined || key < low) lowest.set(content, key);
    }
    for (const [content, low] of lowest) this.skipTo(content, await freePlace(client, file, low));
    return new Map([...keys].sort().map((key) => [key, this.next(contentOfKey(key))]));
  }
}

/** SQL over records `r` and files `f`: the file has stored the record in this reading. A record that it only had in one that failed is free. */
export const isOfFile = `r.file_id = f.id and r.updated_at >= f.started_at`;

/** From a key of the file on: the first place that is not its own, of another file or behind the last one. */
async function freePlace(
  client: PoolClient,
  { datasetId, fileId }: { datasetId: string; fileId: string },
  key: string,
): Promise<number> {
  const from = `records r cross join (select id, started_at from data_source_files where id = $2) f
    where r.dataset_id = $1 and r.row_key >= $3::uuid and r.row_key <= $4::uuid`;
  const high = rowKey(contentOfKey(key), 2 ** 31 - 1);
  const { rows } = await client.query<{ foreign: string | null; last: string | null }>(
    `select (select replace(r.row_key::text, '-', '') from ${from} and not (${isOfFile}) order by r.row_key limit 1) as foreign,
            (select replace(r.row_key::text, '-', '') from ${from} order by r.row_key desc limit 1) as last`,
    [datasetId, fileId, key, high],
  );
  const [row] = rows;
  if (typeof row?.foreign === 'string') return placeOfKey(row.foreign);
  return typeof row?.last === 'string' ? placeOfKey(row.last) + 1 : placeOfKey(key);
}
