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
  const textOfItem = (item: T, record: RecordView): string => stringifyJson(present(item, record));
  for await (const texts of withRecords(scope, page.items, { recordOf, textOf: textOfItem })) {
    if (texts.length === 0) continue;
    yield before + texts.splice(0).join();
    before = ',';
  }
  const { items: _sent, ...rest } = presentCursorPage({ ...page, items: [] }, String);
  yield `${before === ',' ? '' : before}],${JSON.stringify(rest).slice(1)}`;
}
