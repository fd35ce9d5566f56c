import { AppError } from '@tieout/infra';
import { decodeKeyset, encodeKeyset, type SortKind } from './keyset';

const id = '0198c0de-0000-7000-8000-000000000001';

test.each<[readonly (SortKind | { is: string })[], (string | number)[]]>([
  [['id'], [id]],
  [
    ['day', 'id'],
    ['2026-02-28', id],
  ],
  [['day'], ['infinity']],
  [['month'], ['2026-12']],
  [['number'], ['-12.5000']],
  [['number'], ['1e+16']],
  [['number'], ['NaN']],
  [['integer'], [7]],
  [
    [{ is: '-amount' }, 'number'],
    ['-amount', '3'],
  ],
])('a cursor of %j is read as it was given out', (expected, values) => {
  expect(decodeKeyset(encodeKeyset(values), expected)).toEqual(values.map(String));
});

test.each<[readonly (SortKind | { is: string })[], (string | number | null)[]]>([
  [['id'], ['l0']],
  [['id'], [null]],
  [['id'], [id, id]],
  [['day'], ['2026-02-30']],
  [['day'], ['2026-02-01T10:00:00Z']],
  [['day'], ['12.5']],
  [['month'], ['2026-13']],
  [['number'], ['2026-02-01']],
  [['number'], ['Infinity']],
  [['number'], ['1e999']],
  [['integer'], ['7']],
  [['integer'], [1e300]],
  [[{ is: '-amount' }], ['amount']],
])('for the columns %j, the values %j are refused as no cursor', (expected, values) => {
  expect(() => decodeKeyset(encodeKeyset(values), expected)).toThrow(AppError);
});

test.each(['', 'x', '!', Buffer.from('{"length":1}').toString('base64url'), Buffer.from('[{}]').toString('base64url')])(
  'the text %j is no cursor',
  (text) => {
    expect(() => decodeKeyset(text, ['id'])).toThrow(AppError);
  },
);
