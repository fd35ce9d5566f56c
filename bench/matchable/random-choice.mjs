/** A deterministic source of choices. */
export class Choices {
  constructor(seed) {
    this.state = seed >>> 0 || 1;
  }

  /** Returns a number from 0 to 1, without 1. */
  next() {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    let mixed = this.state ^ (this.state >>> 15);
    mixed = Math.imul(mixed, 0x2c1b3c6d);
    mixed ^= mixed >>> 12;
    return (mixed >>> 0) / 2 ** 32;
  }

  below(count) {
    return Math.floor(this.next() * count);
  }

  chance(share) {
    return this.next() < share;
  }

  of(items) {
    return items[this.below(items.length)];
  }

  /** Returns an item, of which the first ones are much more frequent. */
  skewed(items) {
    return items[Math.floor(this.next() ** 2 * items.length)];
  }

  shuffle(items) {
    for (let at = items.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [items[at], items[other]] = [items[other], items[at]];
    }
    return items;
  }

  /** Returns a word of syllables. */
  word(syllables) {
    const consonants = 'bcdfghklmnprstvw';
    const vowels = 'aeiou';
    let word = '';
    for (let at = 0; at < syllables; at++)
      word += this.of(consonants) + this.of(vowels) + (this.chance(0.3) ? this.of('nrslt') : '');
    return word;
  }

  words(count, syllables) {
    const words = new Set();
    while (words.size < count) words.add(this.word(syllables + this.below(2)));
    return [...words];
  }

  /** Returns a text with a typing error. */
  typo(text) {
    if (text.length < 2) return text;
    const at = this.below(text.length - 1);
    const letter = /\d/.test(text[at]) ? String(this.below(10)) : this.of('abcdefghijklmnopqrstuvwxyz');
    const kind = this.below(4);
    if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
    if (kind === 1) return text.slice(0, at) + letter + text.slice(at);
    if (kind === 2) return text.slice(0, at) + letter + text.slice(at + 1);
    return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  }
}

export const dayText = (day) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Returns both sides in random order, without the partners of some records, and the pairs that are left. */
export function sidesOf(choices, pairs, alone) {
  const left = [];
  const right = [];
  const truth = [];
  pairs.forEach(([one, other], at) => {
    const only = choices.next();
    const ids = [`L${at}`, `R${at}`];
    if (only >= alone / 2) left.push({ externalId: ids[0], body: one });
    if (only < alone / 2 || only >= alone) right.push({ externalId: ids[1], body: other });
    if (only >= alone) truth.push(ids);
  });
  return { left: choices.shuffle(left), right: choices.shuffle(right), truth };
}
