const longestText = 4_096;

/** Base64 of so many bytes, with its prefix, is no longer than the text may be. */
const mostBinaryBytes = 3_000;

/**
 * The beginning of a body for people to read: text as text, anything else as a data url. A receiver that sends the
 * request's credential back does not bring it into the log of attempts.
 */
export function snippetOf(body: Buffer, secrets: readonly string[]): string | null {
  if (body.length === 0) return null;
  const text = textOf(body);
  if (text === null) return `data:;base64,${body.subarray(0, mostBinaryBytes).toString('base64')}`;
  return withinBytes(censor(text, secrets), longestText);
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

function censor(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return spellings.reduce((censored, secret) => censored.replaceAll(secret, '[redacted]'), text);
}

/** As many whole characters as fit. */
function withinBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit ? text : new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
}
