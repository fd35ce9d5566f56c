import type { ProposalAnswer } from '../../api/proposals';
import { addToChoice, emptyChoice } from './bulk';

const record = (id: string, side: string, amount: string, currency: string | null = 'EUR') => ({
  record_id: id,
  side,
  currency,
  remaining_amount: amount,
});
const proposal = (id: string, ...records: object[]): ProposalAnswer =>
  ({ id, kind: records.length > 2 ? 'composite' : 'pair', records }) as unknown as ProposalAnswer;

test('the best of several proposals that share a record is chosen, on whatever page it is', () => {
  const [choice, taken] = [emptyChoice(), new Set<string>()];
  addToChoice(choice, taken, [proposal('a', record('l1', 'left', '10'), record('r1', 'right', '10'))]);
  addToChoice(choice, taken, [
    proposal('b', record('l1', 'left', '10'), record('r2', 'right', '10')),
    proposal('c', record('l2', 'left', '5'), record('r2', 'right', '5')),
  ]);
  expect(choice.chosen.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(choice.rivals.map(({ id }) => id)).toEqual(['b']);
  expect(choice.sums).toEqual(new Map([['EUR', 150_000n]]));
});

test('a group counts with all records of its left side, each currency by itself', () => {
  const [choice, taken] = [emptyChoice(), new Set<string>()];
  addToChoice(choice, taken, [
    proposal('a', record('r1', 'right', '3'), record('l1', 'left', '1.10'), record('l2', 'left', '1.90')),
    proposal('b', record('l3', 'left', '7', null), record('r3', 'right', '7')),
  ]);
  expect(choice.chosen).toEqual([
    { id: 'a', kind: 'composite' },
    { id: 'b', kind: 'pair' },
  ]);
  expect(choice.sums).toEqual(
    new Map([
      ['EUR', 30_000n],
      ['', 70_000n],
    ]),
  );
});
