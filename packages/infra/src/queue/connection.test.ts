import fc from 'fast-check';
import { connectionLog, reconnectDelayMs } from './connection';

test('a store that is away is tried again within a second, and never without a pause', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (attempt) => {
      expect(reconnectDelayMs(attempt)).toBeLessThanOrEqual(1_000);
      expect(reconnectDelayMs(attempt)).toBeGreaterThanOrEqual(50);
    }),
  );
});

test('the first failure of each queue is logged, then one in ten seconds with the number of failures', () => {
  const lines: object[] = [];
  let nowMs = 0;
  const log = connectionLog({ warn: (line: object) => void lines.push(line) }, 'queue connection', () => nowMs);
  for (nowMs = 0; nowMs <= 20_000; nowMs += 100)
    for (const queue of ['ingest', 'items']) log(queue, new Error('refused'));
  const logged = (queue: string): object[] => [1, 100, 100].map((failures) => ({ reason: 'refused', queue, failures }));
  expect(lines.filter((line) => 'queue' in line && line.queue === 'ingest')).toEqual(logged('ingest'));
  expect(lines.filter((line) => 'queue' in line && line.queue === 'items')).toEqual(logged('items'));
});
