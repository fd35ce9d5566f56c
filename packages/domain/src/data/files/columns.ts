import { columnsOfFile, type Detected, type FileSource } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import { addFieldsForColumns } from '../datasets';

/** Declares fields for the columns of a file that no field reads yet, with types inferred from its first rows. */
export async function deriveFields(
  scope: TenantScope,
  datasetId: string,
  source: FileSource,
  detected: Detected,
): Promise<void> {
  await addFieldsForColumns(scope, datasetId, await columnsOfFile(source, detected));
}
