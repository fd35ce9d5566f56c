import { rowsMoved } from './rows-moved';

test.each([
  ['a row stays where nothing changes', 'abcd', 'abcd', 2, 2],
  ['a row stays where rows after it come', 'abc', 'abcdef', 1, 1],
  ['a row moves up with the rows that go before it', 'abcdef', 'bdef', 4, 2],
  ['a row moves down with the rows that come before it', 'bdef', 'abcdef', 1, 3],
  ['the next row takes the place of one that goes', 'abcdef', 'abdef', 2, 2],
  ['the next row that is left takes the place of several', 'abcdef', 'af', 2, 1],
  ['the last row takes the place of the last one', 'abc', 'ab', 2, 1],
  ['a row that is not read yet stays', 'abc', 'abcd', 7, 7],
  ['nothing is left', 'abc', '', 2, 0],
])('%s', (_title, before, after, row, found) => {
  expect(rowsMoved([...before], [...after], [row])).toEqual([found]);
});
