import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

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
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const special = /[\\\n\t\r]/;
const specials = /[\\\n\t\r]/g;

/** A value for COPY's text format. */
function copyField(value: string | number | bigint | boolean | null): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return special.test(value) ? value.replace(specials, (c) => escapes[c] as string) : value;
}

const flushLength = 1 << 18;

export interface CopyWriter {
  /** Adds a row; resolves once the connection can take more. */
  write(row: readonly (string | number | bigint | boolean | null)[]): Promise<void> | void;
  /** Resolves when the server has taken all rows. */
  end(): Promise<void>;
}

/** Writes rows with `copy <target> from stdin`. The client must not be used for anything else until `end`. */
export function copyIn(client: PoolClient, target: string): CopyWriter {
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  let failure: Error | undefined;
  stream.on('error', (error: Error) => (failure = error));
  let buffer = '';
  const flush = async (): Promise<void> => {
    if (failure) throw failure;
    const chunk = buffer;
    buffer = '';
    if (!stream.write(chunk)) await once(stream, 'drain');
  };
  return {
    write: (row) => {
      for (let i = 0; i < row.length; i++) {
        buffer += (i === 0 ? '' : '\t') + copyField(row[i] as string | number | bigint | boolean | null);
      }
      buffer += '\n';
      return buffer.length < flushLength ? undefined : flush();
    },
    end: async () => {
      if (failure) throw failure;
      const finished = once(stream, 'finish');
      stream.end(buffer);
      await finished;
    },
  };
}
