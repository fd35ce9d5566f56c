import type { TenantScope } from '../../kernel/scope';
import { datasetNotFound } from './datasets';

/** How far the records of a dataset are normalised under its present fields. */
export interface DatasetProgress {
  fieldsVersion: number;
  /** Records of the dataset. */
  total: number;
  /** Those that are ready or failed under the present fields. */
  processed: number;
}

/**
 * While fields have changed, records go back to `received` step by step: what is left is what was not taken back yet,
 * and what waits.
 * @throws AppError dataset_not_found
 */
export async function datasetProgress(scope: TenantScope, id: string): Promise<DatasetProgress> {
  const [row] = await scope.db.query<{ fieldsVersion: number; total: number; received: number; untouched: number }>(
    `select d.fields_version as "fieldsVersion", counts.total, counts.received,
            case when d.reprocessed_version >= d.fields_version then 0
                 when d.reprocessing_version = d.fields_version then counts.total - d.reprocess_taken
                 else counts.total end as untouched
     from datasets d
     cross join lateral (
       select (select count(*)::int from records r where r.tenant_id = d.tenant_id and r.dataset_id = d.id) as total,
              (select count(*)::int from records r where r.tenant_id = d.tenant_id and r.dataset_id = d.id and r.status = 'received') as received
     ) counts
     where d.tenant_id = $1::uuid and d.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!row) throw datasetNotFound();
  const { fieldsVersion, total, received, untouched } = row;
  // Records that came meanwhile may be counted on both sides.
  const left = Math.min(total, Math.max(0, untouched) + received);
  return { fieldsVersion, total, processed: total - left };
}
