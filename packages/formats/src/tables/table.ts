/** The kinds of columns: they decide how a spreadsheet shows their values. */
export type TableColumnKind = 'text' | 'count' | 'amount' | 'number' | 'day' | 'moment';

export interface TableColumn {
  /** Names the column in CSV and JSON. */
  key: string;
  /** Names it in a spreadsheet. */
  title: string;
  kind: TableColumnKind;
}

/** A value of a table. Days are YYYY-MM-DD, moments ISO 8601; an amount is a text where a double cannot hold it. */
export type TableCell = string | number | null;
export type TableRow = readonly TableCell[];

/** A table that is read page by page. */
export interface Table {
  /** Names the table in CSV and JSON. */
  key: string;
  /** Names its sheet. */
  title: string;
  columns: readonly TableColumn[];
  pages: () => AsyncIterable<readonly TableRow[]>;
}
