import { throttleLog } from './throttle-log';

test('of many in a row the first is told, then one for each span of time, with how many there were', () => {
  let nowMs = 0;
  const told: [string, number][] = [];
  const happen = throttleLog<string>(
    100,
    (what, times) => told.push([what, times]),
    () => nowMs,
  );
  for (; nowMs <= 250; nowMs += 10) happen(`at ${nowMs}`);
  nowMs = 1_000;
  happen('much later');
  expect(told).toEqual([
    ['at 0', 1],
    ['at 100', 10],
    ['at 200', 10],
    ['much later', 6],
  ]);
});
