/** The characters that structure a delimited text. */
export interface Dialect {
  delimiter: string;
  /** Empty where nothing is quoted. */
  quote: string;
  newline: '\n' | '\r';
}
