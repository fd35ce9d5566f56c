import { tieout } from '../../api/client';
import type { MappedField } from './mapping';

interface MappingTarget {
  sourceId: string;
  dataset: string;
  datasetId: string | undefined;
  onMade: (datasetId: string) => void;
}

/**
 * Declares the fields of the dataset, which keep the mapping for the next file. What an attempt before has declared is
 * taken as it is.
 */
export async function applyMapping(target: MappingTarget, changed: readonly MappedField[]): Promise<void> {
  const { sourceId, dataset } = target;
  const id = target.datasetId ?? (await tieout.createDataset({ body: { name: dataset, dataSourceId: sourceId } })).id;
  target.onMade(id);
  if (changed.length === 0) return;
  const present = new Map((await tieout.listDatasetFields({ path: { id } })).map((field) => [field.key, field]));
  for (const field of changed) {
    const { key, type, column, expression, isIdentity } = field;
    const isComputed = expression !== null && expression.trim() !== '';
    const body = {
      key,
      type,
      isIdentity,
      sourcePath: isComputed ? null : column,
      transform_expr: isComputed ? expression : null,
    };
    const fieldId = field.stored?.id ?? present.get(key)?.id;
    if (fieldId === undefined)
      await tieout.createDatasetField({ path: { id }, body: { ...body, name: column || key } });
    else await tieout.updateDatasetField({ path: { fieldId }, body });
  }
}
