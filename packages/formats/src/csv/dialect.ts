/** The characters that structure a delimited text. */
export interface Dialect {
  delimiter: string;
  /** Empty where nothing is quoted. */
  quote: string;
  newline: '\n' | '\r';
  /** Lines that begin with this text are left out; default none. */
  comment?: string;
  /** Number of lines at the beginning that are left out; default 0. */
  skipLines?: number;
}
