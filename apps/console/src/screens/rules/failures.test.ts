import type { PreviewedPair } from '../../api/rules';
import { failureOfAll, failuresOf } from './failures';

const failed = (expression: string, message: string) =>
  ({ decision: 'ERROR', score: null, error: { code: 'T1006', message, expression } }) as unknown as PreviewedPair;
const scored = { decision: 'MATCH', score: 1 } as unknown as PreviewedPair;

test('failures are counted by their expression, with its first reason, and together', () => {
  const failures = failuresOf([scored, failed('m1', 'first'), failed('m1', 'second'), failed('filters/0', 'third')]);
  expect(Object.fromEntries(failures)).toEqual({
    m1: { count: 2, of: 4, message: 'first' },
    'filters/0': { count: 1, of: 4, message: 'third' },
  });
  expect(failureOfAll(failures)).toEqual({ count: 3, of: 4, message: 'first' });
});

test('pairs that have a score have no failure', () => {
  expect(failureOfAll(failuresOf([scored]))).toBeUndefined();
});
