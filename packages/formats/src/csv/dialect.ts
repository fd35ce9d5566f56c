/** The characters that structure a delimited text. */
export interface Dialect {
  delimiter: string;
  /** Empty where nothing is quoted. */
  quote: string;
  newline: '\n' | '\r';
  /** Lines that begin with this text are left out; default none. */
  comment?: string;
  /** Number of cells that make such a line a row nevertheless; absent where it never is one. */
  rowCells?: number;
  /** The line that names the columns, which is read even if it begins like a remark. */
  headerRow?: number | undefined;
  /** Number of lines at the beginning that are left out; default 0. */
  skipLines?: number;
}

/** A record from the beginning of a file. */
export interface SampleRecord {
  line: number;
  cells: string[];
}
