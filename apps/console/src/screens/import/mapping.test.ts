import type { FileReading, StoredField } from '../../api/imports';
import { asNew, declaredFields, isChanged, isWithoutValues, mappingOf, rowsToSend } from './mapping';

const stored = (field: Partial<StoredField>): StoredField => ({
  id: 'f1',
  dataset_id: 'd',
  name: 'Total',
  key: 'total',
  type: 'amount',
  source_path: 'Total',
  transform_expr: null,
  is_identity: false,
  created_at: '2026-01-01T00:00:00.000Z',
  ...field,
});

const reading = (fields: FileReading['fields']): Pick<FileReading, 'fields'> => ({ fields });

test('fields of the dataset come first, and only columns that none reads add one', () => {
  const fields = reading([
    { key: 'total', column: 'Total', type: 'amount' },
    { key: 'day', column: 'Day', type: 'date' },
  ]);
  const mapped = mappingOf([stored({})], fields);
  expect(mapped.map(({ key, stored: before }) => [key, before !== undefined])).toEqual([
    ['total', true],
    ['day', false],
  ]);
  expect(mapped.map(isChanged)).toEqual([false, true]);
});

test('a field that is read otherwise has changed', () => {
  const [field] = mappingOf([stored({})], reading([]));
  expect(field && isChanged({ ...field, expression: '$amount(Total)' })).toBe(true);
});

const two = reading([
  { key: 'total', column: 'Total', type: 'amount' },
  { key: 'day', column: 'Day', type: 'date' },
]);

test('what is taken as suggested is left to the file, and what is edited is declared', () => {
  const fields = mappingOf([], two).map((field) => ({ ...field, isEdited: field.key === 'day' }));
  const { fields: declared, fromColumns } = declaredFields(fields);
  expect([declared.map(({ key }) => key), fromColumns]).toEqual([['day'], true]);
});

test('where a column is left out, the others are declared and the file declares none', () => {
  const fields = mappingOf([], two).map((field) => ({ ...field, isKept: field.key === 'day' }));
  const { fields: declared, fromColumns } = declaredFields(fields);
  expect([declared.map(({ key }) => key), fromColumns]).toEqual([['day'], false]);
});

test('a column that a field reads under another name adds none, and a new field takes no name that is taken', () => {
  const fields = [stored({ key: 'sum' }), stored({ id: 'f2', key: 'day', source_path: 'Posted' })];
  expect(mappingOf(fields, two).map(({ key, column }) => [key, column])).toEqual([
    ['sum', 'Total'],
    ['day', 'Posted'],
    ['day_2', 'Day'],
  ]);
});

test('a column without a value in any row is empty; one that is computed or absent is not', () => {
  const rows = [{ data: { Total: '', Day: null } }, { data: { Total: '', Day: null, Fee: 0 } }];
  const [total, day] = mappingOf([], two);
  const isEmpty = isWithoutValues({ headers: ['Total', 'Day', 'Fee'], rows });
  expect([total, day].map((field) => field && isEmpty(field))).toEqual([true, true]);
  const others = [{ column: 'Fee' }, { column: 'Other' }, { expression: 'Fee' }];
  expect(others.map((other) => day && isEmpty({ ...day, ...other }))).toEqual([false, false, false]);
  expect(day && isWithoutValues({ headers: ['Day'], rows: [] })(day)).toBe(false);
});

test('rows of long values are few', () => {
  const rows = Array.from({ length: 50 }, () => ({ data: { a: 'x'.repeat(100_000) } }));
  expect(rowsToSend(rows)).toHaveLength(2);
});

test('a dataset without fields gets those of another as they are seen', () => {
  const fields = mappingOf([stored({ key: 'sum', is_identity: true })], two).map(asNew);
  expect(declaredFields(fields).fields).toMatchObject([{ key: 'sum', column: 'Total', isIdentity: true }]);
  expect(fields.some((field) => 'stored' in field)).toBe(false);
});
