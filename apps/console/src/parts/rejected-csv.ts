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

/** Rows of a file that were not taken up, as CSV whose cells no spreadsheet runs. */
export const csvOfRejects = (rows: readonly RejectLine[]): string =>
  [
    ['line', 'column', 'code', 'message', 'row'],
    ...rows.map(({ line, column, code, message, raw }) => [line, column, code, message, raw]),
  ]
    .map((cells) => csvRow(cells.map(cellOf)))
    .join('');
