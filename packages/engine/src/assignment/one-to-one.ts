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
 * Reasons why a pair is not a match: one of its records has a better pair or an equally good one, or both records have
 * a match and the matches could be swapped.
 */
export type Loss = 'conflict' | 'ambiguous' | 'exchangeable';

export interface OneToOneAssignment {
  /** Returns whether a pair of these records, pushed next, could still be a match: pushing others changes nothing. */
  isOpen(left: number, right: number): boolean;
  /** Takes the next pair. The caller passes pairs best first. */
  push(pair: RankedPair): void;
  /** Decides on the last level. */
  end(): void;
  /** Returns whether the pair of these records is a match. */
  isMatch(left: number, right: number): boolean;
  /** Returns why a pair is not a match, or null for a match. The order of calls does not matter. */
  lossOf(pair: RankedPair): Loss | null;
  /** Returns among how many equal records a match chose; 1 where each of its records is unique. */
  choicesOf(pair: RankedPair): number;
  /** True if a tie left pairs ambiguous. */
  readonly hasTies: boolean;
}

export interface AssignmentOptions {
  records: Record<Side, number>;
  /** Classes of equal records. Default: each is like no other. */
  classes?: Record<Side, RecordClasses> | undefined;
  /** True if both sides are the same records. */
  isOneSide?: boolean | undefined;
  /** Pairs that are not among the pushed ones because people rejected them. */
  rejected?: readonly RejectedPair[] | undefined;
}

/** For each record the first one that is equal to it. */
export interface RecordClasses {
  /** Equal in all that the rule set reads. */
  same: Int32Array;
  /** Equal but for the writing of amounts and dates: 4.5 and 4.50, or two hours of one day. */
  alike: Int32Array;
}

export interface RejectedPair {
  left: number;
  right: number;
}

const none = -1;
const several = -2;
const valuesPerLevel = 3;

