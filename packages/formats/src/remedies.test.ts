import { readFile } from '../testing/files';
import type { ReadingRemedy } from './types';

const warningOf = async (content: string, code: string, isLocal = false) =>
  (await readFile(content, { isLocal })).warnings.find((warning) => warning.code === code);

test.each<[string, string, ReadingRemedy[]]>([
  ['no_header', '1,2024-01-05,10.00\n2,2024-01-06,20.00\n3,2024-01-07,30.00\n', [{ option: 'headerRow', value: '1' }]],
  [
    'lines_skipped',
    'Account:,DE12\nFrom:,2025\n\nno,amount,text\n1,10.00,a\n2,20.00,b\n3,30.00,c\n',
    [{ option: 'headerRow', value: null }],
  ],
  [
    'ambiguous_date',
    'no,day\n1,01/02/2024\n2,03/04/2024\n',
    [
      { option: 'dateFormat', value: 'DD/MM/YYYY' },
      { option: 'dateFormat', value: 'MM/DD/YYYY' },
    ],
  ],
  ['footer_skipped', 'no,amount\n1,10.00\n2,20.00\nTotal,30.00\n', [{ option: 'footer', value: 'false' }]],
  [
    'nested_rows',
    '{"a": [{"no": 1}, {"no": 2}], "b": [{"no": 3}, {"no": 4}]}',
    [
      { option: 'path', value: 'a' },
      { option: 'path', value: 'b' },
    ],
  ],
])('the warning %s names the options that settle it, and leaves the words to those who show it', async (...one) => {
  const [code, content, remedies] = one;
  const warning = await warningOf(content, code);
  expect(warning?.remedies).toEqual(remedies);
  expect(warning?.message).not.toMatch(/upload|[a-z]=|=[a-zN"]/);
  expect(await warningOf(content, code, true)).toEqual(warning);
});

test.each([
  [
    'file_cut',
    '[{"no": 1, "text": "a"}, {"no": 2, "text"',
    'it may have been cut. Export it again',
    ' and upload it as the one that replaces this file',
  ],
  [
    'column_mostly_dates',
    'no,due\n1,2026-01-01\n2,soon\n3,later\n4,2026-01-02\n5,2026-01-03\n6,2026-01-04\n',
    'Correct these cells and read the file again',
    ', or name the notation; a field of that type reads the others',
  ],
  [
    'column_mostly_amounts',
    'no,amount\n1,"1,250.00"\n2,"2.250,00"\n3,"3,250.00"\n4,"4.250,00"\n',
    'Write all of them in one way and read the file again',
    ', or name the one that holds; a field of that type refuses the others',
  ],
  [
    'column_mixed_types',
    'no,amount\n1,10.00\n2,open\n3,20.00\n4,open\n5,2024-01-05\n',
    'Write all values in one way and read the file again',
    '; a field of one type refuses the others',
  ],
])('the warning %s speaks of datasets only where a file becomes one', async (code, content, told, ofUpload) => {
  expect((await warningOf(content, code, true))?.message.endsWith(told)).toBe(true);
  expect((await warningOf(content, code))?.message.endsWith(told + ofUpload)).toBe(true);
});
