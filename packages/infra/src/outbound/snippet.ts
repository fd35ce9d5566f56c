import type { Censor } from './censor';

const longestText = 4_096;

/** Base64 of so many bytes, with its prefix, is no longer than the text may be. */
const mostBinaryBytes = 3_000;

/** The beginning of a body for people to read: text as text, anything else as a data url. `cut`: the body itself goes on. */
export function snippetOf(body: Buffer, censor: Censor, cut = false): string | null {
  if (body.length === 0) return null;
  // Before it is cut, and byte by byte: what is left of a credential at the end, or inside other bytes, is one still.
  const harmless = censor(body.toString('latin1'), cut);
  if (harmless === null) return null;
  const censored = Buffer.from(harmless, 'latin1');
  const text = textOf(censored);
  return text === null
    ? `data:;base64,${censored.subarray(0, mostBinaryBytes).toString('base64')}`
    : withinBytes(text, longestText);
}

/** null when the bytes are no UTF-8 text that a database takes. The last character may be cut in two. */
function textOf(body: Buffer): string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const text = decoder.decode(body, { stream: true });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** As many whole characters as fit. */
function withinBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit ? text : new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
}
