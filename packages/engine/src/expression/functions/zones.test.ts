import { compileRuleSet } from '../../rule-set/compile';
import { compileExpression, defaultExpressionLimits } from '../compile';
import { createReference } from '../reference';

const input = {
  left: { day: '2026-03-01', late: '2026-03-01T23:30:00-05:00', dates: ['2026-03-01T23:30:00-05:00', '2026-03-02'] },
  right: { day: '2026-03-02', local: '2026-03-01T23:30:00', early: '2026-03-02T00:30:00+09:00' },
};

test.each<[string, string, unknown]>([
  ['$daysBetween(left.day, left.late)', 'UTC', 1],
  ['$daysBetween(left.day, left.late)', 'America/New_York', 0],
  ['$daysBetween(left.late, right.early)', 'America/New_York', 0],
  ['$daysBetween(left.late, right.early)', 'Asia/Tokyo', 0],
  ['$daysBetween(left.day, right.local)', 'Asia/Tokyo', 0],
  ['left.day ~> $daysBetween(left.late)', 'America/New_York', 0],
  ['$map(left.dates, function($d) { $daysBetween(left.day, $d) })', 'America/New_York', [0, 1]],
  ['($between := $daysBetween; $between(left.day, left.late))', 'America/New_York', 0],
  ['($since := $daysBetween(left.day, ?); $since(left.late))', 'America/New_York', 0],
  ['($daysBetween := function($a, $b) { 7 }; $daysBetween(left.day, left.late))', 'America/New_York', 7],
  ['(function($daysBetween) { $daysBetween + 1 })(2)', 'America/New_York', 3],
  ['$businessDaysBetween("2026-03-06", "2026-03-09T02:00:00Z")', 'UTC', 1],
  ['$businessDaysBetween("2026-03-06", "2026-03-09T02:00:00Z")', 'America/New_York', 0],
  ['$businessDaysBetween("2026-03-06", "2026-03-09T23:00:00Z", ["2026-03-09"])', 'Asia/Tokyo', 1],
  ['$daysBetween(left.missing, left.late)', 'America/New_York', undefined],
])('%s in %s reads days there, compiled and in jsonata', async (source, timezone, expected) => {
  const compiled = compileExpression(source, defaultExpressionLimits, timezone);
  expect(await compiled.evaluate(input)).toEqual(expected);
  const reference = await createReference(source, defaultExpressionLimits, timezone).evaluate(input);
  expect(JSON.stringify(reference)).toBe(JSON.stringify(expected));
});

test.each([
  ['$daysBetween(left.day, 7)', 'T0410'],
  ['$daysBetween(left.day, "soon")', 'date_unreadable'],
])('%s fails in a zone as it does in UTC', (source, code) => {
  for (const timezone of ['UTC', 'Asia/Tokyo'])
    expect(() => compileExpression(source, defaultExpressionLimits, timezone).evaluate(input)).toThrow(
      expect.objectContaining({ code }) as Error,
    );
});

test.each([
  ['UTC', 0],
  ['America/New_York', 1],
])('the pairs of a rule set in %s have its days', (timezone, matches) => {
  const rules = compileRuleSet({
    engine: 'jsonata-batch',
    jsonataExpr: null,
    version: 1,
    params: { Tmatch: 1, Tpossible: 0.5, timezone, matchers: [{ expr: '$daysBetween(left.day, right.late) = 0' }] },
  });
  const batch = rules.openBatch(2);
  batch.addLeft(input.left, NaN, 0);
  batch.addRight(input.left, NaN, 0);
  void batch.compare(0, 0, 1);
  expect([batch.counts.MATCH, batch.counts.ERROR]).toEqual([matches, 0]);
});
