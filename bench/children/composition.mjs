import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { requireFrom } from '../../tools/paths.mjs';
import { serveParent } from '../child.mjs';
import { seededRandom } from '../random.mjs';
import { records } from '../workload.mjs';

const requireEngine = requireFrom('packages/engine');
const { createSubsetSearch } = requireEngine('./dist/composition/search/subset-search.js');
const { nodeBudget: maxNodes } = requireEngine('./dist/composition/limits.js');
const { compileRuleSet, settle } = requireEngine('./dist/index.js');
const findSubset = createSubsetSearch();

/** A round lasts this long, and has one target at least. */
const minMs = 20;
/** Enumeration is measured where a target has no more subsets. */
const maxSubsets = 5_000_000;
const poolSize = 20_000;
const plantedMembers = 12;

let problems = [];

/** Amounts in cents and days of the workload's invoices. */
const pool = Array.from(records(poolSize), ({ left }) => ({
  amount: Math.round(left.amount * 100),
  day: Date.parse(left.date) / 86_400_000,
}));

function problemOf(rows, target, maxMembers) {
  const byDay = rows.toSorted((one, other) => one.day - other.day);
  return {
    target,
    minSum: target,
    maxSum: target,
    amounts: Float64Array.from(byDay, ({ amount }) => amount),
    days: Int32Array.from(byDay, ({ day }) => day),
    length: rows.length,
    minMembers: 2,
    maxMembers,
    uniformity: 0,
    maxNodes,
  };
}

/** Some rows of the pool and the sum of a few of them, or an amount about as large that need not be a sum. */
function randomProblem({ candidates, members, planted }, next) {
  const rows = Array.from({ length: candidates }, () => pool[Math.floor(next() * pool.length)]);
  const size = 2 + Math.floor(next() * (Math.min(members, plantedMembers) - 1));
  const sum = rows.slice(0, size).reduce((total, { amount }) => total + amount, 0);
  return problemOf(rows, planted ? sum : Math.round(sum * (0.7 + 0.6 * next())) + 1, members);
}

const hostile = {
  'even amounts, odd target': (next) => ({ amount: () => 2 * Math.round(5000 + next() * 5000), target: 80_001 }),
  'even amounts but one, odd target': (next) => ({
    amount: (i) => 2 * Math.round(5000 + next() * 5000) + (i === 0 ? 1 : 0),
    target: 80_001,
  }),
  'equal amounts': () => ({ amount: () => 5000, target: 32_501 }),
  'near-equal amounts, odd target': (next) => ({ amount: () => 10_000 + Math.floor(next() * 50) * 2, target: 60_151 }),
  'near-equal amounts, many hits': (next) => ({ amount: () => 10_000 + Math.floor(next() * 50), target: 60_150 }),
  'amounts up to 10^12 with cents': (next) => ({
    amount: () => 1 + Math.floor(next() * 1e14),
    target: 314_159_265_358_979,
  }),
};

function hostileProblem({ kind, candidates, members }, next) {
  const { amount, target } = hostile[kind](next);
  return problemOf(
    Array.from({ length: candidates }, (_, i) => ({ amount: amount(i), day: i % 60 })),
    target,
    members,
  );
}

/** Counts the subsets of 1 to `members` rows. */
function subsetsOf(candidates, members) {
  let ofSize = 1;
  let total = 0;
  for (let size = 1; size <= Math.min(members, candidates); size++) {
    ofSize *= (candidates - size + 1) / size;
    total += ofSize;
  }
  return total;
}

/** Tries every subset in turn. Returns the smallest number of members that hits the target; 0: none does. */
function enumerate({ target, amounts, length, minMembers, maxMembers }) {
  let fewest = 0;
  const extend = (from, members, sum) => {
    if (sum === target && members >= minMembers && (fewest === 0 || members < fewest)) fewest = members;
    if (members === maxMembers) return;
    for (let row = from; row < length; row++) extend(row + 1, members + 1, sum + amounts[row]);
  };
  extend(0, 0, 0);
  return fewest;
}

/** Targets a second; each round goes on where the last one ended. */
function createRound(run) {
  let at = 0;
  return () => {
    const startedAt = performance.now();
    for (let targets = 1; ; targets++) {
      run(problems[at]);
      at = (at + 1) % problems.length;
      const elapsedMs = performance.now() - startedAt;
      if (elapsedMs >= minMs) return { seconds: elapsedMs / 1000 / targets };
    }
  };
}

const membersPerTarget = 3;
const targetsPerCustomer = 10;
const daysOfYear = 365;

