import { isHeavy, withRecords, type ListedRecord, type Page, type RecordView, type TenantScope } from '@tieout/domain';
import { stringifyJson } from '@tieout/infra';
import { replyCursorGroups, replyCursorPage, type Reply } from '../../http';

export interface RecordItems<T> {
  recordOf: (item: T) => ListedRecord;
  present: (item: T, record: RecordView) => object;
}

/** A page of items that hold records. Where some of these are large they are read and sent by the group, so that no page fills the memory. */
export function replyRecords<T>(scope: TenantScope, page: Page<T>, { recordOf, present }: RecordItems<T>): Reply {
  if (!page.items.some((item) => isHeavy(recordOf(item))))
    return replyCursorPage(page, (item) => present(item, recordOf(item) as RecordView));
  return replyCursorGroups(
    page,
    withRecords(scope, page.items, { recordOf, textOf: (item, record) => stringifyJson(present(item, record)) }),
  );
}
