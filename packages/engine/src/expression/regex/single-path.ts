import type { CharSet } from './char-set';
import { isNullable } from './first';
import type { Pattern } from './pattern';

/** Larger patterns are not examined. */
const maxPositions = 400;
const maxPairSteps = 200_000;

/** The positions of a part at which reading it can begin and end. */
interface Ends {
  first: readonly number[];
  last: readonly number[];
}

const noEnds: Ends = { first: [], last: [] };

/**
 * Returns a bound of the steps that a backtracking matcher takes for each unit of a text, from one start position; for
 * a pattern in which no two ways that have read the same units have come to the same position. Each way then has its
 * own pair of a place in the text and a position, and the pairs are few. Returns undefined for other patterns.
 */
export function singlePathSteps(root: Pattern): number | undefined {
  const positions = new Positions();
  const ends = positions.add(root);
  return positions.isRefused || positions.hasPathsThatMeet(ends.first) ? undefined : positions.stepsPerUnit();
}

/** The automaton whose states are the sets of a pattern. Assertions only rule ways out, so they are left out. */
class Positions {
  isRefused = false;
  private readonly sets: CharSet[] = [];
  private readonly follows: Set<number>[] = [];
  private readonly common = new Map<CharSet, Map<CharSet, boolean>>();

  /** Adds the positions of a part. Where the empty text, or a step, has two ways, the pattern is refused. */
  add(pattern: Pattern): Ends {
    if (this.isRefused) return noEnds;
    switch (pattern.kind) {
      case 'set':
        return this.addSet(pattern.set);
      case 'assertion':
        return noEnds;
      case 'group':
        return this.add(pattern.body);
      case 'sequence':
        return this.addSequence(pattern.items);
      case 'choice': {
        if (pattern.options.filter(isNullable).length > 1) return this.refuse();
        const ends = pattern.options.map((option) => this.add(option));
        return { first: ends.flatMap(({ first }) => first), last: ends.flatMap(({ last }) => last) };
      }
      case 'repeat':
        return this.addRepeat(pattern);
      case 'look':
      case 'backReference':
        return this.refuse();
    }
  }

  /** Tells whether two ways that read the same units meet in one position, from a start at the given ones. */
  hasPathsThatMeet(start: readonly number[]): boolean {
    const count = this.sets.length;
    const seen = new Set<number>();
    const open: [number, number][] = [];
    let steps = 0;
    /** Takes a step on both ways; true if they meet. */
    const meet = (ones: Iterable<number>, others: Iterable<number>, isSame: boolean): boolean => {
      for (const one of ones)
        for (const other of others) {
          if (++steps > maxPairSteps) return true;
          if (isSame && one >= other) continue;
          if (!this.shareUnit(one, other)) continue;
          if (one === other) return true;
          const pair = Math.min(one, other) * count + Math.max(one, other);
          if (seen.has(pair)) continue;
          seen.add(pair);
          open.push([one, other]);
        }
      return false;
    };
    for (const next of [start, ...this.follows]) if (meet(next, next, true)) return true;
    for (let pair = open.pop(); pair !== undefined; pair = open.pop())
      if (meet(this.follows[pair[0]]!, this.follows[pair[1]]!, false)) return true;
    return false;
  }

  /** Each way reads one unit at its position and tries all that can follow. */
  stepsPerUnit(): number {
    return 2 * this.follows.reduce((total, { size }) => total + 1 + size, 1);
  }

  private refuse(): Ends {
    this.isRefused = true;
    return noEnds;
  }

  private addSet(set: CharSet): Ends {
    const position = this.sets.push(set) - 1;
    this.follows.push(new Set());
    if (position >= maxPositions) return this.refuse();
    return { first: [position], last: [position] };
  }

  private addSequence(items: readonly Pattern[]): Ends {
    let [first, last]: (readonly number[])[] = [[], []];
    let isEmpty = true;
    for (const item of items) {
      const ends = this.add(item);
      this.connect(last!, ends.first);
      if (isEmpty) first = [...first!, ...ends.first];
      last = isNullable(item) ? [...last!, ...ends.last] : ends.last;
      isEmpty &&= isNullable(item);
    }
    return { first: first!, last: last! };
  }

  private addRepeat({ body, min, max }: Extract<Pattern, { kind: 'repeat' }>): Ends {
    if (max === 0) return noEnds;
    if (isNullable(body)) return this.refuse();
    const copies: Ends[] = [];
    const count = max === Infinity ? Math.max(1, min) : max;
    for (let copy = 0; copy < count && !this.isRefused; copy++) {
      copies.push(this.add(body));
      if (copy > 0) this.connect(copies[copy - 1]!.last, copies[copy]!.first);
    }
    if (this.isRefused) return noEnds;
    if (max === Infinity) this.connect(copies.at(-1)!.last, copies.at(-1)!.first);
    return { first: copies[0]!.first, last: copies.slice(Math.max(0, min - 1)).flatMap(({ last }) => last) };
  }

  private connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from)
      for (const other of to) {
        if (this.follows[one]!.has(other)) this.refuse();
        this.follows[one]!.add(other);
      }
  }

  private shareUnit(one: number, other: number): boolean {
    const [a, b] = [this.sets[one]!, this.sets[other]!];
    let known = this.common.get(a);
    if (known === undefined) this.common.set(a, (known = new Map<CharSet, boolean>()));
    let shares = known.get(b);
    if (shares === undefined) known.set(b, (shares = !a.isDisjointFrom(b)));
    return shares;
  }
}
