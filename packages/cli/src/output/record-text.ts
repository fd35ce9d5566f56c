import { shownText } from './print';

/**
 * Shows the values of a record in one line. A column that a field of the same name reads is shown only as the field.
 */
export function recordText(record: Readonly<Record<string, unknown>>, maxLength = 60): string {
  const byName = new Map<string, unknown>();
  for (const [key, value] of Object.entries(record)) {
    const name = key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    byName.set(name === '' ? key : name, value);
  }
  const texts = Array.from(byName.values(), (value) => shownText(value)).filter((text) => text !== '');
  return shownText(texts.join(' '), maxLength);
}
