import type { TieoutError } from '@tieout/client';
import { asTieoutError, tieout } from '../../api/client';
import type { MappedField } from './mapping';

interface MappingTarget {
  sourceId: string;
  dataset: string;
  datasetId: string | undefined;
  onMade: (datasetId: string) => void;
}

/** The service refuses a field as it is declared. */
export class FieldRefused extends Error {
  constructor(
    readonly key: string,
    readonly refusal: TieoutError,
  ) {
    super(refusal.message, { cause: refusal });
  }
}

/**
 * Declares the fields of the dataset, which keep the mapping for the next file. What an attempt before has declared is
 * taken as it is.
 *
 * @throws FieldRefused for a field, TieoutError for the dataset, whose name it calls /dataset
 */
export async function applyMapping(target: MappingTarget, changed: readonly MappedField[]): Promise<void> {
  const { sourceId, dataset } = target;
  const id = target.datasetId ?? (await datasetOf(dataset, sourceId));
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
    try {
      if (fieldId === undefined)
        await tieout.createDatasetField({ path: { id }, body: { ...body, name: column || key } });
      else await tieout.updateDatasetField({ path: { fieldId }, body });
    } catch (error) {
      throw new FieldRefused(key, asTieoutError(error));
    }
  }
}

async function datasetOf(name: string, dataSourceId: string): Promise<string> {
  try {
    return (await tieout.createDataset({ body: { name, dataSourceId } })).id;
  } catch (error) {
    throw asTieoutError(error).withPaths((path) => (path === '/name' ? '/dataset' : path));
  }
}
