import { spawnSync } from 'node:child_process';
import { matchPairsOf, root, rows } from './sample-engine';

const pairs = rows('truth.csv').map((row) => `${row['invoice_no'] ?? ''}|${row['line_id'] ?? ''}`);
const composites = rows('truth-composites.csv').map((row) => ({
  target: row['target'] ?? '',
  members: (row['members'] ?? '').split(' '),
}));
const ids = new Set(
  [...rows('invoices.csv'), ...rows('bank-lines.csv'), ...rows('card-purchases.csv')].map(
    (row) => Object.values(row)[0],
  ),
);

describe('the shipped sample', () => {
  it('is byte for byte what its generator makes', () => {
    const check = spawnSync(process.execPath, ['scripts/sample-generate.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });

  it('names only existing records in its truth, each once', () => {
    const named = [
      ...pairs.flatMap((pair) => pair.split('|')),
      ...composites.flatMap(({ target, members }) => [target, ...members]),
    ];
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it('has its pairs found by its rule set with a precision and a recall of at least 95 percent', async () => {
    const found = (await matchPairsOf('rule-set.json', 'invoices.csv', 'bank-lines.csv')).pairs;
    const parts = new Set(
      composites.flatMap(({ target, members }) =>
        members.flatMap((member) => [`${target}|${member}`, `${member}|${target}`]),
      ),
    );
    const judged = found.filter((pair) => !parts.has(pair));
    const expected = new Set(pairs);
    const correct = judged.filter((pair) => expected.has(pair));
    expect(correct.length / judged.length).toBeGreaterThanOrEqual(0.95);
    expect(correct.length / pairs.length).toBeGreaterThanOrEqual(0.95);
  });
});
