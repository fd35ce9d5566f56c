import type { Readable } from 'node:stream';
import type { BodyState } from './types';

/** Reads a body up to a limit. Leaving the loop early closes the connection. Never rejects: the status line has decided. */
export async function readBody(
  stream: Readable,
  mostBytes: number,
  deadlineExpired: () => boolean,
): Promise<{ body: Buffer; bodyState: BodyState }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let bodyState: BodyState = 'complete';
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) {
        bodyState = 'truncated';
        break;
      }
    }
  } catch {
    bodyState = deadlineExpired() ? 'deadline' : 'error';
  }
  return { body: Buffer.concat(chunks).subarray(0, mostBytes), bodyState };
}
