import { isHeavy, withRecords, type ListedRecord, type Page, type RecordView, type TenantScope } from '@tieout/domain';
import { stringifyJson } from '@tieout/infra';
import { jsonType, presentCursorPage, reply, replyStream, type Reply } from '../../http';

export interface RecordItems<T> {
  recordOf: (item: T) => ListedRecord;
  present: (item: T, record: RecordView) => object;
}

/** A page of items that hold records. Where some of these are large they are read and sent by the group, so that no page fills the memory. */
export function replyRecords<T>(scope: TenantScope, page: Page<T>, items: RecordItems<T>): Reply {
  const { recordOf, present } = items;
  if (page.items.some((item) => isHeavy(recordOf(item)))) return replyStream(200, jsonType, textOf(scope, page, items));
  return reply(200, presentCursorPage(page, (item) => present(item, recordOf(item) as RecordView)));
}

async function* textOf<T>(scope: TenantScope, page: Page<T>, { recordOf, present }: RecordItems<T>): AsyncGenerator<string, void, void> {
  let before = '{"items":[';
  for await (const group of withRecords(scope, page.items, recordOf)) {
    if (group.length === 0) continue;
    yield before + group.map(({ item, record }) => stringifyJson(present(item, record))).join();
    before = ',';
  }
  const { items: _sent, ...rest } = presentCursorPage({ ...page, items: [] }, String);
  yield `${before === ',' ? '' : before}],${JSON.stringify(rest).slice(1)}`;
}
