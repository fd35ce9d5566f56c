import { beginningOf } from './beginning';

const line = (at: number): string => `${at};2026-03-01;Rent of a long month;12,50\n`;
const lines = (count: number, of = line): string => Array.from({ length: count }, (_, at) => of(at)).join('');
const many = lines(60_000);

test('of a long file of lines, the beginning ends with a line and has more than the service detects by', async () => {
  const beginning = await beginningOf(new Blob([many]));
  expect(beginning?.size).toBeGreaterThan(1024 * 1024);
  expect(beginning?.size).toBeLessThan(1.5 * 1024 * 1024);
  const text = await beginning?.text();
  expect(many.startsWith(text ?? '-')).toBe(true);
  expect(text?.at(-1)).toBe('\n');
});

test('lines of JSON have a beginning too, and so have lines that end as on old computers', async () => {
  expect(
    await beginningOf(new Blob([lines(60_000, (at) => `{"id":${at},"text":"Rent of a month"}\n`)])),
  ).not.toBeNull();
  expect(await beginningOf(new Blob([many.replaceAll('\n', '\r')]))).not.toBeNull();
});

test.each([
  ['a short file', lines(10)],
  ['a workbook or an archive', `PK\u0003\u0004${many}`],
  ['a list of JSON', `[\n${many}`],
  ['an object of JSON', `\ufeff {\n${many}`],
  ['a document of XML', `\n<?xml version="1.0"?>\n${many}`],
  ['an OFX file', `OFXHEADER:100\n${many}`],
  ['a QIF file', `!Type:Bank\n${many}`],
  ['an MT940 file', `:20:START\n${many}`],
  ['an MT940 file in its envelope', `{1:F01BANK}{2:I940}{4:\n${many}`],
  ['text of two bytes a character', many.replaceAll('\n', '\0\n')],
  ['a file of one line', many.replaceAll('\n', ' ')],
  ['a file with a line that goes beyond the beginning', lines(5) + many.replaceAll('\n', ' ')],
])('%s is sent whole', async (_, content) => {
  expect(await beginningOf(new Blob([content]))).toBeNull();
});
