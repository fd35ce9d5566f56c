import { CharSet, noUnits } from './char-set';
import { firstUnits, isNullable } from './first';
import type { Pattern } from './pattern';
import { singlePathSteps } from './single-path';

/** The bound `factor · n^degree` for a text of n units. */
export interface Bound {
  degree: number;
  factor: number;
}

interface Work {
  /** Ways through the pattern from one place that are given up only after more than the next unit has been read. */
  ways: Bound;
  /** Steps that trying them all takes. */
  steps: Bound;
}

interface Place {
  /** True inside a look-behind, which is matched from its end. */
  behind: boolean;
  /** The number of alternatives that may all be tried before one unit rules them out. */
  branches: number;
}

const oneStep: Bound = { degree: 0, factor: 1 };
const linearBound: Bound = { degree: 1, factor: 2 };
const unbounded: Bound = { degree: Infinity, factor: 1 };

/**
 * An upper bound of the steps that a backtracking matcher takes on a text of n units, for any start position. The
 * degree is infinite where the steps are, or might be, exponential.
 *
 * A repetition can split the text in several ways only if the match can continue at more than one place. When no unit
 * that begins the body can also begin the rest of the pattern, the match continues only where the repetition ends.
 */
export function backtrackingBound(root: Pattern): Bound {
  // Nothing follows the whole: the first way through is the match.
  const work = workOf(root, noUnits, { behind: false, branches: branchesIn(root) });
  const steps = work.steps.degree <= 1 ? work.steps : (singlePathBound(root) ?? work.steps);
  const start: Bound = { degree: 1, factor: 1 };
  return beginsAtTextStart(root) ? sum(steps, start) : product(steps, start);
}

function singlePathBound(root: Pattern): Bound | undefined {
  const factor = singlePathSteps(root);
  return factor === undefined ? undefined : { degree: 1, factor };
}

function workOf(pattern: Pattern, next: CharSet, at: Place): Work {
  switch (pattern.kind) {
    case 'set':
    case 'assertion':
      return { ways: oneStep, steps: oneStep };
    case 'backReference':
      return { ways: oneStep, steps: linearBound };
    case 'look':
      return {
        ways: oneStep,
        steps: sum(oneStep, workOf(pattern.body, noUnits, { ...at, behind: pattern.behind }).steps),
      };
    case 'group': {
      const { ways, steps } = workOf(pattern.body, next, at);
      return { ways, steps: sum(oneStep, steps) };
    }
    case 'sequence':
      return sequenceWork(pattern.items, next, at);
    case 'choice':
      return choiceWork(pattern.options, next, at);
    case 'repeat':
      return repeatWork(pattern, next, at);
  }
}

function sequenceWork(items: readonly Pattern[], next: CharSet, at: Place): Work {
  const follows: CharSet[] = [];
  items.reduceRight((after, item, index) => {
    follows[index] = after;
    return firstUnits(item, after);
  }, next);
  let total: Work = { ways: oneStep, steps: oneStep };
  items.forEach((item, index) => {
    const work = workOf(item, follows[index]!, at);
    total = { ways: product(total.ways, work.ways), steps: sum(total.steps, product(total.ways, work.steps)) };
  });
  // A look-behind tries the last item first: whatever the order, each way through all others meets each item.
  return at.behind ? { ways: total.ways, steps: product(total.ways, total.steps) } : total;
}

function choiceWork(options: readonly Pattern[], next: CharSet, at: Place): Work {
  const works = options.map((option) => workOf(option, next, at));
  const steps = works.reduce((total, work) => sum(total, work.steps), { degree: 0, factor: options.length });
  const ways = works.map((work) => work.ways);
  // At the end of the text there is no next unit to decide, so each option that reads nothing counts as a way.
  const exclusive =
    !at.behind &&
    options.filter(isNullable).length <= 1 &&
    areDisjoint(options.map((option) => firstUnits(option, next)));
  return { ways: ways.reduce(exclusive ? larger : sum), steps };
}

function repeatWork(pattern: Extract<Pattern, { kind: 'repeat' }>, next: CharSet, at: Place): Work {
  const { body, min, max } = pattern;
  if (max === 0) return { ways: oneStep, steps: oneStep };
  const first = firstUnits(body, next);
  const one = workOf(body, CharSet.union([first, next]), at);
  const each = sum(one.steps, { degree: 0, factor: at.branches });
  const endsInOnePlace = !at.behind && !isNullable(body) && first.isDisjointFrom(next);
  if (max === Infinity) {
    const single = one.ways.degree === 0 && one.ways.factor === 1;
    if (!single || isNullable(body)) return { ways: unbounded, steps: unbounded };
    const steps = sum(product(each, linearBound), { degree: 0, factor: min });
    return { ways: endsInOnePlace ? oneStep : linearBound, steps };
  }
  const maxWays = power(one.ways, max);
  return {
    ways: endsInOnePlace ? maxWays : product(maxWays, { degree: 0, factor: max - min + 1 }),
    steps: product(maxWays, product(each, { degree: 0, factor: max + 1 })),
  };
}

function areDisjoint(sets: readonly CharSet[]): boolean {
  let union = noUnits;
  return sets.every((set) => {
    const apart = set.isDisjointFrom(union);
    union = CharSet.union([union, set]);
    return apart;
  });
}

function branchesIn(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'sequence':
      return pattern.items.reduce((total, item) => total + branchesIn(item), 0);
    case 'choice':
      return pattern.options.reduce((total, option) => total + 1 + branchesIn(option), 0);
    case 'repeat':
      return 1 + branchesIn(pattern.body);
    case 'group':
    case 'look':
      return branchesIn(pattern.body);
    case 'set':
    case 'assertion':
    case 'backReference':
      return 0;
  }
}

function beginsAtTextStart(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'assertion':
      return pattern.is === 'textStart';
    case 'sequence':
      return pattern.items[0] !== undefined && beginsAtTextStart(pattern.items[0]);
    case 'choice':
      return pattern.options.every(beginsAtTextStart);
    case 'group':
      return beginsAtTextStart(pattern.body);
    case 'set':
    case 'repeat':
    case 'look':
    case 'backReference':
      return false;
  }
}

const product = (a: Bound, b: Bound): Bound => ({ degree: a.degree + b.degree, factor: a.factor * b.factor });

const sum = (a: Bound, b: Bound): Bound => ({ degree: Math.max(a.degree, b.degree), factor: a.factor + b.factor });

const larger = (a: Bound, b: Bound): Bound => ({
  degree: Math.max(a.degree, b.degree),
  factor: Math.max(a.factor, b.factor),
});

const power = (a: Bound, times: number): Bound => ({ degree: a.degree * times, factor: a.factor ** times });

/** Returns the maximum text length for which the bound stays within `steps`; -1 where there is none. */
export function maxLengthWithin(bound: Bound, steps: number): number {
  if (!Number.isFinite(bound.degree) || bound.factor > steps) return -1;
  if (bound.degree === 0) return Infinity;
  return Math.floor((steps / bound.factor) ** (1 / bound.degree)) - 1;
}
