import type { Page } from '@tieout/domain';
import { mapEach } from '@tieout/infra';
import { collectGarbage } from '@tieout/testing';
import { replyCursorGroups, replyCursorPage, replyPageGroups } from './page-reply';
import type { Reply } from './reply';

const mebibyte = 1 << 20;
const readers = 30;
const pageOf = <T>(items: T[]): Page<T> => ({ items, total: items.length, page: 1, limit: 100, nextCursor: null });
const text = (): string => JSON.stringify(`${Math.random()}`.padEnd(mebibyte, '€x'));

async function heapBytes(): Promise<number> {
  // Twice, because objects of one turn of the event loop can be collected only in the next one.
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

const small = pageOf(Array.from({ length: 3 }, () => ({ weight: mebibyte })));
/** Returns an item with a new text each time. */
const present = (): object => ({ text: text() });

test.each<[string, () => Reply | Promise<Reply>]>([
  ['items in memory', () => replyCursorPage(small, present)],
  ['items that are read by the group', () => replyPageGroups(small, () => Promise.resolve([present()]))],
  [
    'groups',
    () =>
      replyCursorGroups(
        small,
        mapEach(small.items, () => [text()]),
      ),
  ],
])('a page of %s keeps nothing of a part in the heap while it waits for its reader', async (_what, reply) => {
  const before = await heapBytes();
  const inHand = await Promise.all(Array.from({ length: readers }, () => firstOf(reply)));
  expect((await heapBytes()) - before).toBeLessThan((readers * mebibyte) / 10);
  expect(inHand.map(({ first }) => first.length > mebibyte)).toEqual(Array<boolean>(readers).fill(true));
});

async function firstOf(reply: () => Reply | Promise<Reply>) {
  const made = await reply();
  if (made.kind !== 'stream') throw new Error('is not a stream');
  const chunks = made.chunks[Symbol.asyncIterator]();
  return { chunks, first: (await chunks.next()).value as string | Buffer };
}
