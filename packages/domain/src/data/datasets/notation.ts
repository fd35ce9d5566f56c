import { plainAmount, plainDate, type FileFormat } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import type { FieldType, Notation } from '../../kernel/ports';

/** The known notation of a file's texts, by column or for all columns. */
export interface FileNotation {
  format: FileFormat;
  decimalSeparator: '.' | ',' | null;
  decimalSeparators: Record<string, '.' | ','>;
  dateFormats: Record<string, string>;
}

/** Returns the notation of a column; without a column, that of the whole file. */
export function notationOf(column: string | undefined, file: FileNotation): Notation {
  const decimalSeparator = own(file.decimalSeparators, column) ?? file.decimalSeparator;
  const dateFormat = own(file.dateFormats, column);
  return { ...(decimalSeparator ? { decimalSeparator } : {}), ...(dateFormat === undefined ? {} : { dateFormat }) };
}

const own = <T>(byColumn: Record<string, T>, column: string | undefined): T | undefined =>
  column !== undefined && Object.hasOwn(byColumn, column) ? byColumn[column] : undefined;

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

/** Converts a text to its JSON form; undefined for a number in another notation. */
export function plainText(
  type: FieldType,
  text: string,
  { decimalSeparator, dateFormat }: Notation,
): string | undefined {
  if (type === 'amount' || type === 'number') return plainAmount(text, decimalSeparator);
  if (type !== 'date' && type !== 'datetime') return text;
  return plainDate(text, dateFormat) ?? text;
}
