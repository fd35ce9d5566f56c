import { ExpressionTimeoutError, HeavyFailures } from './fail';

test('a third record or pair whose evaluation is a heavy failure ends the job', () => {
  const failures = new HeavyFailures();
  failures.add('D1012', 'left 1');
  failures.add('T2001', 'right 1');
  expect(() => failures.add('D1012', 'pair 1 1')).toThrow(ExpressionTimeoutError);
});

test('the same one counts once, in however many batches it fails', () => {
  const failures = new HeavyFailures(['right 1', 'right 2']);
  for (let batch = 0; batch < 10; batch++) failures.add('D1012', 'right 1');
  expect(failures.found).toEqual(['right 1', 'right 2']);
});

test('what batches find apart from each other ends the job together', () => {
  const failures = new HeavyFailures();
  failures.add('D1012', 'left 1');
  expect(() => failures.join(['left 1', 'left 2', 'left 3'])).toThrow('3 times, the last time with D1012');
});
