import fc from 'fast-check';
import { caseCount } from '../../fuzz/config';
import type { BlockingKeyParams, BlockingRuleParams, RuleSetParams } from '../definition/types';
import { compileRuleSet } from '../rule-set/compile';
import type { JsonObject, Side } from '../values/types';
import { ListedCandidates, ListedPairsError } from './listed-candidates';
import { RuleEntries } from './rule-entries';
import { recordState } from './side';
import type { CandidateSide } from './side';

interface Row {
  codes: string | string[] | null;
  kind: number;
  sum: number | null;
  day: number | null;
}

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const valueOf = ({ codes, kind, sum, day }: Row): JsonObject => ({
  codes,
  kind,
  sum: sum === null ? null : sum / 100,
  date: day === null ? null : dateOf(day),
});

const sideOf = (rows: readonly Row[]): CandidateSide => ({
  length: rows.length,
  state: new Uint8Array(rows.length),
  bucket: Float64Array.from(rows, ({ kind }) => kind),
  day: new Int32Array(rows.length),
  units: new Float64Array(rows.length).fill(NaN),
  scale: new Uint8Array(rows.length),
  compare: () => 0,
});

function list(params: RuleSetParams, sides: Record<Side, Row[]>, maxPairs = 1e6): Map<string, number> {
  const { listed } = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', params, version: 1 });
  if (listed === null) throw new Error('the rules are not listed');
  const place = (side: Side): { columns: CandidateSide; entries: RuleEntries[] } => {
    const columns = sideOf(sides[side]);
    const entries = listed.rules.map(() => new RuleEntries());
    sides[side].forEach((row, seq) => {
      const placing = listed.place(side, valueOf(row));
      if (placing instanceof Promise) throw new Error('a key is pending');
      const isPlaced = placing.places.some((one) => one !== null);
      columns.state[seq] = isPlaced ? recordState.candidate : recordState.unblocked;
      placing.places.forEach((one, rule) => one && entries[rule]?.add(seq, one));
    });
    return { columns, entries };
  };
  const [left, right] = [place('left'), place('right')];
  const steps = ListedCandidates.prepare({
    listed,
    columns: { left: left.columns, right: right.columns },
    entries: { left: left.entries, right: right.entries },
    same: undefined,
    maxPairs,
    onStep: () => undefined,
  });
  const prepared = steps.next();
  if (prepared.done !== true) throw new Error('texts take steps');
  const candidates = prepared.value;
  const found = new Map<string, number>();
  for (const { seq, count, rights, rules } of candidates.all()) {
    for (let at = 0; at < count; at++) found.set(`${seq}-${rights[at]}`, rules[at] as number);
  }
  expect(candidates.pairs).toBe(found.size);
  const isUncovered = (side: Side, seq: number): boolean =>
    ![...found.keys()].some((pair) => Number(pair.split('-')[side === 'left' ? 0 : 1]) === seq);
  for (const [side, { columns }] of [['left', left] as const, ['right', right] as const]) {
    sides[side].forEach((_, seq) => {
      expect(columns.state[seq] !== recordState.candidate).toBe(isUncovered(side, seq));
    });
  }
  return found;
}

const listOf = (codes: Row['codes']): string[] => [codes ?? []].flat().filter((code) => code !== '');

/** The conditions of a rule, straight from their definition. */
function agree(rule: BlockingRuleParams, left: Row, right: Row): boolean {
  const inKeys = (rule.keys ?? []).every((key) =>
    (key.expr ?? key.left) === 'kind'
      ? left.kind === right.kind
      : listOf(left.codes).some((c) => listOf(right.codes).includes(c)),
  );
  const { amountTolerance, dateFromDays, dateToDays } = rule;
  const inAmount =
    amountTolerance === undefined ||
    (left.sum !== null && right.sum !== null && Math.abs(left.sum - right.sum) <= amountTolerance * 100);
  const inDays =
    dateFromDays === undefined ||
    (left.day !== null &&
      right.day !== null &&
      right.day - left.day >= dateFromDays &&
      right.day - left.day <= (dateToDays as number));
  return inKeys && inAmount && inDays;
}

const code = fc.constantFrom('', 'a', 'b', 'c', 'd');
const row: fc.Arbitrary<Row> = fc.record({
  codes: fc.oneof(code, fc.array(code, { maxLength: 3 }), fc.constant(null)),
  kind: fc.nat(2),
  sum: fc.option(fc.integer({ min: -300, max: 300 })),
  day: fc.option(fc.integer({ min: 20_000, max: 20_012 })),
});
const rows = fc.array(row, { maxLength: 25 });
const keys = fc.constantFrom<BlockingKeyParams[][]>(
  [{ expr: 'codes' }],
  [{ left: 'left.codes', right: 'codes' }],
  [{ expr: 'kind' }],
  [{ expr: 'codes' }, { left: 'kind', right: 'right.kind' }],
);
const amounts = fc.constantFrom(0, 0.01, 0.5, 2).map((amountTolerance) => ({ amountKey: 'sum', amountTolerance }));
const days = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.nat(6))
  .map(([dateFromDays, length]) => ({ dateFromDays, dateToDays: dateFromDays + length }));
const rule = fc
  .tuple(fc.option(keys), fc.option(amounts), fc.option(days))
  .filter(([key, amount, day]) => key !== null || amount !== null || day !== null)
  .map(([key, amount, day]): BlockingRuleParams => ({ ...(key && { keys: key }), ...amount, ...day }));

test('the listed pairs are those that any rule lets through, each once, with all rules that do', () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 8 }), rows, rows, (rules, left, right) => {
      const expected = new Map<string, number>();
      left.forEach((one, i) =>
        right.forEach((other, j) => {
          const bits = rules.reduce((sum, each, at) => sum + (agree(each, one, other) ? 1 << at : 0), 0);
          if (bits > 0) expected.set(`${i}-${j}`, bits);
        }),
      );
      expect(list({ Tmatch: 1, Tpossible: 0, blocking: { rules } }, { left, right })).toEqual(expected);
    }),
    { numRuns: caseCount(400) },
  );
});

const same = (count: number): Row[] => Array.from({ length: count }, () => ({ codes: 'a', kind: 0, sum: 1, day: 1 }));

test('rules that let more pairs through than allowed are refused by the rule with most of them', () => {
  const blocking = { rules: [{ keys: [{ expr: 'kind & "x" & $string(sum) = "y"' }] }, { keys: [{ expr: 'kind' }] }] };
  const sides = { left: same(10), right: same(10) };
  const refused = (): unknown => list({ Tmatch: 1, Tpossible: 0, blocking }, sides, 35);
  expect(refused).toThrow(ListedPairsError);
  expect(list({ Tmatch: 1, Tpossible: 0, blocking }, sides, 100).size).toBe(100);
});
