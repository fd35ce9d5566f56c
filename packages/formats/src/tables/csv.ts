import type { Table, TableCell, TableColumnKind, TableRow } from './table';
import { csvLineEnd, csvRow, guarded, quoted } from './text-cell';

export const csvType = 'text/csv; charset=utf-8';

/** Writes one table as RFC 4180, page by page, with the keys of its columns as the header. */
export async function* csvOfTable({ columns, pages }: Table): AsyncGenerator<Buffer, void, void> {
  yield Buffer.from(csvRow(columns.map(({ key }) => key)));
  const source = pages()[Symbol.asyncIterator]();
  // The page is not held while its text waits for the reader: many readers may be slow.
  const next = async (): Promise<Buffer | null> => {
    const page = await source.next();
    return page.done === true ? null : Buffer.from(page.value.map((row) => csvRow(cellsOf(columns, row))).join(''));
  };
  try {
    for (let text = await next(); text !== null; text = await next()) if (text.length > 0) yield text;
  } finally {
    await source.return?.();
  }
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
