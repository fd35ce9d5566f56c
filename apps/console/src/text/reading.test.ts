import { TieoutError } from '@tieout/client';
import { catalog } from './catalog';
import { readingText, undeclaredText, unreadText } from './reading';

test.each([
  ['say that it has no names (header=false)', 'say that it has no names “Names of columns: none”'],
  ['with "delimiter" or "encoding" for instance', 'with “Between cells” or “Encoding” for instance'],
  ['Name one with rows in "sheet".', 'Name one with rows in “Sheet”.'],
  ['Read it with sheet=Proof, or leave it', 'Read it with “Sheet: Proof”, or leave it'],
  ['Read it with sheet="Proof of cash"', 'Read it with “Sheet: Proof of cash”'],
  [
    'after the lines of skipLines and not with header=false',
    'after the lines of “Lines to skip” and not with “Names of columns: none”',
  ],
  ['or "decimalSeparator" and "dateFormat" of the upload', 'or “Decimal separator” and “Dates” of the upload'],
  ['its errors (GET …/errors) say why', 'its errors say why'],
  ['"sheet": "soon" is no amount', '"sheet": "soon" is no amount'],
  ['the column a=b and the sheet are kept', 'the column a=b and the sheet are kept'],
])('“%s” is said as “%s”', (message, text) => {
  expect(readingText(message, catalog.en)).toBe(text);
});

test('a refusal names the control that it is about, and those that it tells to use', () => {
  const errors = [{ path: '/headerRow', code: 'option_invalid', message: 'x' }];
  const refused = new TieoutError('/headerRow: give it not with header=false', {
    status: 400,
    code: 'invalid',
    errors,
  });
  expect(unreadText(refused, catalog.en)).toBe('Line of names: give it not with “Names of columns: none”');
  expect(unreadText(refused, catalog.pt)).toBe('Linha dos nomes: give it not with “Nomes das colunas: não há”');
});

test('a refusal of a field names the field and its control', () => {
  const errors = [{ path: '/transform_expr', code: 'expression', message: 'x' }];
  const refused = new TieoutError('/transform_expr: unexpected end', { status: 400, code: 'invalid', errors });
  expect(undeclaredText('total', refused, catalog.en)).toBe('“total”: Expression: unexpected end');
  expect(undeclaredText('total', refused, catalog.pt)).toBe('“total”: Expressão: unexpected end');
});
