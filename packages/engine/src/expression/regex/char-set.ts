const unitCount = 0x1_0000;
const wordCount = unitCount / 32;

/**
 * A set of UTF-16 code units, one bit each. Regular expressions without the flag `u` know nothing larger: a character
 * beyond the basic plane is two units to them.
 */
export class CharSet {
  private readonly bits = new Uint32Array(wordCount);

  static of(...ranges: readonly (readonly [from: number, to: number])[]): CharSet {
    const set = new CharSet();
    for (const [from, to] of ranges) set.add(from, to);
    return set;
  }

  static union(sets: readonly CharSet[]): CharSet {
    const union = new CharSet();
    for (const set of sets) for (let word = 0; word < wordCount; word++) union.bits[word]! |= set.bits[word]!;
    return union;
  }

  add(from: number, to: number): void {
    for (let unit = from; unit <= to; unit++) this.bits[unit >>> 5]! |= 1 << (unit & 31);
  }

  has(unit: number): boolean {
    return ((this.bits[unit >>> 5]! >>> (unit & 31)) & 1) === 1;
  }

  complement(): CharSet {
    const result = new CharSet();
    for (let word = 0; word < wordCount; word++) result.bits[word] = ~this.bits[word]!;
    return result;
  }

  isDisjointFrom(other: CharSet): boolean {
    return this.bits.every((word, index) => (word & other.bits[index]!) === 0);
  }

  /** Returns the unit of a set that has only one, else undefined. */
  single(): number | undefined {
    const filled = this.bits.findIndex((word) => word !== 0);
    if (filled === -1) return undefined;
    const word = this.bits[filled]!;
    if ((word & (word - 1)) !== 0 || this.bits.some((other, index) => other !== 0 && index !== filled))
      return undefined;
    return filled * 32 + 31 - Math.clz32(word);
  }

  /** All units that are a member's when case is ignored. */
  ignoringCase(): CharSet {
    const result = new CharSet();
    result.bits.set(this.bits);
    for (const group of caseGroups())
      if (group.some((unit) => this.has(unit))) for (const unit of group) result.add(unit, unit);
    return result;
  }
}

export const noUnits = CharSet.of();
export const digitUnits = CharSet.of([0x30, 0x39]);
export const wordUnits = CharSet.of([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]);
export const lineEndUnits = CharSet.of([0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]);
export const spaceUnits = CharSet.of(
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
);

let knownGroups: readonly (readonly number[])[] | undefined;

/** All units that count as the same when case is ignored, of those that have a counterpart in another case. */
function caseGroups(): readonly (readonly number[])[] {
  if (knownGroups !== undefined) return knownGroups;
  const byCanonical = new Map<number, number[]>();
  for (let unit = 0; unit < unitCount; unit++) {
    const canonical = canonicalUnit(unit);
    const group = byCanonical.get(canonical);
    if (group === undefined) byCanonical.set(canonical, [unit]);
    else group.push(unit);
  }
  knownGroups = [...byCanonical.values()].filter((group) => group.length > 1);
  return knownGroups;
}

/** Returns the unit used in comparisons that ignore case: ECMA-262, 22.2.2.7.3, without the flag `u`. */
function canonicalUnit(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const first = upper.charCodeAt(0);
  return upper.length !== 1 || (unit >= 128 && first < 128) ? unit : first;
}
