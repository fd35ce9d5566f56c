import { csvRow, guarded, quoted } from '@tieout/formats';

export interface RejectLine {
  line: number;
  column: string | null;
  code: string;
  message: string;
  raw: string;
}

const cellOf = (value: string | number | null): string =>
  typeof value === 'string' ? quoted(guarded(value)) : String(value ?? '');

/** Writes the rejected rows of a file as CSV, whose cells no spreadsheet runs as formulas. */
export const csvOfRejects = (rows: readonly RejectLine[]): string =>
  [
    ['line', 'column', 'code', 'message', 'row'],
    ...rows.map(({ line, column, code, message, raw }) => [line, column, code, message, raw]),
  ]
    .map((cells) => csvRow(cells.map(cellOf)))
    .join('');
