import { catalog } from '../text/catalog';
import { filter, kinds, readFilters, type FilterKind } from './read-filters';

const { mends } = catalog.en.frame;

const filters = {
  score: filter({
    label: 'Score',
    kind: kinds.number,
    ask: (minScore) => ({ minScore }),
    shown: (at) => at.toFixed(2),
  }),
  kind: filter({ label: 'Kind', kind: kinds.oneOf(['pair', 'group']), ask: (kind) => ({ kind }) }),
  sort: filter({ label: 'Sort', kind: kinds.oneOf(['age']), ask: (sort) => ({ sort }), chip: null }),
};
const read = (search: Record<string, string>) =>
  readFilters<{ minScore?: number; kind?: string; sort?: string }>(search, filters, mends);

test('what is asked and what is shown come from one reading', () => {
  expect(read({ score: '0.5', kind: '', sort: 'age', other: 'x' })).toEqual({
    query: { minScore: 0.5, sort: 'age' },
    chips: [{ names: ['score'], text: 'Score: 0.50' }],
    faults: [],
  });
});

test('one filter that cannot be read leaves nothing to ask, and is named with what it takes', () => {
  expect(read({ score: '0,5', kind: 'pair' })).toEqual({
    query: undefined,
    chips: [
      { names: ['score'], text: 'Score: 0,5', isWrong: true },
      { names: ['kind'], text: 'Kind: pair' },
    ],
    faults: [{ name: 'score', label: 'Score', text: '0,5', mend: 'a number such as 0.9' }],
  });
});

test.each<[keyof typeof kinds, FilterKind<unknown>, Record<string, unknown>]>([
  ['number', kinds.number, { '0.9': 0.9, '-1': -1, '.5': 0.5, '1e3': 1000, '0,9': undefined, abc: undefined }],
  ['number', kinds.number, { '1e400': undefined, ' ': undefined, '0x10': undefined, Infinity: undefined }],
  ['amount', kinds.amount, { '1200.5': 1200.5, '-0.0001': -0.0001, '0.00001': undefined, '1e30': undefined }],
  ['days', kinds.days, { '0': 0, '100000': 100_000, '100001': undefined, '1.5': undefined, '-1': undefined }],
  ['day', kinds.day, { '2026-02-28': '2026-02-28', '2026-02-30': undefined, '2026-2-1': undefined }],
  ['month', kinds.month, { '2026-12': '2026-12', '2026-13': undefined, '2026-01-01': undefined }],
  ['words', kinds.words, { Nord: 'Nord', ['x'.repeat(201)]: undefined }],
  ['oneOf', kinds.oneOf(['yes', 'no']), { yes: 'yes', maybe: undefined, toString: undefined }],
])('%s reads what it may, and nothing else', (_name, kind, cases) => {
  expect(Object.fromEntries(Object.keys(cases).map((text) => [text, kind.read(text)]))).toEqual(cases);
});
