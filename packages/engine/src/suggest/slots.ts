/** Words that stand after the first in many texts and exclude each other, such as ways of paying. */
export interface WordSlot {
  words: readonly string[];
  /** Number of first characters that tell the words of all slots apart: a text may be cut off inside a word. */
  prefix: number;
}

const minShare = 0.01;
const minWordLength = 3;
const maxVocabulary = 40;
const maxSlots = 4;
const maxCharacters = 200;

/** Finds the slots of short texts; words are compared with their case. */
export function findSlots(texts: readonly string[]): WordSlot[] {
  const rows = texts.map((text) =>
    text
      .slice(0, maxCharacters)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  );
  const counts = new Map<string, number>();
  const firsts = new Map<string, number>();
  for (const words of rows) {
    const [first = ''] = words;
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
    for (const word of new Set(words.slice(1))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const vocabulary = [...counts]
    .filter(
      ([word, count]) => count >= minShare * rows.length && word.length >= minWordLength && /^\p{L}+$/u.test(word),
    )
    .filter(([word, count]) => (firsts.get(word) ?? 0) < 0.05 * count)
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, maxVocabulary);
  const together = countTogether(rows, new Set(vocabulary.map(([word]) => word)));
  const groups: string[][] = [];
  for (const [word, count] of vocabulary) {
    const excludes = (other: string): boolean => {
      const expected = (count * (counts.get(other) as number)) / rows.length;
      return (together.get(pairKey(word, other)) ?? 0) < 0.05 * expected;
    };
    const group = groups.find((words) => words.every(excludes));
    if (group === undefined) groups.push([word]);
    else group.push(word);
  }
  const slots = groups.filter((words) => words.length > 1).slice(0, maxSlots);
  const prefix = distinguishingLength(slots.flat());
  return slots.map((words) => ({ words, prefix }));
}

function countTogether(rows: readonly string[][], vocabulary: ReadonlySet<string>): Map<string, number> {
  const together = new Map<string, number>();
  for (const words of rows) {
    const held = [...new Set(words.filter((word) => vocabulary.has(word)))];
    held.forEach((one, at) => {
      for (const other of held.slice(at + 1)) {
        const key = pairKey(one, other);
        together.set(key, (together.get(key) ?? 0) + 1);
      }
    });
  }
  return together;
}

const pairKey = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

function distinguishingLength(words: readonly string[]): number {
  for (let length = 1; ; length++) {
    const beginnings = new Set(words.map((word) => word.slice(0, length)));
    if (beginnings.size === words.length || length > 8) return Math.max(2, length);
  }
}

/** Returns a pattern of the words of a slot, whole or cut off after their distinguishing beginning. */
export function slotPattern({ words, prefix }: WordSlot): string {
  return words
    .map((word) => {
      const rest = [...word.slice(prefix)];
      return word.slice(0, prefix) + rest.map((letter) => `(?:${letter}`).join('') + ')?'.repeat(rest.length);
    })
    .join('|');
}
