import { createHash } from 'node:crypto';

/** Characters of a group's name. Every batch holds the names of all groups, and V8 tells apart very long keys by their length alone. */
export const LONGEST_GROUP_NAME = 256;
const SHOWN = 160;

/** A longer text is named by its beginning and a digest. */
export function groupName(text: string): string {
  if (text.length <= LONGEST_GROUP_NAME) return text;
  const digest = createHash('sha256').update(text, 'utf16le').digest('hex');
  // By way of bytes the beginning holds no whole text, and no half of a character.
  const shown = Buffer.from(text.slice(0, SHOWN)).toString();
  return `${shown}… (${text.length} characters, SHA-256 ${digest})`;
}
