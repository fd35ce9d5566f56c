import { withRemedies } from './remedies';

test.each([
  [[], 'M'],
  [[{ option: 'headerRow', value: null }], 'M. If that is wrong, add --read headerRow=…'],
  [
    [
      { option: 'dateFormat', value: 'DD/MM/YYYY' },
      { option: 'dateFormat', value: 'MM/DD/YYYY' },
    ],
    'M. If that is wrong, add --read dateFormat=DD/MM/YYYY or dateFormat=MM/DD/YYYY',
  ],
  [[{ option: 'comment', value: '' }], 'M. If that is wrong, add --read comment='],
  [[{ option: 'comment', value: '#' }], "M. If that is wrong, add --read 'comment=#'"],
  [[{ option: 'sheet', value: "Ann's list" }], `M. If that is wrong, add --read 'sheet=Ann'\\''s list'`],
])('remedies %j are told as arguments', (remedies, told) => {
  expect(withRemedies('M', remedies, '--read')).toBe(told);
});
