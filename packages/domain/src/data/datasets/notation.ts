import type { FileNotation } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';

/** Reads the notation of files by id; unknown ids are absent. */
export async function loadNotations(
  scope: Pick<TenantScope, 'tenantId' | 'db'>,
  fileIds: readonly string[],
): Promise<Map<string, FileNotation>> {
  if (fileIds.length === 0) return new Map();
  const rows = await scope.db.query<FileNotation & { id: string }>(
    `select id, detected ->> 'format' as format, detected -> 'decimalSeparator' as "decimalSeparator",
            detected -> 'decimalSeparators' as "decimalSeparators", detected -> 'dateFormats' as "dateFormats"
     from data_source_files where tenant_id = $1::uuid and id = any($2::uuid[]) and detected is not null`,
    [scope.tenantId, fileIds],
  );
  return new Map(rows.map(({ id, ...notation }) => [id, notation]));
}
