import { compose, type Composite } from './sample-composition';
import { matchPairsOf, rows } from './sample-engine';

const keyOf = ({ target, members }: Pick<Composite, 'target' | 'members'>): string => `${target}: ${members.join(' ')}`;

const truth = rows('truth-composites.csv').map((row) => ({
  target: row['target'] ?? '',
  members: (row['members'] ?? '').split(' '),
  scenario: row['scenario'] ?? '',
  outcome: row['outcome'] ?? '',
}));

describe('the rule sets of the sample', () => {
  let found: Composite[];

  beforeAll(async () => {
    const runs = [
      await matchPairsOf('rule-set.json', 'invoices.csv', 'bank-lines.csv'),
      await matchPairsOf('rule-set-installments.json', 'invoices.csv', 'bank-lines.csv'),
      await matchPairsOf('rule-set-card-bills.json', 'card-purchases.csv', 'bank-lines.csv'),
    ];
    found = runs.flatMap(compose);
  });

  it('find composites with a precision and a recall of at least 95 percent', () => {
    const expected = new Set(truth.filter(({ outcome }) => outcome === 'MATCH').map(keyOf));
    const matched = found.filter(({ decision }) => decision === 'MATCH').map(keyOf);
    const correct = matched.filter((key) => expected.has(key));
    expect(correct.length / matched.length).toBeGreaterThanOrEqual(0.95);
    expect(correct.length / expected.size).toBeGreaterThanOrEqual(0.95);
  });

  it('propose at least 95 percent of the unfinished plans and of the bills with a small difference', () => {
    const expected = truth
      .filter(({ outcome, scenario }) => outcome === 'POSSIBLE' && scenario !== 'ambiguous_split')
      .map(keyOf);
    const proposed = new Set(found.filter(({ decision }) => decision === 'POSSIBLE').map(keyOf));
    expect(expected.filter((key) => proposed.has(key)).length / expected.length).toBeGreaterThanOrEqual(0.95);
  });

  it('match nothing that the data leave open', () => {
    const open = new Set(truth.filter(({ outcome }) => outcome === 'POSSIBLE').map(({ target }) => target));
    expect(found.filter(({ decision, target }) => decision === 'MATCH' && open.has(target))).toEqual([]);
  });
});
