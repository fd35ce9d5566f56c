/** The characters that structure a delimited text. */
export interface Dialect {
  delimiter: string;
  /** Empty where nothing is quoted. */
  quote: string;
  newline: '\n' | '\r';
  /** Lines that begin with this text are left out; default none. */
  comment?: string;
  /** A line that begins like a comment is a row if it has this number of cells; absent: it never is. */
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
