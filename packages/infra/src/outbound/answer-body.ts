import type { Readable } from 'node:stream';
import type { Censor } from './censor';
import type { BodyState } from './types';

/** Reads a body up to a limit; closes the connection when the body is longer. Never rejects. */
export async function readBody(
  stream: Readable,
  maxBytes: number,
  deadlineExpired: () => boolean,
): Promise<{ body: Buffer; bodyState: BodyState }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let bodyState: BodyState = 'complete';
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        bodyState = 'truncated';
        break;
      }
    }
  } catch {
    bodyState = deadlineExpired() ? 'deadline' : 'error';
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), bodyState };
}

const maxTextBytes = 4_096;

/** With its prefix, the base64 of this many bytes is no longer than the longest text. */
const maxBinaryBytes = 3_000;

/** Gives the beginning of a body for people to read: as text, or as a data url. `cut`: the body was cut off. */
export function snippetOf(body: Buffer, censor: Censor, cut = false): string | null {
  if (body.length === 0) return null;
  // Censored before it is cut, and byte by byte: the rest of a credential at the end, or among other bytes, is secret
  // too.
  const harmless = censor(body.toString('latin1'), cut);
  if (harmless === null) return null;
  const censored = Buffer.from(harmless, 'latin1');
  const text = textOf(censored);
  return text === null
    ? `data:;base64,${censored.subarray(0, maxBinaryBytes).toString('base64')}`
    : withinBytes(text, maxTextBytes);
}

/** Decodes UTF-8 that a database accepts, or gives null. The last character may be cut in two. */
function textOf(body: Buffer): string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const text = decoder.decode(body, { stream: true });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Cuts a text to whole characters within a number of bytes. */
function withinBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit ? text : new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
}
