import { readPath } from '@tieout/engine';
import { columnType, type ColumnValue } from '../columns/types';
import { statementColumns } from '../statement/columns';
import { isStatementFormat, type ColumnType } from '../types';
import { notationOf, type FileNotation } from './notation';

/** Data of a record, with the notation of its file. */
export interface SampleRow {
  data: Record<string, unknown>;
  file: FileNotation | null;
}

/** Infers the type of a column from its name and its values, read in the notation of their files. */
export function typeOfColumn(path: string, rows: readonly SampleRow[]): ColumnType {
  const values: ColumnValue[] = [];
  for (const { data, file } of rows) {
    const value = readPath(data, path);
    if (value === undefined || value === null || value === '') continue;
    if (file !== null && isStatementFormat(file.format)) {
      const known = statementColumns.get(path);
      if (known !== undefined) return known;
      if (typeof value === 'string') return 'string';
    }
    values.push({ value, notation: file === null ? null : notationOf(path, file) });
  }
  return columnType(path, values);
}
