import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createUntaken } from './untaken';

/** An answer of which so much is left. */
function answer(bytes: number): ServerResponse & { cut: boolean } {
  const response = Object.assign(new EventEmitter(), {
    socket: { writableLength: bytes },
    cut: false,
    destroy: () => void (response.cut = true),
  });
  return response as unknown as ServerResponse & { cut: boolean };
}

const MiB = 1 << 20;

test('beyond what all may leave together, those are cut that have left theirs for longest', () => {
  const untaken = createUntaken(3 * MiB);
  const answers = [1, 2, 3, 4, 5].map(() => answer(MiB));
  for (const one of answers) untaken.add(one);
  expect(answers.map(({ cut }) => cut)).toEqual([true, true, false, false, false]);
});

test('what is taken makes room', () => {
  const untaken = createUntaken(3 * MiB);
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => answer(MiB)) as [
    ReturnType<typeof answer>,
    ReturnType<typeof answer>,
    ReturnType<typeof answer>,
    ReturnType<typeof answer>,
  ];
  for (const one of [first, second, third]) untaken.add(one);
  untaken.remove(first);
  second.emit('close');
  untaken.add(fourth);
  expect([first, second, third, fourth].map(({ cut }) => cut)).toEqual([false, false, false, false]);
});

test('an answer that is too large by itself is sent', () => {
  const untaken = createUntaken(MiB);
  const large = answer(2 * MiB);
  untaken.add(large);
  expect(large.cut).toBe(false);
});