/** Payments of three invoices each, of customers with ten payments a year; without keys customers mix. */
function paymentsPool(targets, next) {
  const members = membersPerTarget * targets;
  const column = (length, of) => Float64Array.from({ length }, (_, row) => of(row));
  const side = (length, columns) => ({
    length,
    group: new Int32Array(length).fill(-1),
    totalCount: new Int32Array(length),
    position: new Int32Array(length),
    unitValue: new Float64Array(length).fill(Number.NaN),
    ...columns,
  });
  const days = Int32Array.from({ length: targets }, () => Math.floor(next() * daysOfYear));
  const units = column(members, () => 1_000 + Math.floor(next() * 1_000_000));
  const targetOf = (member) => Math.floor(member / membersPerTarget);
  const customerOf = (target) => Math.floor(target / targetsPerCustomer);
  const sum = (target) => [0, 1, 2].reduce((total, at) => total + units[membersPerTarget * target + at], 0);
  const keys = {
    left: Int32Array.from({ length: targets }, (_, row) => customerOf(row)),
    right: Int32Array.from({ length: members }, (_, row) => customerOf(targetOf(row))),
  };
  const sides = {
    left: side(targets, { units: column(targets, sum), day: days }),
    right: side(members, { units, day: Int32Array.from({ length: members }, (_, row) => days[targetOf(row)]) }),
  };
  return { keys, pool: { ...sides, amountScale: 2, groupNames: [] } };
}

/** Creates rounds over the payments, with and without match keys, which find the same first groups. */
function preparePayments(targets) {
  const { keys, pool } = paymentsPool(targets, seededRandom(7));
  const matchKeys = [{ left: 'customer', right: 'customer' }];
  const roundOf = (isKeyed) => {
    const composition = { enabled: true, dateStrategy: 'window', dateToleranceDays: 1, ...(isKeyed && { matchKeys }) };
    const params = { Tmatch: 1, Tpossible: 0.5, composition };
    const ruleSet = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', version: 1, params });
    const sides = isKeyed
      ? { left: { ...pool.left, matchKey: keys.left }, right: { ...pool.right, matchKey: keys.right } }
      : {};
    const composer = ruleSet.composition.open({ ...pool, ...sides });
    const taken = { left: new Uint8Array(targets), right: new Uint8Array(membersPerTarget * targets) };
    let at = 0;
    const propose = () => composer.propose('one_to_many', (at = (at + 7_919) % targets), taken);
    // The first proposal builds the index of the members.
    assert.notEqual(propose(), null);
    return () => {
      const startedAt = performance.now();
      for (let done = 1; ; done++) {
        propose();
        const elapsedMs = performance.now() - startedAt;
        if (elapsedMs >= minMs) return { seconds: elapsedMs / 1000 / done };
      }
    };
  };
  return { keyed: roundOf(true), plain: roundOf(false) };
}

/** Targets and members of a week around each: far more targets want a member than can have it. */
function denseRound(size) {
  const composition = { enabled: true, dateStrategy: 'window', dateToleranceDays: 3 };
  const params = { Tmatch: 0.9, Tpossible: 0.5, composition };
  const ruleSet = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', version: 1, params });
  const rows = [...records(size)];
  const side = (of) => ({
    length: size,
    units: Float64Array.from(rows, (row) => Math.round(row[of].amount * 100)),
    day: Int32Array.from(rows, (row) => Date.parse(row[of].date) / 86_400_000),
    group: new Int32Array(size).fill(-1),
    totalCount: new Int32Array(size),
    position: new Int32Array(size),
    unitValue: new Float64Array(size).fill(Number.NaN),
  });
  const composer = ruleSet.composition.open({
    left: side('left'),
    right: side('right'),
    amountScale: 2,
    groupNames: [],
  });
  return () => {
    const taken = { left: new Uint8Array(size), right: new Uint8Array(size) };
    const startedAt = performance.now();
    const proposals = [];
    for (let target = 0; target < size; target++) {
      const proposal = composer.propose('one_to_many', target, taken);
      if (proposal !== null) proposals.push(proposal);
    }
    const proposedAt = performance.now();
    const composites = settle(composer, proposals, taken).length;
    const endedAt = performance.now();
    return { proposing: (proposedAt - startedAt) / 1000, settling: (endedAt - proposedAt) / 1000, composites };
  };
}

let dense = null;
let product = null;
let reference = null;
let payments = null;

serveParent({
  kinds: () => Object.keys(hostile),
  maxNodes: () => maxNodes,
  /** Makes the problems of a line; where enumeration ends, both have to agree on the first of them. */
  prepare({ count, ...line }) {
    const next = seededRandom(line.candidates * 100 + line.members);
    problems = Array.from({ length: count }, () =>
      line.kind === undefined ? randomProblem(line, next) : hostileProblem(line, next),
    );
    product = createRound(findSubset);
    reference = createRound(enumerate);
    const isEnumerable = subsetsOf(line.candidates, line.members) <= maxSubsets;
    if (isEnumerable) assert.equal(findSubset(problems[0]).members?.length ?? 0, enumerate(problems[0]));
    return { isEnumerable };
  },
  /** Searches every problem once. */
  shares() {
    const results = problems.map(findSubset);
    const share = (test) => results.filter(test).length / results.length;
    return {
      nodes: results.reduce((sum, { nodes }) => sum + nodes, 0) / results.length,
      found: share(({ members }) => members !== null),
      ended: share(({ complete }) => !complete),
    };
  },
  preparePayments: ({ targets }) => void (payments = preparePayments(targets)),
  withKeys: () => payments.keyed(),
  withoutKeys: () => payments.plain(),
  prepareDense: ({ size }) => void (dense = denseRound(size)),
  dense: () => dense(),
  product: () => product(),
  enumeration: () => reference(),
});
