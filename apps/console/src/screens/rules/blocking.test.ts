import { catalog } from '../../text/catalog';
import { createFormats } from '../../text/format';
import { asConditions, asWays, saysOf, withoutWay } from './blocking';

const blocking = { enabled: true, amountKey: 'amount', amountTolerance: 2, keys: [{ left: 'a', right: 'b' }] };

test('conditions become the first way, which reads the keys of amount and date that stand beside it', () => {
  expect(asWays(blocking, 'near')).toEqual({
    enabled: true,
    amountKey: 'amount',
    rules: [{ name: 'near', amountTolerance: 2, keys: [{ left: 'a', right: 'b' }] }],
  });
});

test('one way becomes conditions again, and nothing of it is lost', () => {
  expect(asConditions(asWays(blocking, 'near'))).toEqual(blocking);
});

test('without its last way blocking keeps its keys', () => {
  expect(withoutWay(asWays(blocking, 'near'), 0)).toEqual({ enabled: true, amountKey: 'amount' });
});

test.each([
  [{ dateToleranceDays: 3 }, ['Dates at most 3 days apart.']],
  [{}, ['Dates at most 9 days apart.']],
  [{ dateFromDays: -1 }, ['The right date is -1 to 9 days after the left one.']],
  [{ dateFromDays: 0, dateToDays: 30 }, ['The right date is 0 to 30 days after the left one.']],
  [
    { dateToleranceDays: 0, amountTolerance: 5, text: { left: 'a', right: 'b' } },
    ['Dates at most 0 days apart.', 'Amounts at most 5 apart.', 'The 15 most similar texts of each record.'],
  ],
])('%j says what it lets through', (conditions, says) => {
  const words = { texts: catalog.en.rules.says, formats: createFormats('en') };
  expect(saysOf(conditions, { windowDays: 9 }, words).map((one) => one.replace('\u2212', '-'))).toEqual(says);
});
