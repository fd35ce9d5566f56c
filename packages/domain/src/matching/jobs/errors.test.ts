import { ExpressionTimeoutError, HeavyFailures, type HeavyFailure } from './errors';

const failure = (left: string | null, right: string | null, code = 'D1012'): HeavyFailure => ({
  left_record_id: left,
  right_record_id: right,
  code,
  message: 'too much',
  expression: 'm1',
});

test('a third record or pair whose evaluation is a heavy failure ends the job', () => {
  const failures = new HeavyFailures('entry');
  failures.add(failure('1', null));
  failures.add(failure(null, '1', 'T2001'));
  expect(() => failures.add(failure('1', '1'))).toThrow(ExpressionTimeoutError);
});

test('a failure counts once, however many batches it occurs in', () => {
  const failures = new HeavyFailures('entry', ['right 1', 'right 2']);
  for (let batch = 0; batch < 10; batch++) failures.add(failure(null, '1'));
  expect(failures.added).toEqual([]);
});

test('a failure without a record counts once', () => {
  const failures = new HeavyFailures('entry');
  for (let batch = 0; batch < 10; batch++) failures.add(failure(null, null));
  expect(failures.added).toEqual(['constant']);
});

test('failures found by several batches end the job together, and the error names those of this batch', () => {
  const failures = new HeavyFailures('entry');
  failures.add(failure('1', null));
  const ended = (() => {
    try {
      return failures.join(['left 1', 'left 2', 'left 3']);
    } catch (error) {
      return error;
    }
  })();
  expect(ended).toBeInstanceOf(ExpressionTimeoutError);
  expect(ended).toMatchObject({ entryId: 'entry', failures: [failure('1', null)] });
});
