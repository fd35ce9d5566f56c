import { groupsByWeight, MAX_SENT_BYTES, type Page } from '@tieout/domain';
import { stringifyJson } from '@tieout/infra';
import { presentCursorPage, presentPage } from './paging';
import { replyBytes, replyStream, type Reply } from './reply';
import { jsonType } from './respond';

const withCursor = (page: Page<unknown>): object => restOf(presentCursorPage({ ...page, items: [] }, String));
const withoutCursor = (page: Page<unknown>): object => restOf(presentPage({ ...page, items: [] }, String));
const restOf = ({ items: _items, ...rest }: { items: unknown }): object => rest;

/** A page with a cursor. One that is large is made while it is sent. */
export function replyCursorPage<T>(page: Page<T>, present: (item: T) => object): Reply {
  const groups = groupsOf(page.items, present);
  const { value: first = '' } = groups.next();
  if (first.length < MAX_SENT_BYTES) return whole(first, withCursor(page));
  return stream(withCursor(page), ahead(first, groups));
}

/** The same of items of which each group is read for itself. */
export const replyCursorGroups = (page: Page<unknown>, groups: AsyncIterable<readonly string[]>): Reply => stream(withCursor(page), joined(groups));

/** A page that is read by its number, of items that are read by the group: each at most a megabyte, or one that is larger. */
export async function replyPageGroups<L extends { weight: number }>(page: Page<L>, read: (group: readonly L[]) => Promise<readonly object[]>): Promise<Reply> {
  const [first = [], ...others] = groupsByWeight(page.items, MAX_SENT_BYTES);
  const textsOf = async (group: readonly L[]): Promise<string[]> => (await read(group)).map((item) => stringifyJson(item));
  const rest = withoutCursor(page);
  if (others.length === 0) return whole((await textsOf(first)).join(), rest);
  return stream(rest, joined((async function* () {
    for (const group of [first, ...others]) yield await textsOf(group);
  })()));
}

const whole = (items: string, rest: object): Reply => replyBytes(200, jsonType, `{"items":[${items}]${behind(rest)}`);

/** Each but the last has MAX_SENT_BYTES or more. */
function* groupsOf<T>(items: readonly T[], present: (item: T) => object): Generator<string, undefined, void> {
  let text = '';
  for (const item of items) {
    text += (text === '' ? '' : ',') + stringifyJson(present(item));
    if (text.length < MAX_SENT_BYTES) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
  return undefined;
}

function* ahead(made: string, rest: Iterable<string>): Generator<string, void, void> {
  yield made;
  yield* rest;
}

async function* joined(groups: AsyncIterable<readonly string[]>): AsyncGenerator<string, void, void> {
  for await (const texts of groups) if (texts.length > 0) yield texts.join();
}

const behind = (rest: object): string => `,${JSON.stringify(rest).slice(1)}`;

const stream = (rest: object, groups: Iterable<string> | AsyncIterable<string>): Reply => replyStream(200, jsonType, chunks(rest, groups));

async function* chunks(rest: object, groups: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let before = '{"items":[';
  for await (const group of groups) {
    yield before + group;
    before = ',';
  }
  yield `${before === ',' ? '' : before}]${behind(rest)}`;
}
