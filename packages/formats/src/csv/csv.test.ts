import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { bytesSource, readFile, readFrom } from '../testing/files';

test('a file with semicolons gives a row of text for each line', async () => {
  const { rows, detected } = await readFile('id;amount;date\r\n1;12,50;31/12/2024\r\n2;"1.000,00";01/01/2025\r\n');
  expect(rows).toEqual([
    { line: 2, data: { id: '1', amount: '12,50', date: '31/12/2024' } },
    { line: 3, data: { id: '2', amount: '1.000,00', date: '01/01/2025' } },
  ]);
  expect(detected).toMatchObject({ format: 'csv', delimiter: ';', decimalSeparator: ',', dateFormats: { date: 'DD/MM/YYYY' } });
});

const cell = fc.stringMatching(/^[a-z0-9 ü€",;\t\n'|]{0,12}$/).map((text) => text.trim());
const table = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell, cell), { minLength: 1, maxLength: 20 });

function written(rows: readonly (readonly string[])[], delimiter: string, newline: string): string {
  const line = (cells: readonly string[]): string => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter) + newline;
  return line(['k', 'a', 'b']) + rows.map(line).join('');
}

test('what is written as CSV is read back as it was, as another reader reads it', async () => {
  await fc.assert(fc.asyncProperty(table, fc.constantFrom(',', ';', '\t', '|'), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 40 }), async (rows, delimiter, newline, pieceBytes) => {
    const text = written(rows, delimiter, newline);
    const { rows: read, rejected } = await readFile(text, { delimiter }, pieceBytes);
    expect(rejected).toEqual([]);
    expect(read.map(({ data }) => Object.values(data))).toEqual(rows);
    expect(read.map(({ data }) => data)).toEqual(parse(text, { delimiter, columns: true }));
  }), { numRuns: 200 });
});

test('reading from any position gives the rest of the file', async () => {
  const text = written(Array.from({ length: 300 }, (_, i) => ['x', `ü ${i}\n"`, 'b']), ';', '\r\n');
  const source = bytesSource(Buffer.from(text), 700);
  const { detected, rows, positions } = await readFile(text, {}, 700);
  for (const from of positions) {
    expect((await readFrom(source, detected, from)).rows).toEqual(rows.filter(({ line }) => line >= from.line));
  }
});
