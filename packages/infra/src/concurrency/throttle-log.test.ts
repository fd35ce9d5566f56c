import { throttleLog } from './throttle-log';

test('the first of repeated events is logged, then one per interval with their number', () => {
  let nowMs = 0;
  const logged: [string, number][] = [];
  const happen = throttleLog<string>(
    100,
    (event, times) => logged.push([event, times]),
    () => nowMs,
  );
  for (; nowMs <= 250; nowMs += 10) happen(`at ${nowMs}`);
  nowMs = 1_000;
  happen('much later');
  expect(logged).toEqual([
    ['at 0', 1],
    ['at 100', 10],
    ['at 200', 10],
    ['much later', 6],
  ]);
});
