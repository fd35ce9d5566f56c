import type { RecordView } from '@tieout/domain';
import { JsonText } from '@tieout/infra';

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
