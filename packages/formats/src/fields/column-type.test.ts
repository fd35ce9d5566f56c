import { typeOfColumn } from './column-type';

test.each([
  [[], 'string'],
  [[null, undefined, ''], 'string'],
  [[1, 2.5, null], 'number'],
  [['1', '-2', ' 3 '], 'number'],
  [['1.50', '10'], 'amount'],
  [['1.50', 10], 'amount'],
  [['1.50', '2.50', 'n/a', '-', '3.50'], 'amount'],
  [['1.50', '2.50', 'on request', '3.50'], 'amount'],
  [['1.50', 'on request', 'soon', '3.50'], 'string'],
  [['007'], 'string'],
  [['12345678901234567'], 'string'],
  [['1.23456', '1.5'], 'number'],
  [['0.00012345'], 'number'],
  [['1.1234567890123456789'], 'string'],
  [['1,50'], 'string'],
  [[true, false], 'boolean'],
  [['true', 'FALSE'], 'boolean'],
  [['2026-02-28'], 'date'],
  [['2026-02-30'], 'string'],
  [['2026-02-28T10:00:00Z', '2026-02-28'], 'datetime'],
  [['28/02/2026'], 'string'],
  [['28 Feb 2026'], 'string'],
  [[[1], []], 'array'],
  [[{}], 'object'],
  [[{}, []], 'string'],
  [[1, 'x'], 'string'],
  [[...Array<number>(60).fill(5), 'TBD'], 'number'],
  [[...Array<number>(60).fill(5), '5a'], 'string'],
  [[...Array<string>(60).fill('5'), 'TBD'], 'number'],
  [['5', '6', '7', 'TBD'], 'string'],
])('%j of records is %s', (values, type) => {
  expect(
    typeOfColumn(
      'value',
      values.map((value) => ({ data: { value }, file: null })),
    ),
  ).toBe(type);
});
