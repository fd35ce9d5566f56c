import type { Dataset, DatasetField, DatasetProgress } from '@tieout/domain';

export const presentDataset = (dataset: Dataset) => ({
  id: dataset.id,
  data_source_id: dataset.dataSourceId,
  name: dataset.name,
  kind: dataset.kind,
  selection: dataset.selection,
  created_at: dataset.createdAt.toISOString(),
});

export const presentProgress = ({ fieldsVersion, total, processed }: DatasetProgress) => ({
  status: processed < total ? ('processing' as const) : ('idle' as const),
  fields_version: fieldsVersion,
  records_total: total,
  records_processed: processed,
  percent: total === 0 ? 100 : Math.floor((processed / total) * 1000) / 10,
});

export const presentField = (field: DatasetField) => ({
  id: field.id,
  dataset_id: field.datasetId,
  name: field.name,
  type: field.type,
  key: field.key,
  source_path: field.sourcePath,
  transform_expr: field.transformExpr,
  is_identity: field.isIdentity,
  created_at: field.createdAt.toISOString(),
});
