import { connectionLog } from './connection-log';

test('of failures without end, the first of each queue is told, and one in ten seconds with how many there were', () => {
  const lines: object[] = [];
  let nowMs = 0;
  const tell = connectionLog({ warn: (line: object) => void lines.push(line) }, 'queue connection', () => nowMs);
  for (nowMs = 0; nowMs <= 20_000; nowMs += 100)
    for (const queue of ['ingest', 'items']) tell(queue, new Error('refused'));
  const told = (queue: string): object[] => [1, 100, 100].map((failures) => ({ reason: 'refused', queue, failures }));
  expect(lines.filter((line) => 'queue' in line && line.queue === 'ingest')).toEqual(told('ingest'));
  expect(lines.filter((line) => 'queue' in line && line.queue === 'items')).toEqual(told('items'));
});
