import { readFile } from '../../testing/files';
import { plainRows, workbookOf } from '../../testing/workbook';

const bookOf = (rows: string): Buffer => workbookOf({ sheets: [{ name: 'S', rows }] });

test('numbers of more digits than spreadsheets keep are text, and told with their column', async () => {
  const { detected, rows } = await readFile(
    bookOf(
      plainRows([['reference', 'note']]) +
        ['1234567890123456789', '1234567890123456788']
          .map((digits) => `<row><c><v>${digits}</v></c><c t="str"><v>x</v></c></row>`)
          .join(''),
    ),
  );
  expect(rows.map(({ data }) => data.reference)).toEqual(['1234567890123456789', '1234567890123456788']);
  expect(detected).toMatchObject({
    types: { reference: 'string' },
    warnings: [{ code: 'number_not_exact', column: 'reference' }],
  });
});

test('computed money is an amount', async () => {
  const cells = ['0.30000000000000004', '12.5', '1.1000000000000001'];
  const rows = cells.map((value) => `<row><c t="str"><v>x</v></c><c><v>${value}</v></c></row>`).join('');
  const { detected } = await readFile(bookOf(plainRows([['text', 'Amount']]) + rows));
  expect(detected.types).toMatchObject({ Amount: 'amount' });
});
