import { groupsByWeight, maxSentBytes, type Page } from '@tieout/domain';
import { mapEach, stringifyJson } from '@tieout/infra';
import { presentCursorPage, presentPage } from './paging';
import { replyBytes, replyStream, type Reply } from './reply';
import { jsonType } from './respond';

const withCursor = (page: Page<unknown>): object => withoutItems(presentCursorPage({ ...page, items: [] }, String));
const withoutCursor = (page: Page<unknown>): object => withoutItems(presentPage({ ...page, items: [] }, String));
const withoutItems = ({ items: _items, ...pageFields }: { items: unknown }): object => pageFields;

/** Answers with a page that has a cursor. A large page is produced while it is sent. */
export function replyCursorPage<T>(page: Page<T>, present: (item: T) => object): Reply {
  const groups = (): Iterable<string> => groupsOf(page.items, present);
  const [first = ''] = groups();
  if (first.length < maxSentBytes) return whole(first, withCursor(page));
  // The groups are produced again, so that a stream that waits holds no text.
  return stream(withCursor(page), groups());
}

/** Answers with a page that has a cursor, whose items are read group by group. */
export const replyCursorGroups = (page: Page<unknown>, groups: AsyncIterable<readonly string[]>): Reply =>
  stream(withCursor(page), mapEach(groups, joined));

/** Answers with a numbered page whose items are read in groups of at most a megabyte, or of one larger item. */
export async function replyPageGroups<L extends { weight: number }>(
  page: Page<L>,
  read: (group: readonly L[]) => Promise<readonly object[]>,
): Promise<Reply> {
  const [first = [], ...others] = groupsByWeight(page.items, maxSentBytes);
  const textsOf = async (group: readonly L[]): Promise<string[]> =>
    (await read(group)).map((item) => stringifyJson(item));
  const pageFields = withoutCursor(page);
  if (others.length === 0) return whole((await textsOf(first)).join(), pageFields);
  return stream(
    pageFields,
    mapEach([first, ...others], async (group) => joined(await textsOf(group))),
  );
}

const whole = (items: string, pageFields: object): Reply =>
  replyBytes(200, jsonType, `{"items":[${items}]${endOfPage(pageFields)}`);

/**
 * Joins items to texts of at least maxSentBytes, the last one apart. A generator would hold each text while it is
 * sent.
 */
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

const endOfPage = (pageFields: object): string => `,${JSON.stringify(pageFields).slice(1)}`;

const stream = (pageFields: object, groups: Iterable<string> | AsyncIterable<string>): Reply =>
  replyStream(200, jsonType, chunks(pageFields, groups));

/** Yields bytes: they lie outside of the heap, and every holder shares them until the client has read them. */
async function* chunks(
  pageFields: object,
  groups: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer, void, void> {
  let before = '{"items":[';
  yield* mapEach(groups, (group) => {
    const bytes = Buffer.from(before + group);
    before = ',';
    return bytes;
  });
  yield Buffer.from(`${before === ',' ? '' : before}]${endOfPage(pageFields)}`);
}
