import { groupsByWeight, maxSentBytes, type Page } from '@tieout/domain';
import { mapEach, stringifyJson } from '@tieout/infra';
import { presentCursorPage, presentPage } from './paging';
import { replyBytes, replyStream, type Reply } from './reply';
import { jsonType } from './respond';

const withCursor = (page: Page<unknown>): object => restOf(presentCursorPage({ ...page, items: [] }, String));
const withoutCursor = (page: Page<unknown>): object => restOf(presentPage({ ...page, items: [] }, String));
const restOf = ({ items: _items, ...rest }: { items: unknown }): object => rest;

/** A page with a cursor. One that is large is made while it is sent. */
export function replyCursorPage<T>(page: Page<T>, present: (item: T) => object): Reply {
  const groups = (): Iterable<string> => groupsOf(page.items, present);
  const [first = ''] = groups();
  if (first.length < maxSentBytes) return whole(first, withCursor(page));
  // From its beginning: who waits for its turn keeps no text.
  return stream(withCursor(page), groups());
}

/** The same of items of which each group is read for itself. */
export const replyCursorGroups = (page: Page<unknown>, groups: AsyncIterable<readonly string[]>): Reply =>
  stream(withCursor(page), mapEach(groups, joined));

/** A page that is read by its number, of items that are read by the group: each at most a megabyte, or one that is larger. */
export async function replyPageGroups<L extends { weight: number }>(
  page: Page<L>,
  read: (group: readonly L[]) => Promise<readonly object[]>,
): Promise<Reply> {
  const [first = [], ...others] = groupsByWeight(page.items, maxSentBytes);
  const textsOf = async (group: readonly L[]): Promise<string[]> =>
    (await read(group)).map((item) => stringifyJson(item));
  const rest = withoutCursor(page);
  if (others.length === 0) return whole((await textsOf(first)).join(), rest);
  return stream(
    rest,
    mapEach([first, ...others], async (group) => joined(await textsOf(group))),
  );
}

const whole = (items: string, rest: object): Reply => replyBytes(200, jsonType, `{"items":[${items}]${behind(rest)}`);

/** Each but the last has maxSentBytes or more. No generator, which would keep its last group while that is sent. */
function groupsOf<T>(items: readonly T[], present: (item: T) => object): Iterable<string> {
  let at = 0;
  const next = (): IteratorResult<string, undefined> => {
    let text = '';
    for (; at < items.length && text.length < maxSentBytes; at++)
      text += (text === '' ? '' : ',') + stringifyJson(present(items[at] as T));
    return text === '' ? { done: true, value: undefined } : { done: false, value: text };
  };
  return { [Symbol.iterator]: () => ({ next }) };
}

const joined = (texts: readonly string[]): string | undefined => (texts.length > 0 ? texts.join() : undefined);

const behind = (rest: object): string => `,${JSON.stringify(rest).slice(1)}`;

const stream = (rest: object, groups: Iterable<string> | AsyncIterable<string>): Reply =>
  replyStream(200, jsonType, chunks(rest, groups));

/** As bytes: outside of the heap, and once, however many have them in hand until the reader has taken them. */
async function* chunks(
  rest: object,
  groups: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer, void, void> {
  let before = '{"items":[';
  yield* mapEach(groups, (group) => {
    const bytes = Buffer.from(before + group);
    before = ',';
    return bytes;
  });
  yield Buffer.from(`${before === ',' ? '' : before}]${behind(rest)}`);
}
