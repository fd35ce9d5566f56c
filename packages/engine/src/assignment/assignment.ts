import type { Side } from '../values/types';

/** A pair of the assignment. Small integers identify the records of each side; null where a difference is unknown. */
export interface RankedPair {
  left: number;
  right: number;
  score: number;
  days: number | null;
  gap: number | null;
}

/**
 * Reasons why a pair is no match: a record of it has a better pair, or an equal one, or both records have a match and
 * could be exchanged with each other's.
 */
export type Loss = 'conflict' | 'ambiguous' | 'exchangeable';

export interface OneToOneAssignment {
  /** Takes the next pair; pairs come best first. */
  push(pair: RankedPair): void;
  /** Decides on the last level. */
  end(): void;
  /** Returns why a pair is no match, or null for a match. Pairs may come in any order. */
  lossOf(pair: RankedPair): Loss | null;
  /** Number of records that are equal to one of a match, at least; 1 where both of its records are like no other. */
  choicesOf(pair: RankedPair): number;
  /** True if a tie left pairs ambiguous. */
  readonly hasTies: boolean;
}

export interface AssignmentOptions {
  records: Record<Side, number>;
  /**
   * For each record the first one that is equal to it in all that the rule set reads. Default: each is like no other.
   */
  classes?: Record<Side, Int32Array> | undefined;
  /** True if both sides are the same records. */
  isOneSide?: boolean | undefined;
  /** Pairs of equal records that must not be tied, because people rejected them. */
  isRejected?: ((left: number, right: number) => boolean) | undefined;
}

const none = -1;
const several = -2;
const valuesPerLevel = 3;

/**
 * Creates a one-to-one assignment over pairs that arrive best first: score descending, |days| and |gap| ascending
 * with null last.
 *
 * The tie rule: pairs of equal score, |days| and |gap| form one level and are decided together. Equal records form one
 * class, and ids never choose between classes. Among the pairs of a level whose records are both still free, classes
 * that meet only each other tie their records in order, and what is left over on one side stays free. All other pairs
 * of these are ambiguous, and their records take no part in lower levels. All other pairs of the level are in conflict.
 *
 * The assignment keeps some 30 bytes per record and no pairs: the outcome of a pair follows from the levels that took
 * its records and from their partners.
 */
export function createAssignment(options: AssignmentOptions): OneToOneAssignment {
  return new LevelAssignment(options);
}

class LevelAssignment implements OneToOneAssignment {
  hasTies = false;
  private readonly lefts: AssignedSide;
  private readonly rights: AssignedSide;
  /** Score, days and gap of each level that has taken a record. */
  private readonly ranks: number[] = [];
  private level = none;
  private last: RankedPair | null = null;
  private readonly isRejected: (left: number, right: number) => boolean;

  constructor({ records, classes, isOneSide = false, isRejected = () => false }: AssignmentOptions) {
    this.lefts = new AssignedSide(records.left, classes?.left);
    this.rights = isOneSide ? this.lefts : new AssignedSide(records.right, classes?.right);
    this.isRejected = isRejected;
  }

  push(pair: RankedPair): void {
    if (this.last === null || !sameLevel(this.last, pair)) this.end();
    this.last = pair;
    const { left, right } = pair;
    if (!this.lefts.isFree(left, this.level) || !this.rights.isFree(right, this.level)) return;
    if (this.level === none) {
      this.level = this.ranks.length / valuesPerLevel;
      this.ranks.push(pair.score, distance(pair.days), distance(pair.gap));
    }
    const [leftClass, rightClass] = [this.lefts.classOf(left), this.rights.classOf(right)];
    this.lefts.meet(left, rightClass, this.level);
    this.rights.meet(right, leftClass, this.level);
  }

  end(): void {
    if (this.level === none) return;
    const { lefts, rights } = this;
    for (const own of lefts.active) this.tieClass(own);
    lefts.clear();
    rights.clear();
    this.level = none;
    this.last = null;
  }

  lossOf({ left, right, score, days, gap }: RankedPair): Loss | null {
    const { lefts, rights, ranks } = this;
    if (lefts.partner[left] === right) return null;
    const level = lefts.level[left] as number;
    if (level === none || level !== rights.level[right]) return 'conflict';
    const at = level * valuesPerLevel;
    if (ranks[at] !== score || ranks[at + 1] !== distance(days) || ranks[at + 2] !== distance(gap)) return 'conflict';
    if (lefts.partner[left] === none && rights.partner[right] === none) return 'ambiguous';
    return this.meetsClass(left, right) ? 'exchangeable' : 'conflict';
  }

  choicesOf({ left, right }: RankedPair): number {
    return Math.max(this.lefts.choices[left] as number, this.rights.choices[right] as number);
  }

