import type { FileReading, SourceFile } from '../../api/imports';
import { newSourceName, offerOf, stemOf } from './offer';

const file = (headers: string[], status = 'ready', more: object = {}): SourceFile =>
  ({
    id: headers.join(),
    dataSourceId: 'bank',
    status,
    format: 'csv',
    headers,
    reading: { types: {} },
    metadata: { dataset: 'lines', options: { delimiter: ';', replaces: 'x', dataset: 'y' } },
    ...more,
  }) as unknown as SourceFile;

const shape = (headers: string[], format = 'csv', types = {}) => ({
  format,
  headers,
  reading: { types } as FileReading['reading'],
});

test.each([
  [['a', 'b', 'c'], 'ready', 'a,b,c'],
  [['a', 'b', 'd'], 'ready', null],
  [['a', 'b', 'c'], 'failed', null],
  [[], 'ready', null],
])('a file with columns %j of status %s is offered as %s', (headers, status, offered) => {
  expect(offerOf([file(headers, status)], shape(['a', 'b', 'c']))?.file.id ?? null).toBe(offered);
});

test('an offer has the reading of the earlier file, and nothing that belongs to that file alone', () => {
  expect(offerOf([file(['a'])], shape(['a']))).toMatchObject({ dataset: 'lines', choices: { delimiter: ';' } });
  expect(Object.keys(offerOf([file(['a'])], shape(['a']))?.choices ?? {})).toEqual(['delimiter']);
});

test.each([
  ['csv', 'xlsx', true],
  ['camt.053', 'camt.053', true],
  ['camt.053', 'mt940', false],
  ['csv', 'mt940', false],
])('columns of %s are like those of %s: %s', (before, now, isLike) => {
  expect(offerOf([file(['a'], 'ready', { format: before })], shape(['a'], now)) !== null).toBe(isLike);
});

test('rows that name their own values are compared by these names', () => {
  const before = file([], 'ready', { format: 'json', reading: { types: { id: 'string', total: 'amount' } } });
  expect(offerOf([before], shape([], 'json', { id: 'string', total: 'amount' }))).not.toBeNull();
  expect(offerOf([before], shape([], 'json', { code: 'string' }))).toBeNull();
});

test.each([
  ['sales.march.csv', 'csv', [], 'sales.march'],
  ['sales.csv', 'csv', [{ name: 'sales' }, { name: 'sales 2' }], 'sales 3'],
  ['20260301.xml', 'camt.053', [], 'camt.053'],
  ['20260301.txt', 'mt940', [], 'MT940'],
])('a new source for %s of %s is named %4$s', (name, format, sources, expected) => {
  expect(newSourceName(name, format, sources)).toBe(expected);
});

test('a file without a name before its ending is called a file', () => {
  expect(stemOf('.csv')).toBe('file');
});
