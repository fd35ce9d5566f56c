import type { RecordView } from '@tieout/domain';

export const presentRecord = (record: RecordView) => ({
  id: record.id,
  dataset_name: record.datasetName,
  external_id: record.externalId,
  data: record.data,
  created_at: record.createdAt.toISOString(),
  status: record.status,
  fields: record.fields,
  error: record.error,
});
