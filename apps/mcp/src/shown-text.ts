/**
 * Characters that a reader does not see, or that change what a reader sees: controls, marks of direction, tags, and
 * those that are ignored. A model reads them all the same.
 */
const unseen = /[^\P{C}\n\t]|\p{DI}|[\u2028\u2029]/gu;

/** Writes unseen characters out, as \u{200b}. */
const seen = (text: string): string =>
  text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Shows a text whole, or its beginning with a note of its length. */
export function shownText(text: string, maxLength = 1_000): string {
  if (text.length <= maxLength) return seen(text);
  return `${seen(text.slice(0, maxLength))} … [cut: ${text.length} characters]`;
}
