import type { MonthSummary, Proof } from '../../api/periods';
import { checksOf, type CheckName } from './checks';

const balance = { amount: 1, date: '2026-01-31' };
const proofOf = (unexplained: Proof['unexplained'], given = true): Proof =>
  ({ unexplained, balances: { left: given ? balance : null, right: balance } }) as Proof;

const doneOf = (proof: readonly Proof[], { unexplained = 0, unassigned = 0, stale = 0 } = {}): CheckName[] => {
  const side = { stale: { count: stale } };
  const summary = { proof, left: side, right: { stale: { count: 0 } } } as unknown as MonthSummary;
  return checksOf(summary, { unexplained, unassigned })
    .filter(({ isDone }) => isDone)
    .map(({ name }) => name);
};

test.each([
  ['all is done', [proofOf(0)], {}, ['balances', 'proved', 'explained', 'assigned', 'stale']],
  ['a large sum comes out', [proofOf('0')], {}, ['balances', 'proved', 'explained', 'assigned', 'stale']],
  ['a ten-thousandth is missing', [proofOf(0.0001)], {}, ['balances', 'explained', 'assigned', 'stale']],
  ['one currency has no balance', [proofOf(0), proofOf(null, false)], {}, ['explained', 'assigned', 'stale']],
  ['there is nothing to prove', [], {}, ['explained', 'assigned', 'stale']],
  ['items are open', [proofOf(0)], { unexplained: 1, unassigned: 2 }, ['balances', 'proved', 'stale']],
  ['a match is stale', [proofOf(0)], { stale: 1 }, ['balances', 'proved', 'explained', 'assigned']],
] as const)('when %s, the checklist says so', (_, proof, work, done) => {
  expect(doneOf(proof, work)).toEqual(done);
});
