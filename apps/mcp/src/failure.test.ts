import { TieoutError } from '@tieout/client';
import { shownFailure } from './failure';

test.each([
  ['/matchGroup/left/0/recordId', '/left/0/record_id'],
  ['/matchGroup/adjustments/1/reasonCode', '/adjustments/1/reason_code'],
  ['/annotation/set/snoozedUntil', '/snoozed_until'],
  ['/ruleSet/leftDatasetId', '/left_dataset_id'],
  ['/ruleSet/params/blocking/amountKey', '/params/blocking/amountKey'],
  ['/query/amountMin', '/amount_min'],
  ['/reason', '/reason'],
])('a fault of a request at %s is one of the arguments of a tool at %s', (path, told) => {
  const errors = [{ path, code: 'x', message: 'is wrong' }];
  const error = new TieoutError(`${path}: is wrong`, { status: 400, code: 'validation_error', errors });
  expect(shownFailure(error)).toEqual({
    code: 'validation_error',
    message: `${told}: is wrong`,
    errors: [{ path: told, message: 'is wrong' }],
  });
});
