import fc from 'fast-check';
import { AmountClasses } from './amount-classes';
import { BestSets } from './best-sets';
import { BranchAndBound } from './branch-and-bound';
import { NodeBudget } from './types';
import { TwoLists } from './two-lists';
import type { SubsetProblem } from './types';

function searchers(problem: SubsetProblem): { best: BestSets; branches: BranchAndBound; lists: TwoLists } {
  const budget = new NodeBudget();
  budget.limit = Infinity;
  const classes = new AmountClasses();
  classes.load(problem);
  const best = new BestSets(classes, budget);
  best.load(problem);
  const lists = new TwoLists(classes, best, budget);
  lists.load(problem.maxMembers);
  return { best, branches: new BranchAndBound(classes, best, budget), lists };
}

/** With more than ten others, the order of the search decides which of them is first. */
function found({ delta, sum, size, spread, otherSets, members }: BestSets): unknown {
  return { delta, size, spread, otherSets, ...(otherSets < 10 && { sum, members }) };
}

const amount = fc.oneof(
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: -200, max: 900 }),
  fc.constantFrom(100, 250, 250, 990),
);
const problems = fc
  .record({
    rows: fc.array(fc.record({ amount, day: fc.integer({ min: 0, max: 9 }) }), { minLength: 1, maxLength: 22 }),
    target: fc.integer({ min: 1, max: 20_000 }),
    tolerance: fc.constantFrom(0, 3, 500),
    members: fc.integer({ min: 1, max: 12 }),
    ahead: fc.nat({ max: 5 }),
    minInside: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 2 }),
  })
  .map(({ rows, target, tolerance, members, ahead, minInside }): SubsetProblem => {
    rows.sort((one, other) => one.day - other.day);
    return {
      target,
      minSum: target - tolerance,
      maxSum: target + tolerance,
      minMembers: members,
      maxMembers: members + ahead,
      uniformity: 0,
      maxNodes: Infinity,
      // A sum further from the target needs more members inside.
      ...(minInside === null
        ? {}
        : {
            months: { slots: [0, 2, 5, 6, 9], toleranceDays: 1 },
            admits: (sum, _size, inside) => inside >= minInside + (Math.abs(sum - target) > 100 ? 1 : 0),
          }),
      amounts: Float64Array.from(rows, (row) => row.amount),
      days: Int32Array.from(rows, ({ day }) => day),
      length: rows.length,
    };
  });

test('two lists and branching find the same sets of each size', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const one = searchers(problem);
      const other = searchers(problem);
      for (let members = problem.minMembers; members <= Math.min(problem.maxMembers, problem.length); members++) {
        one.best.demandCloser();
        other.best.demandCloser();
        expect(one.lists.cost(members)).toBeLessThan(Infinity);
        one.lists.run(members);
        other.branches.run(members, 0);
        expect(found(one.best)).toEqual(found(other.best));
      }
    }),
    { numRuns: 400 },
  );
});

test('lists that would be too long cost more than any budget', () => {
  const amounts = Float64Array.from({ length: 200 }, (_, index) => 1000 + index);
  const { lists } = searchers({
    amounts,
    days: new Int32Array(200),
    length: 200,
    target: 8000,
    minSum: 8000,
    maxSum: 8000,
    minMembers: 8,
    maxMembers: 8,
    uniformity: 0,
    maxNodes: 1,
  });
  expect(lists.cost(8)).toBe(Infinity);
});
