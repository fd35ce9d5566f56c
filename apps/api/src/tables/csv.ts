import { mapEach } from '@tieout/infra';
import type { Table, TableCell, TableColumnKind, TableRow } from './table';
import { csvLineEnd, csvRow, guarded, quoted } from './text-cell';

export const csvType = 'text/csv; charset=utf-8';

/** Writes one table as RFC 4180, page by page, with the keys of its columns as the header. */
export async function* csvOfTable({ columns, pages }: Table): AsyncGenerator<Buffer, void, void> {
  let pending = csvRow(columns.map(({ key }) => key));
  yield* mapEach(pages(), (rows) => {
    const bytes = Buffer.from(pending + rows.map((row) => csvRow(cellsOf(columns, row))).join(''));
    pending = '';
    return bytes;
  });
  if (pending !== '') yield Buffer.from(pending);
}

/** Writes tables one after the other, each below its name, with an empty line between two. */
export async function* csvOfTables(tables: readonly Table[]): AsyncGenerator<Buffer, void, void> {
  for (const [index, table] of tables.entries()) {
    yield Buffer.from((index === 0 ? '' : csvLineEnd) + csvRow([table.key]));
    yield* csvOfTable(table);
  }
}

const cellsOf = (columns: Table['columns'], row: TableRow): string[] =>
  row.map((value, at) => csvCell(columns[at]?.kind ?? 'text', value));

function csvCell(kind: TableColumnKind, value: TableCell): string {
  if (value === null) return '';
  return kind === 'text' ? quoted(guarded(String(value))) : String(value);
}
