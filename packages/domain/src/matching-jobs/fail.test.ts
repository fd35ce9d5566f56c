import { ExpressionTimeoutError, timeoutCounter } from './fail';

test.each([
  ['three evaluations at their limit', 'D1012', 1, 3],
  ['three failures that took most of what an evaluation may take', 'T2001', 0.9, 3],
])('%s end a job', (_name, code, effort, times) => {
  const count = timeoutCounter();
  for (let failure = 1; failure < times; failure++) count(code, effort);
  expect(() => count(code, effort)).toThrow(ExpressionTimeoutError);
});

test('failures that took little never end a job, however many there are', () => {
  const count = timeoutCounter();
  expect(() => {
    for (let failure = 0; failure < 10_000; failure++) count('T0410', 0.1);
  }).not.toThrow();
});
