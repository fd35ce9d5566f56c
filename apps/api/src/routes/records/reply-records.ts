import { isHeavy, withRecords, type ListedRecord, type Page, type RecordView, type TenantScope } from '@tieout/domain';
import { JsonText, stringifyJson } from '@tieout/infra';
import { replyCursorGroups, replyCursorPage, type Reply } from '../../http';

/** Writes JSON text itself, for pages of up to a hundred records. Ids and statuses need no escaping. */
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
    `{"id":"${id}","dataset_name":${JSON.stringify(datasetName)},"external_id":${JSON.stringify(externalId)},` +
      `"data":${data.text},"created_at":"${createdAt}","status":"${status}","fields":${textOf(fields)},` +
      `"error":${textOf(error)}}`,
  );

const textOf = (json: JsonText | null): string => (json === null ? 'null' : json.text);

interface RecordItems<T> {
  recordOf: (item: T) => ListedRecord;
  present: (item: T, record: RecordView) => object;
}

/** Answers with a page of items that hold records. Large records are read and sent in groups, to bound the memory. */
export function replyRecords<T>(scope: TenantScope, page: Page<T>, { recordOf, present }: RecordItems<T>): Reply {
  if (!page.items.some((item) => isHeavy(recordOf(item))))
    return replyCursorPage(page, (item) => present(item, recordOf(item) as RecordView));
  return replyCursorGroups(
    page,
    withRecords(scope, page.items, { recordOf, textOf: (item, record) => stringifyJson(present(item, record)) }),
  );
}
