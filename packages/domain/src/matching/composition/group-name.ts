import { createHash } from 'node:crypto';

/** Characters of a value that is the name of its group. Every batch holds the names of all groups, and V8 tells apart very long keys by their length alone. */
export const LONGEST_PLAIN_NAME = 256;
const SHOWN = 200;

/** A longer value goes by its beginning and a digest, which is longer than any value that is a name itself. */
export function groupName(text: string): string {
  if (text.length <= LONGEST_PLAIN_NAME) return text;
  const digest = createHash('sha256').update(text, 'utf16le').digest('hex');
  const shown = text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '');
  // By way of bytes it holds no whole text.
  return `${Buffer.from(shown).toString()}… (${text.length} characters, SHA-256 ${digest})`;
}
