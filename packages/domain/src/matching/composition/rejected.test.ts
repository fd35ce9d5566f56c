import { compileRuleSet, poolOf, type CompiledComposition, type Proposal } from '@tieout/engine';
import fc from 'fast-check';
import { withoutRejected, type RejectedGroups } from './rejected';

const { composition } = compileRuleSet({
  engine: 'jsonata-batch',
  jsonataExpr: null,
  version: 1,
  params: {
    Tmatch: 1,
    Tpossible: 0.5,
    matchers: [{ id: 'amount', expr: 'left.amount = right.amount' }],
    composition: { enabled: true },
  },
});

/** Proposes groups for a target of 24, each of which is rejected, until there is none. */
function proposedInTurn(amounts: readonly number[]): { proposals: Proposal[]; unfinished: boolean } {
  const { open } = composition as CompiledComposition;
  const records = { left: [{ amount: 24 }], right: amounts.map((amount) => ({ amount })) };
  const pool = poolOf(composition as CompiledComposition, records);
  const taken = { left: new Uint8Array(1), right: new Uint8Array(amounts.length) };
  const rejected = new Set<string>();
  const groups: RejectedGroups = new Map([['one_to_many 0', rejected]]);
  const proposals: Proposal[] = [];
  for (;;) {
    const composer = withoutRejected(composition as CompiledComposition, open(pool), pool, groups);
    const proposal = composer.propose('one_to_many', 0, taken);
    if (proposal === null) return { proposals, unfinished: composer.unfinished };
    proposals.push(proposal);
    rejected.add([...proposal.members].sort((one, other) => one - other).join(' '));
  }
}

/** Lists all groups of at least two amounts that add up to 24, as sorted rows. */
function groupsOf(amounts: readonly number[]): number[][] {
  const found: number[][] = [];
  for (let bits = 1; bits < 1 << amounts.length; bits++) {
    const rows = amounts.flatMap((_, row) => ((bits >> row) & 1 ? [row] : []));
    if (rows.length > 1 && rows.reduce((sum, row) => sum + (amounts[row] as number), 0) === 24) found.push(rows);
  }
  return found;
}

const signature = (amounts: readonly number[], rows: readonly number[]): string =>
  rows
    .map((row) => amounts[row] as number)
    .sort((one, other) => one - other)
    .join(' ');

const isWhole = ({ explanation }: Proposal): boolean => (explanation['search'] as { complete: boolean }).complete;

const amounts = fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 2, maxLength: 9 });

test('after any number of rejections a group is the best left, a MATCH is the only such one, and doubt shows', () => {
  fc.assert(
    fc.property(amounts, (given) => {
      const { proposals, unfinished } = proposedInTurn(given);
      let open = groupsOf(given);
      for (const proposal of proposals) {
        const own = [...proposal.members].sort((one, other) => one - other).join();
        expect(open.map((rows) => rows.join())).toContain(own);
        const min = Math.min(...open.map(({ length }) => length));
        const best = open.filter(({ length }) => length === min);
        if (isWhole(proposal)) expect(proposal.members).toHaveLength(min);
        // A rejected group may still make another one ambiguous, but a MATCH is always the only best group.
        const isOnly = new Set(best.map((rows) => signature(given, rows))).size === 1;
        if (proposal.decision === 'MATCH') expect([isWhole(proposal), isOnly]).toEqual([true, true]);
        open = open.filter((rows) => rows.join() !== own);
      }
      expect(unfinished || open.length === 0).toBe(true);
    }),
    { seed: 35, numRuns: Number(process.env['REJECTED_RUNS'] ?? 100) },
  );
});

test.each<[string, number[]]>([
  ['pairs', [1, 23, 2, 22, 3, 21, 4, 20, 5, 19, 6, 18, 8, 10]],
  ['amounts of which many groups are made', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
])('after many rejections a group found where others are out of sight is possible only: %s', (_, given) => {
  const { proposals, unfinished } = proposedInTurn(given);
  const doubtful = proposals.filter((proposal) => !isWhole(proposal));
  expect(doubtful.length > 0 || unfinished).toBe(true);
  expect(doubtful.map(({ decision }) => decision)).toEqual(doubtful.map(() => 'POSSIBLE'));
});
