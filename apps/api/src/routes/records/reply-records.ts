import { isHeavy, withRecords, type ListedRecord, type Page, type RecordView, type TenantScope } from '@tieout/domain';
import { JsonText, stringifyJson } from '@tieout/infra';
import { replyCursorGroups, replyCursorPage, type Reply } from '../../http';

/** As text at once: a page has up to a hundred. Ids and statuses are JSON as they are. */
export const presentRecord = ({
  id,
  datasetName,
  externalId,
  data,
  createdAt,
  status,
  fields,
  error,
}: RecordView): JsonText =>
  new JsonText(
    `{"id":"${id}","dataset_name":${JSON.stringify(datasetName)},"external_id":${JSON.stringify(externalId)},"data":${data.text},` +
      `"created_at":"${createdAt}","status":"${status}","fields":${textOf(fields)},"error":${textOf(error)}}`,
  );

const textOf = (json: JsonText | null): string => (json === null ? 'null' : json.text);

interface RecordItems<T> {
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
