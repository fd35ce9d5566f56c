import { readFile } from '../testing/files';

interface Case {
  content: string;
  /** The end of the message for a command line, and for an upload. */
  told: string;
  ofUpload: string;
}

test.each<[string, Case]>([
  [
    'no_header',
    {
      content: '1,2024-01-05,10.00\n2,2024-01-06,20.00\n3,2024-01-07,30.00\n',
      told: 'If it names the columns, add --left-read headerRow=1',
      ofUpload: 'If it names the columns, upload the file again with headerRow=1',
    },
  ],
  [
    'lines_skipped',
    {
      content: 'Account:,DE12\nFrom:,2025\n\nno,amount,text\n1,10.00,a\n2,20.00,b\n3,30.00,c\n',
      told: 'If another line N names them, add --left-read headerRow=N',
      ofUpload: 'If another line N names them, upload the file again with headerRow=N',
    },
  ],
  [
    'ambiguous_date',
    {
      content: 'no,day\n1,01/02/2024\n2,03/04/2024\n',
      told: ': add --left-read dateFormat=DD/MM/YYYY or dateFormat=MM/DD/YYYY, whichever holds',
      ofUpload: ': upload the file again with dateFormat=DD/MM/YYYY or dateFormat=MM/DD/YYYY, whichever holds',
    },
  ],
  [
    'footer_skipped',
    {
      content: 'no,amount\n1,10.00\n2,20.00\nTotal,30.00\n',
      told: 'If the file has rows there, add --left-read footer=false',
      ofUpload: 'If the file has rows there, upload the file again with footer=false',
    },
  ],
  [
    'file_cut',
    {
      content: '[{"no": 1, "text": "a"}, {"no": 2, "text"',
      told: 'it may have been cut. Export it again',
      ofUpload: 'it may have been cut. Export it again and upload it, with the id of this file in "replaces"',
    },
  ],
  [
    'nested_rows',
    {
      content: '{"a": [{"no": 1}, {"no": 2}], "b": [{"no": 3}, {"no": 4}]}',
      told: 'are the rows, add --left-read path=a',
      ofUpload: 'are the rows, upload the file again with path=a',
    },
  ],
  [
    'column_mostly_dates',
    {
      content: 'no,due\n1,2026-01-01\n2,soon\n3,later\n4,2026-01-02\n5,2026-01-03\n6,2026-01-04\n',
      told: 'Correct these cells and read the file again',
      ofUpload: 'or name the notation as dateFormat; a field of that type reads the others',
    },
  ],
  [
    'column_mostly_amounts',
    {
      content: 'no,amount\n1,"1,250.00"\n2,"2.250,00"\n3,"3,250.00"\n4,"4.250,00"\n',
      told: 'Write all of them in one way and read the file again',
      ofUpload: 'or name the one that holds as decimalSeparator; a field of that type refuses the others',
    },
  ],
  [
    'column_mixed_types',
    {
      content: 'no,amount\n1,10.00\n2,open\n3,20.00\n4,open\n5,2024-01-05\n',
      told: 'Write all values in one way and read the file again',
      ofUpload: 'a field of one type refuses the others',
    },
  ],
])('%s is told in the words of who reads the file', async (code, { content, told, ofUpload }) => {
  const messageOf = async (givenBy?: string): Promise<string | undefined> => {
    const { warnings } = await readFile(content, givenBy === undefined ? {} : { givenBy });
    return warnings.find((warning) => warning.code === code)?.message;
  };
  const message = await messageOf('--left-read');
  expect(message?.endsWith(told)).toBe(true);
  expect(message).not.toContain('upload');
  expect((await messageOf())?.endsWith(ofUpload)).toBe(true);
});
