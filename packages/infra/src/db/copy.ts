import type { PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** One row of COPY's text format: null for SQL null, jsonb and everything else as text. */
export type CopyRow = (string | null)[];

const LF = 10;

/**
 * Streams `copy (…) to stdout` in groups of rows, at the pace of the consumer: what is in memory
 * is one network chunk. The client must not be used for anything else until the iteration ends.
 */
export async function* copyOut(client: PoolClient, query: string): AsyncGenerator<CopyRow[], void, void> {
  const stream = client.query(copyTo(`copy (${query}) to stdout`));
  let rest: Buffer = Buffer.alloc(0);
  let complete = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = buffer.lastIndexOf(LF);
      if (end === -1) {
        rest = buffer;
        continue;
      }
      // Inside a value a line feed is escaped: a raw one always ends a row.
      const lines = buffer.toString('utf8', 0, end).split('\n');
      rest = Buffer.from(buffer.subarray(end + 1));
      yield lines.map(decodeRow);
    }
    complete = true;
  } finally {
    // Leaving early would leave the connection in the middle of a COPY.
    if (!complete) stream.destroy();
  }
}

function decodeRow(line: string): CopyRow {
  const columns: CopyRow = line.split('\t');
  for (let i = 0; i < columns.length; i++) {
    const text = columns[i] as string;
    if (text === '\\N') columns[i] = null;
    else if (text.includes('\\')) columns[i] = text.replace(/\\(.)/gs, (_, c: string) => unescapes[c] ?? c);
  }
  return columns;
}

const unescapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
