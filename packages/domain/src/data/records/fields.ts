import { notationOf, type FileNotation } from '@tieout/formats';
import type { FieldDefinition } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';

const columns = `f.key, f.type, f.source_path as "sourcePath", f.transform_expr as "transformExpr",
  f.is_identity as "isIdentity"`;

/** Reads the identity fields of the dataset with this name, in the order of their creation; [] if there is none. */
export function loadIdentityFields(scope: TenantScope, dataset: string): Promise<FieldDefinition[]> {
  return scope.db.query<FieldDefinition>(
    `select ${columns} from datasets d join dataset_fields f on f.dataset_id = d.id
     where d.tenant_id = $1::uuid and d.name = $2 and f.is_identity order by f.id`,
    [scope.tenantId, dataset],
  );
}

/** Reads the fields of datasets by dataset id, in the order of their creation. */
export async function loadFields(
  scope: Pick<TenantScope, 'tenantId' | 'db'>,
  datasetIds: readonly string[],
): Promise<Map<string, FieldDefinition[]>> {
  const rows = await scope.db.query<FieldDefinition & { datasetId: string }>(
    `select f.dataset_id as "datasetId", ${columns} from dataset_fields f
     where f.tenant_id = $1::uuid and f.dataset_id = any($2::uuid[]) order by f.id`,
    [scope.tenantId, datasetIds],
  );
  const byDataset = new Map<string, FieldDefinition[]>(datasetIds.map((id) => [id, []]));
  for (const { datasetId, ...field } of rows) byDataset.get(datasetId)?.push(field);
  return byDataset;
}

/** Returns the fields with the notation of a file. */
export function withNotation(fields: readonly FieldDefinition[], file: FileNotation): FieldDefinition[] {
  return fields.map((field) => {
    const column = field.transformExpr === null ? (field.sourcePath ?? field.key) : undefined;
    return { ...field, notation: notationOf(column, file) };
  });
}
