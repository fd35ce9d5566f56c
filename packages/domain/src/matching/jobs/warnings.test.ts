import { nullHint } from '@tieout/engine';
import { warningsOf, type CompletedCounts } from './warnings';

const none = { count: 0, reasons: {} };
const counts: CompletedCounts = {
  records: { left: 2, right: 2 },
  unblocked: { left: none, right: none },
  filtered: { left: 0, right: 0 },
  failedFilters: 0,
  pairs: 4,
  failedPairs: 0,
  failedEvaluations: 0,
  relationError: null,
  searchEnded: 0,
  absentFields: [],
  ignoresExpression: false,
  blockingKeys: ['amountKey', 'dateKey', 'dateToleranceDays'],
  kept: 1,
  matches: 1,
  isOneToOne: false,
  errors: [],
};
const failure = (code: string, left: string | null = null) => ({
  left_record_id: left,
  right_record_id: null,
  code,
  message: 'Argument 2 of function "contains" does not match.',
  expression: 'ref',
});

const absent = (isNeeded: boolean, near: string[] = []) => ({
  parameter: 'params.composition.groupByField',
  field: 'bil',
  sides: ['right' as const],
  isNeeded,
  near,
});

test.each<[string, Partial<CompletedCounts>, string[], RegExp]>([
  ['a result', {}, [], /^$/],
  ['a result with some failures', { failedPairs: 3 }, [], /^$/],
  ['no left records', { records: { left: 0, right: 2 } }, ['no_left_records'], /ready/],
  [
    'no records at all',
    { matches: 0, records: { left: 0, right: 0 } },
    ['no_left_records', 'no_right_records'],
    /ready/,
  ],
  [
    'no left record that blocking could place',
    { unblocked: { left: { count: 2, reasons: { missing_date: 2 } }, right: none } },
    ['all_left_unblocked'],
    /missing_date.*dateKeyLeft/,
  ],
  [
    'keys that fail on all right records',
    {
      unblocked: { left: none, right: { count: 2, reasons: { failed_key: 2 } } },
      errors: [
        { ...failure('D3030', 'left'), expression: 'blocking/rules/0/keys/0/left' },
        { ...failure('T2001'), right_record_id: 'right', expression: 'blocking/rules/0/keys/0/right' },
      ],
    },
    ['all_right_unblocked'],
    /\(failed_key\): .*The first, blocking\/rules\/0\/keys\/0\/right: T2001: .* Arithmetic needs numbers/,
  ],
  [
    'no right record that blocking could place',
    { unblocked: { left: none, right: { count: 2, reasons: { unreadable_amount: 2 } } } },
    ['all_right_unblocked'],
    /unreadable_amount.*amountKeyRight/,
  ],
  [
    'pairs that all fail',
    { failedPairs: 4, kept: 0, errors: [failure('T0410')] },
    ['all_pairs_error'],
    /ref: T0410.*\$string/,
  ],
  [
    'pairs that all fail otherwise',
    { failedPairs: 4, kept: 0, errors: [failure('D9999')] },
    ['all_pairs_error'],
    /preview/,
  ],
  [
    'pairs that all fail on null',
    { failedPairs: 4, kept: 0, errors: [{ ...failure('T0410'), message: `No match${nullHint}` }] },
    ['all_pairs_error'],
    /ref: T0410.*\? \$contains.* : false/,
  ],
  [
    'evidence that fails',
    { failedEvaluations: 7, relationError: failure('T0410') },
    ['composition_error'],
    /^7 evaluations.*ref: T0410.*\$string/,
  ],
  [
    'evidence that fails where nothing is kept',
    { failedEvaluations: 7, relationError: failure('T0410'), pairs: 0, kept: 0 },
    ['no_candidates', 'composition_error'],
    /dateToleranceDays|ref: T0410/,
  ],
  [
    'a filter that drops every left record',
    { filtered: { left: 2, right: 0 }, pairs: 0, kept: 0 },
    ['all_left_filtered'],
    /params\.filters.*preview/,
  ],
  [
    'filters that drop every record',
    { filtered: { left: 2, right: 2 }, pairs: 0, kept: 0 },
    ['all_left_filtered', 'all_right_filtered'],
    /params\.filters/,
  ],
  [
    'a filter that fails on every left record',
    {
      filtered: { left: 2, right: 0 },
      failedFilters: 2,
      pairs: 0,
      kept: 0,
      errors: [{ ...failure('T0410', 'a'), expression: 'filters/0' }],
    },
    ['all_left_filtered'],
    /failed on 2 records.*filters\/0: T0410.*\$string/,
  ],
  [
    'records that are dropped or that blocking could not place',
    { filtered: { left: 1, right: 0 }, unblocked: { left: { count: 1, reasons: { missing_amount: 1 } }, right: none } },
    ['all_left_unblocked'],
    /missing_amount/,
  ],
  [
    'no candidates among the records that filters leave',
    { filtered: { left: 1, right: 0 }, pairs: 0, kept: 0 },
    ['no_candidates'],
    /dateToleranceDays; .*leave out 1 left and 0 right/,
  ],
  ['no candidates', { pairs: 0, kept: 0 }, ['no_candidates'], /dateToleranceDays/],
  [
    'a field that composition needs and no record has',
    { absentFields: [absent(true, ['bill', 'billed'])] },
    ['absent_field'],
    /No right record has the field bil that params\.composition\.groupByField reads: do you mean bill or billed\?/,
  ],
  ['a field that expressions may do without', { absentFields: [absent(false)] }, [], /^$/],
  [
    'a field that expressions may do without, where nothing is kept',
    { kept: 0, absentFields: [absent(false)] },
    ['nothing_kept', 'absent_field'],
    /Tpossible|name a field that they have/,
  ],
  ['searches that ended', { searchEnded: 3 }, ['composition_search_ended'], /3 targets.*dateStrategy/],
  [
    'groups that an expression does not decide on',
    { ignoresExpression: true },
    ['composition_ignores_expression'],
    /matchKeys/,
  ],
  [
    'more matches than people can use',
    { matches: 61, records: { left: 3, right: 2 } },
    ['many_matches'],
    /61 pairs of 3 left and 2 right.*one_to_one/,
  ],
  ['as many as they can', { matches: 60, records: { left: 3, right: 2 } }, [], /^$/],
  ['the only pair, which is not kept', { kept: 0, pairs: 1 }, ['nothing_kept'], /^The only pair does not reach/],
  ['a search that ended', { searchEnded: 1 }, ['composition_search_ended'], /group of 1 target ended/],
  ['pairs of which none is kept', { kept: 0, failedPairs: 1 }, ['nothing_kept'], /1 of them failed.*Tpossible/],
])('%s: the warning names what to do', (_, change, codes, message) => {
  const found = warningsOf({ ...counts, ...change });
  expect(found.map(({ code }) => code)).toEqual(codes);
  for (const one of found) expect(one.message).toMatch(message);
});

test.each<[string, string[], string]>([
  ['amounts alone', ['amountKey'], 'widen amountTolerance'],
  ['buckets', ['amountKey', 'amountBucketWindow'], 'widen amountBucketWindow'],
  ['days', ['dateKeyLeft', 'windowDays'], 'widen windowDays'],
  ['days from and to', ['dateKey', 'dateFromDays', 'dateToDays', 'windowDays'], 'widen dateFromDays, dateToDays'],
  [
    'keys',
    ['keys', 'dateKey'],
    'check that keys name the same thing on both sides (a number and a text never agree: convert one with $string)',
  ],
  [
    'texts',
    ['rules', 'text'],
    'check that text names the same thing on both sides ' +
      '(words of more than maxDocumentShare of the records are not compared)',
  ],
])('the warning of no candidates names the keys of blocking that are in use: %s', (_, blockingKeys, mend) => {
  const [found] = warningsOf({ ...counts, pairs: 0, kept: 0, blockingKeys });
  expect(found?.message).toBe(`No left and right record agree in blocking: ${mend}`);
});
