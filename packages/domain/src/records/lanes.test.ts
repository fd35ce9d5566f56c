import { Lanes } from './lanes';

const chunkSize = 500;
let lanes: Lanes;

beforeEach(() => {
  lanes = new Lanes(chunkSize);
});

const numbers = (tenantId: string, jobs: number, records: number, nowMs = 0): number[] => Array.from({ length: jobs }, () => lanes.next(tenantId, records, nowMs));

test('the chunks of a tenant are numbered one after the other, those of each tenant for itself', () => {
  expect([numbers('a', 3, chunkSize), numbers('b', 2, chunkSize), numbers('a', 1, chunkSize)]).toEqual([[1, 2, 3], [1, 2], [4]]);
});

test('what is enqueued request by request is numbered like what is enqueued at once', () => {
  expect(numbers('a', 5, 100).concat(numbers('a', 1, chunkSize))).toEqual([1, 1, 1, 2, 2, 2]);
});

test('records that come one by one take the place of a chunk when they are many', () => {
  const flood = numbers('a', 1_000, 1);
  expect([flood[0], flood[999]]).toEqual([1, 51]);
});

test('a tenant that has enqueued nothing for a while begins at the front', () => {
  numbers('a', 100, chunkSize);
  expect([lanes.next('a', 1, 10_000), lanes.next('a', 1, 80_000)]).toEqual([38, 1]);
});
