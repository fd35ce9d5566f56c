/** How a delimited text is written. */
export interface Dialect {
  delimiter: string;
  /** '' where nothing is quoted. */
  quote: string;
  newline: '\n' | '\r';
}