  /** Ties a class to the one that it meets, if both meet only each other. */
  private tieClass(leftClass: number): void {
    const { lefts, rights } = this;
    const rightClass = lefts.met[leftClass] as number;
    if (rightClass === several || rights.met[rightClass] !== leftClass) {
      this.hasTies = true;
      return;
    }
    // Two classes of one side meet twice.
    if (lefts === rights && rightClass < leftClass) return;
    const ones = lefts.recordsOf(leftClass);
    const others = lefts === rights && leftClass === rightClass ? ones : rights.recordsOf(rightClass);
    this.tie(ones, others);
    for (const one of ones) if (lefts.partner[one] === none) lefts.level[one] = none;
    for (const other of others) if (rights.partner[other] === none) rights.level[other] = none;
  }

  /** Ties the records of two classes, or of one class with itself, in order. */
  private tie(ones: readonly number[], others: readonly number[]): void {
    const { lefts, rights } = this;
    const choices = Math.max(ones.length, others.length);
    let first = 0;
    for (const one of ones) {
      if (lefts.partner[one] !== none) continue;
      while (first < others.length && rights.partner[others[first] as number] !== none) first++;
      const isOpen = (other: number): boolean =>
        !(other === one && lefts === rights) && rights.partner[other] === none && !this.isRejected(one, other);
      let at = first;
      while (at < others.length && !isOpen(others[at] as number)) at++;
      const other = others[at] ?? (ones === others ? undefined : this.exchanged(one, ones, others));
      if (other !== undefined) this.match(one, other, choices);
    }
  }

  /** Frees a record that this one may have by giving its partner a free one; undefined where that is not possible. */
  private exchanged(one: number, ones: readonly number[], others: readonly number[]): number | undefined {
    const { lefts, rights } = this;
    const free = others.filter((other) => rights.partner[other] === none);
    for (const earlier of free.length === 0 ? [] : ones) {
      const held = lefts.partner[earlier] as number;
      if (held === none || this.isRejected(one, held)) continue;
      const instead = free.find((other) => !this.isRejected(earlier, other));
      if (instead === undefined) continue;
      this.match(earlier, instead, lefts.choices[earlier] as number);
      return held;
    }
    return undefined;
  }

  private match(one: number, other: number, choices: number): void {
    const { lefts, rights } = this;
    lefts.partner[one] = other;
    rights.partner[other] = one;
    lefts.choices[one] = rights.choices[other] = choices;
  }

  /** Returns whether the partner of a left record is like this right one, and the reverse. */
  private meetsClass(left: number, right: number): boolean {
    const { lefts, rights } = this;
    const [other, one] = [lefts.partner[left] as number, rights.partner[right] as number];
    if (other === none || one === none) return false;
    return rights.classOf(other) === rights.classOf(right) && lefts.classOf(one) === lefts.classOf(left);
  }
}

class AssignedSide {
  /** Level that has taken each record. */
  readonly level: Int32Array;
  /** Other record of each record's match. */
  readonly partner: Int32Array;
  /** Records among which a match chose. */
  readonly choices: Int32Array;
  /** The one class of the other side that a class has met in the current level, `several`, or `none`. */
  readonly met: Int32Array;
  /** Classes of the current level. */
  readonly active: number[] = [];
  /** Records of each class in the current level: the last one, and the one before each. */
  private readonly lastOf: Int32Array;
  private readonly before: Int32Array;

  constructor(
    count: number,
    private readonly classes: Int32Array | undefined,
  ) {
    const column = (): Int32Array => new Int32Array(count).fill(none);
    this.level = column();
    this.partner = column();
    this.choices = new Int32Array(count).fill(1);
    this.met = column();
    this.lastOf = column();
    this.before = column();
  }

  classOf(record: number): number {
    return this.classes === undefined ? record : (this.classes[record] as number);
  }

  isFree(record: number, level: number): boolean {
    const own = this.level[record] as number;
    return own === none || own === level;
  }

  /** Notes that a record meets a class of the other side in this level. */
  meet(record: number, otherClass: number, level: number): void {
    const own = this.classOf(record);
    const met = this.met[own] as number;
    if (met === none) {
      this.met[own] = otherClass;
      this.active.push(own);
    } else if (met !== otherClass) this.met[own] = several;
    if (this.level[record] === level) return;
    this.level[record] = level;
    this.before[record] = this.lastOf[own] as number;
    this.lastOf[own] = record;
  }

  /** Returns the records of a class in the current level, in order. */
  recordsOf(ownClass: number): number[] {
    const records: number[] = [];
    for (let at = this.lastOf[ownClass] as number; at !== none; at = this.before[at] as number) records.push(at);
    return records.sort((one, other) => one - other);
  }

  clear(): void {
    for (const own of this.active) this.met[own] = this.lastOf[own] = none;
    this.active.length = 0;
  }
}

function sameLevel(one: RankedPair, other: RankedPair): boolean {
  return (
    one.score === other.score &&
    distance(one.days) === distance(other.days) &&
    distance(one.gap) === distance(other.gap)
  );
}

function distance(value: number | null): number {
  return value === null ? Infinity : Math.abs(value);
}
