import { TieoutError } from '@tieout/client';
import { catalog, type Language } from './catalog';
import { plainText, refusalText } from './refusal';

const refused = (path: string, message = `${path}: is wrong`): TieoutError =>
  new TieoutError(message, { status: 400, code: 'invalid', errors: [{ path, code: 'x', message: 'is wrong' }] });

test.each<[Language, string, string]>([
  ['en', '/query/dateFrom', 'Date from: is wrong'],
  ['pt', '/query/dateFrom', 'Data a partir de: is wrong'],
  ['en', '/adjustments/0/amount', 'Amount: is wrong'],
  ['en', '/path/period', 'Month: is wrong'],
  ['en', '/file', 'File: is wrong'],
  ['en', '/triggers/schedule/cron', 'By the clock (cron): is wrong'],
  ['pt', '/triggers/onArrival/quietSeconds', 'Segundos sem registro novo: is wrong'],
  ['en', '/left/0', 'is wrong'],
  ['en', '/query/cursor', 'is wrong'],
  ['en', '/query/toString', 'is wrong'],
])('in %s, a fault at %s says “%3$s”', (language, path, text) => {
  expect(refusalText(refused(path), catalog[language])).toBe(text);
});

test('a refusal without a path stays as it is, and an answer that is missing is said in the language', () => {
  expect(refusalText(refused('/a', 'No pass is left'), catalog.en)).toBe('No pass is left');
  const cut = new TieoutError('No answer from http://x', { status: 0, code: 'no_answer' });
  expect(refusalText(cut, catalog.pt)).toBe(catalog.pt.frame.noAnswer);
});

test.each<[Language, string, string]>([
  ['en', '/leftDatasetIds/0: names no dataset', 'One side: names no dataset'],
  ['pt', '/params/Tmatch: must be at most 1', 'Concilia a partir de: must be at most 1'],
  ['en', '/params/matchers/0: has no weight', 'has no weight'],
  ['en', 'the file /tmp/x: is missing', 'the file /tmp/x: is missing'],
  ['en', 'No pass is left', 'No pass is left'],
])('in %s, the stored message of a run “%s” says “%s”', (language, message, text) => {
  expect(plainText(message, catalog[language])).toBe(text);
});
