import type { TenantScope } from '../scope';
import type { FieldDefinition, Notation } from './field';

/** How the texts of a file are written, as far as that is known: by column, else for all of them. */
export interface FileNotation {
  decimalSeparator: '.' | ',' | null;
  decimalSeparators: Record<string, '.' | ','>;
  dateFormats: Record<string, string>;
}

/** How the texts of a column are written; without a column, what holds for the whole file. */
export function notationOf(column: string | undefined, file: FileNotation): Notation {
  const decimalSeparator = own(file.decimalSeparators, column) ?? file.decimalSeparator;
  const dateFormat = own(file.dateFormats, column);
  return { ...(decimalSeparator ? { decimalSeparator } : {}), ...(dateFormat === undefined ? {} : { dateFormat }) };
}

const own = <T>(byColumn: Record<string, T>, column: string | undefined): T | undefined =>
  column !== undefined && Object.hasOwn(byColumn, column) ? byColumn[column] : undefined;

/** The fields as they read the data of a file. */
export function withNotation(fields: readonly FieldDefinition[], file: FileNotation): FieldDefinition[] {
  return fields.map((field) => {
    const column = field.transformExpr === null ? (field.sourcePath ?? field.key) : undefined;
    return { ...field, notation: notationOf(column, file) };
  });
}

/** The notation of files by id; unknown ids are left out. */
export async function loadNotations(scope: Pick<TenantScope, 'tenantId' | 'db'>, fileIds: readonly string[]): Promise<Map<string, FileNotation>> {
  if (fileIds.length === 0) return new Map();
  const rows = await scope.db.query<FileNotation & { id: string }>(
    `select id, detected -> 'decimalSeparator' as "decimalSeparator", detected -> 'decimalSeparators' as "decimalSeparators",
            detected -> 'dateFormats' as "dateFormats"
     from data_source_files where tenant_id = $1::uuid and id = any($2::uuid[]) and detected is not null`,
    [scope.tenantId, fileIds],
  );
  return new Map(rows.map(({ id, ...notation }) => [id, notation]));
}
