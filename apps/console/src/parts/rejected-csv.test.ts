import { csvOfRejects } from './rejected-csv';

const reject = { line: 3, column: null, code: 'c', message: 'm' };

test.each([
  ['=1+1', `'=1+1`],
  ['\uFF1D1+1', `'\uFF1D1+1`],
  ['\u200b=1+1', `'\u200b=1+1`],
  ['a;=1+1', `"a;'=1+1"`],
  ['-5.00', '-5.00'],
  ['a "b", c', '"a ""b"", c"'],
])('the row %p is written as the service writes it', (raw, cell) => {
  expect(csvOfRejects([{ ...reject, raw }])).toBe(`line,column,code,message,row\r\n3,,c,m,${cell}\r\n`);
});
