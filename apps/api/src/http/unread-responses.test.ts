import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createUnreadResponses } from './unread-responses';

type TestResponse = ServerResponse & { cut: boolean };

/** An answer with this many unread bytes. */
function unread(bytes: number): TestResponse {
  const response = Object.assign(new EventEmitter(), {
    socket: { writableLength: bytes },
    cut: false,
    destroy: () => void (response.cut = true),
  });
  return response as unknown as TestResponse;
}

const miB = 1 << 20;

test('beyond the limit of all together, the answers that have waited longest are cut', () => {
  const responses = createUnreadResponses(3 * miB);
  const answers = [1, 2, 3, 4, 5].map(() => unread(miB));
  for (const answer of answers) responses.add(answer);
  expect(answers.map(({ cut }) => cut)).toEqual([true, true, false, false, false]);
});

test('an answer that is read or closed makes room', () => {
  const responses = createUnreadResponses(3 * miB);
  const answers = [1, 2, 3, 4].map(() => unread(miB)) as [TestResponse, TestResponse, TestResponse, TestResponse];
  const [first, second, third, fourth] = answers;
  for (const answer of [first, second, third]) responses.add(answer);
  responses.remove(first);
  second.emit('close');
  responses.add(fourth);
  expect(answers.map(({ cut }) => cut)).toEqual([false, false, false, false]);
});

test('a single answer above the limit is sent', () => {
  const responses = createUnreadResponses(miB);
  const large = unread(2 * miB);
  responses.add(large);
  expect(large.cut).toBe(false);
});
