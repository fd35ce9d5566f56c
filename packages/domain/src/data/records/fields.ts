import { notationOf, type FileNotation } from '@tieout/formats';
import type { FieldDefinition } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';

const columns = `f.key, f.type, f.source_path as "sourcePath", f.transform_expr as "transformExpr",
  f.is_identity as "isIdentity"`;

/** The version of a dataset that never had a field. */
const versionWithoutFields = 1;

/** The fields of a dataset as one statement saw them. */
export interface FieldsSeen {
  /** Null: there was no such dataset. */
  datasetId: string | null;
  /** Every change of the fields raises it. */
  version: number;
  fields: FieldDefinition[];
}

/** Reads the fields of a dataset, in the order of their creation. */
export async function loadFieldsSeen(
  scope: Pick<TenantScope, 'tenantId' | 'db'>,
  dataset: { id: string } | { name: string },
): Promise<FieldsSeen> {
  const [isDataset, value] = 'id' in dataset ? ['d.id = $2::uuid', dataset.id] : ['d.name = $2', dataset.name];
  const [seen] = await scope.db.query<FieldsSeen>(
    `select d.id as "datasetId", d.fields_version as version,
            coalesce((select json_agg(own) from (
              select ${columns} from dataset_fields f where f.dataset_id = d.id order by f.id) own), '[]') as fields
     from datasets d where d.tenant_id = $1::uuid and ${isDataset}`,
    [scope.tenantId, value],
  );
  return seen ?? { datasetId: null, version: versionWithoutFields, fields: [] };
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