/**
 * Creates a one-to-one assignment over pairs that arrive best first: score descending, |days| and |gap| ascending
 * with null last.
 *
 * The tie rule: pairs of equal score, |days| and |gap| form one level and are decided together. Equal records form one
 * class, and ids never choose between classes. A level considers only pairs whose records are both still free. Two
 * classes that pair only with each other, and completely (each record of one with each record of the other), assign
 * their records in order; surplus records of one side stay free. Records with similar content form classes first. Where
 * some of their pairs are missing, an expression distinguishes the records, and only identical ones form classes. All
 * other pairs of these records are ambiguous, and the records take no part in lower levels. All other pairs of the
 * level are in conflict.
 *
 * The assignment keeps some 50 bytes per record and no pairs: the outcome of a pair follows from the levels that took
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
  private readonly rejected: RejectedPairs;
  /** Kinds of classes in the order in which they tie. */
  private readonly kinds: readonly ClassKind[];

  constructor({ records, classes, isOneSide = false, rejected = [] }: AssignmentOptions) {
    this.lefts = new AssignedSide(records.left, classes?.left);
    this.rights = isOneSide ? this.lefts : new AssignedSide(records.right, classes?.right);
    this.rejected = new RejectedPairs(rejected, isOneSide);
    this.kinds = classes === undefined ? ['same'] : ['alike', 'same'];
  }

  isOpen(left: number, right: number): boolean {
    return this.lefts.isFree(left, this.level) && this.rights.isFree(right, this.level);
  }

  push(pair: RankedPair): void {
    if (this.last === null || !sameLevel(this.last, pair)) this.end();
    this.last = pair;
    const { left, right } = pair;
    if (!this.isOpen(left, right)) return;
    if (this.level === none) {
      this.level = this.ranks.length / valuesPerLevel;
      this.ranks.push(pair.score, distance(pair.days), distance(pair.gap));
    }
    for (const kind of this.kinds) {
      const [ones, others] = [this.lefts[kind], this.rights[kind]];
      const [leftClass, rightClass] = [ones.classOf(left), others.classOf(right)];
      ones.meet(left, rightClass, this.lefts.level[left] !== this.level);
      others.meet(right, leftClass, this.rights.level[right] !== this.level);
    }
    this.lefts.level[left] = this.rights.level[right] = this.level;
  }

  end(): void {
    if (this.level === none) return;
    const { lefts, rights } = this;
    for (const kind of this.kinds)
      for (const own of lefts[kind].active) if (!this.tieClass(kind, own) && kind === 'same') this.hasTies = true;
    lefts.clear();
    rights.clear();
    this.level = none;
    this.last = null;
  }

  isMatch(left: number, right: number): boolean {
    return this.lefts.partner[left] === right;
  }

  lossOf({ left, right, score, days, gap }: RankedPair): Loss | null {
    const { lefts, rights, ranks } = this;
    if (this.isMatch(left, right)) return null;
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

  /** Returns whether a left record of the level is neither tied nor left over. */
  private isUntied(one: number): boolean {
    return this.lefts.level[one] === this.level && this.lefts.partner[one] === none;
  }

  /**
   * Ties a class to the one that it meets, if both meet only each other and all their pairs are there. Returns false
   * where it leaves records ambiguous.
   */
  private tieClass(kind: ClassKind, leftClass: number): boolean {
    const { lefts, rights } = this;
    const ones = lefts[kind].recordsOf(leftClass);
    // Records that are alike may have been tied together.
    if (!ones.some((one) => this.isUntied(one))) return true;
    const rightClass = lefts[kind].met[leftClass] as number;
    if (rightClass === several || rights[kind].met[rightClass] !== leftClass) return false;
    // When both sides are the same records, each pair of classes comes up twice.
    if (lefts === rights && rightClass < leftClass) return true;
    const others = lefts === rights && leftClass === rightClass ? ones : rights[kind].recordsOf(rightClass);
    if (!this.isWhole(kind, leftClass, ones, others)) return false;
    this.tie(ones, others);
    for (const one of ones) if (lefts.partner[one] === none) lefts.level[one] = none;
    for (const other of others) if (rights.partner[other] === none) rights.level[other] = none;
    return true;
  }

  /** Returns whether each record of one class meets each of the other, rejected pairs included. */
  private isWhole(kind: ClassKind, leftClass: number, ones: readonly number[], others: readonly number[]): boolean {
    const wanted = ones.length * (ones === others ? ones.length - 1 : others.length);
    const missing = wanted - (this.lefts[kind].meetings[leftClass] as number);
    return missing === 0 || this.rejected.within(ones, others, missing);
  }

  /** Ties the records of two classes, or of one class with itself, in order. */
  private tie(ones: readonly number[], others: readonly number[]): void {
    const { lefts, rights, rejected } = this;
    const choices = Math.max(ones.length, others.length);
    let first = 0;
    for (const one of ones) {
      if (lefts.partner[one] !== none) continue;
      while (first < others.length && rights.partner[others[first] as number] !== none) first++;
      const isOpen = (other: number): boolean =>
        !(other === one && lefts === rights) && rights.partner[other] === none && !rejected.has(one, other);
      let at = first;
      while (at < others.length && !isOpen(others[at] as number)) at++;
      const other = others[at] ?? (ones === others ? undefined : this.exchanged(one, ones, others));
      if (other !== undefined) this.match(one, other, choices);
    }
  }

  /** Frees a record that this one may have by giving its partner a free one; undefined where that is not possible. */
  private exchanged(one: number, ones: readonly number[], others: readonly number[]): number | undefined {
    const { lefts, rights, rejected } = this;
    const free = others.filter((other) => rights.partner[other] === none);
    for (const earlier of free.length === 0 ? [] : ones) {
      const held = lefts.partner[earlier] as number;
      if (held === none || rejected.has(one, held)) continue;
      const instead = free.find((other) => !rejected.has(earlier, other));
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
    return (
      rights.alike.classOf(other) === rights.alike.classOf(right) &&
      lefts.alike.classOf(one) === lefts.alike.classOf(left)
    );
  }
}

type ClassKind = keyof RecordClasses;

class AssignedSide implements Record<ClassKind, LevelClasses> {
  /** Level that has taken each record. */
  readonly level: Int32Array;
  /** Other record of each record's match. */
  readonly partner: Int32Array;
  /** Records among which a match chose. */
  readonly choices: Int32Array;
  readonly alike: LevelClasses;
  readonly same: LevelClasses;

  constructor(count: number, classes: RecordClasses | undefined) {
    this.level = new Int32Array(count).fill(none);
    this.partner = new Int32Array(count).fill(none);
    this.choices = new Int32Array(count).fill(1);
    this.same = new LevelClasses(count, classes?.same);
    this.alike = classes === undefined ? this.same : new LevelClasses(count, classes.alike);
  }

  isFree(record: number, level: number): boolean {
    const own = this.level[record] as number;
    return own === none || own === level;
  }

  clear(): void {
    this.alike.clear();
    this.same.clear();
  }
}

/** The classes of one side that are paired with classes of the other side in the current level. */
class LevelClasses {
  /** The one class of the other side that a class has met, `several`, or `none`. */
  readonly met: Int32Array;
  /** Pairs of the records of a class. */
  readonly meetings: Float64Array;
  /** Classes of the level. */
  readonly active: number[] = [];
  /** Records of each class in the level: the last one, and the one before each. */
  private readonly lastOf: Int32Array;
  private readonly before: Int32Array;

  constructor(
    count: number,
    private readonly classes: Int32Array | undefined,
  ) {
    this.met = new Int32Array(count).fill(none);
    this.meetings = new Float64Array(count);
    this.lastOf = new Int32Array(count).fill(none);
    this.before = new Int32Array(count).fill(none);
  }

  classOf(record: number): number {
    return this.classes === undefined ? record : (this.classes[record] as number);
  }

  /** Notes that a record, which may be new in the level, meets a class of the other side. */
  meet(record: number, otherClass: number, isNew: boolean): void {
    const own = this.classOf(record);
    const met = this.met[own] as number;
    if (met === none) {
      this.met[own] = otherClass;
      this.active.push(own);
    } else if (met !== otherClass) this.met[own] = several;
    this.meetings[own] = (this.meetings[own] as number) + 1;
    if (!isNew) return;
    this.before[record] = this.lastOf[own] as number;
    this.lastOf[own] = record;
  }

  /** Returns the records of a class in the level, in order. */
  recordsOf(ownClass: number): number[] {
    const records: number[] = [];
    for (let at = this.lastOf[ownClass] as number; at !== none; at = this.before[at] as number) records.push(at);
    return records.sort((one, other) => one - other);
  }

  clear(): void {
    for (const own of this.active) {
      this.met[own] = this.lastOf[own] = none;
      this.meetings[own] = 0;
    }
    this.active.length = 0;
  }
}

/** Rejected pairs by their left records. */
class RejectedPairs {
  private readonly rightsOf = new Map<number, Set<number>>();
  private count = 0;

  constructor(pairs: readonly RejectedPair[], isOneSide: boolean) {
    for (const { left, right } of pairs) {
      this.add(left, right);
      if (isOneSide) this.add(right, left);
    }
  }

  has(left: number, right: number): boolean {
    return this.rightsOf.get(left)?.has(right) === true;
  }

  /** Returns whether there are this number of rejected pairs between the records. */
  within(lefts: readonly number[], rights: readonly number[], wanted: number): boolean {
    if (wanted > this.count) return false;
    const among = new Set(rights);
    let found = 0;
    for (const left of lefts) for (const right of this.rightsOf.get(left) ?? []) if (among.has(right)) found++;
    return found === wanted;
  }

  private add(left: number, right: number): void {
    const rights = this.rightsOf.get(left) ?? new Set();
    this.rightsOf.set(left, rights.add(right));
    this.count++;
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
