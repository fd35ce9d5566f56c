import type { Readable } from 'node:stream';

export const fileFormats = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'ofx', 'camt.053'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Where the bytes of a file come from; every call of `open` is a new reading. */
export interface FileSource {
  sizeBytes: number;
  /** The bytes from `start` (0 when absent) up to, without, `end` (the end of the file when absent). */
  open(start?: number, end?: number): Promise<Readable>;
}

/** What the sender of a file says about it. What is absent is found out from the content. */
export interface ReadOptions {
  format?: FileFormat;
  /** One character. CSV only. */
  delimiter?: string;
  /** One character, or '' for a file without quotes. CSV and TSV. */
  quote?: string;
  /** A name that `supportedEncodings` holds. CSV, TSV and NDJSON. */
  encoding?: string;
  decimalSeparator?: DecimalSeparator;
  /** Name of the sheet. XLSX only; the first sheet when absent. */
  sheet?: string;
  /** Whether the first row names the columns (it does when absent). CSV, TSV and XLSX. */
  header?: boolean;
  /** `DD/MM/YYYY` and the like, for every column. */
  dateFormat?: string;
}

export type DecimalSeparator = '.' | ',';

/**
 * Where reading goes on: rows from `line` on are still to come. `offset` is the byte at which that line begins, where a
 * format can be entered in the middle; otherwise the file is read again from its beginning and what was read is skipped.
 */
export interface Position {
  line: number;
  offset: number | null;
}

/** Everything that decides how the rows of a file are read. Plain JSON: a stored one reads the same rows again. */
export interface Detected {
  format: FileFormat;
  /** From the content, never from the name. */
  mimeType: string;
  encoding: string | null;
  /** Whether all bytes are of that encoding. Where they are not, the rows that hold others are rejected. */
  encodingIsExact: boolean;
  delimiter: string | null;
  quote: string | null;
  newline: '\n' | '\r' | null;
  /** The separator that the data proves, or that was given; null where nothing proves one or columns differ. */
  decimalSeparator: DecimalSeparator | null;
  /** By column, only where the values of that column prove it. */
  decimalSeparators: Record<string, DecimalSeparator>;
  /** By column, only where the data proves it: the format of dates that are not ISO 8601. */
  dateFormats: Record<string, string>;
  /** Names of the columns as they are in the data of rows; null where rows name their own. */
  headers: string[] | null;
  /** The line of the header; what goes before it is no data. Null where nothing names the columns in a row. */
  headerLine: number | null;
  sheetNames: string[] | null;
  sheet: string | null;
  /** What its sender should look at; absent from what earlier versions stored. */
  warnings?: ReadingWarning[];
}

/** Something that the content of a file leaves open, or that its sender may not expect. */
export interface ReadingWarning {
  code:
    'ambiguous_number' | 'ambiguous_date' | 'serial_dates' | 'lines_skipped' | 'totals' | 'records_without_identity';
  column: string | null;
  /** What was assumed, and what to do where that is wrong. */
  message: string;
}

export interface Row {
  /** Counted from 1: the line of a CSV, TSV or NDJSON file, the row of a sheet, elsewhere the number of the item. */
  line: number;
  data: Record<string, unknown>;
}

export interface RejectedRow {
  line: number;
  /** The column at fault, where it is one. */
  column: string | null;
  code: RowFault;
  message: string;
  /** The row as it was read, cut at 1 KiB. */
  raw: string;
}

/** Rows in the order of the file. Each line is at most once in `rows` or `rejected` of all batches. */
export interface RowBatch {
  rows: Row[];
  rejected: RejectedRow[];
  /** Where the next batch begins. Reading from there gives the rest of the file. */
  next: Position;
}

/** Why a row was not read. */
export type RowFault =
  | 'too_many_columns'
  | 'quote_not_closed'
  | 'row_too_long'
  | 'invalid_encoding'
  | 'unstorable_character'
  | 'nested_too_deep'
  | 'not_an_object'
  | 'malformed_json'
  | 'cell_error'
  | 'shared_text_missing'
  | 'value_out_of_range'
  | 'number_not_exact'
  | 'missing_amount'
  | 'incomplete';

/** Why a file cannot be read at all, or not any further. */
export type FileFault =
  | 'file_empty'
  | 'file_binary'
  | 'format_unsupported'
  | 'format_mismatch'
  | 'option_invalid'
  | 'header_missing'
  | 'header_too_long'
  | 'sheet_not_found'
  | 'password_protected'
  | 'file_damaged'
  | 'file_too_large';

/** What a file is, as far as its content has been looked at. Plain JSON. */
export interface Recognised {
  mimeType: string;
  format: FileFormat | null;
  sheetNames: string[] | null;
}

/** The file cannot be read. The message says to its sender what is wrong and what to do. */
export class FileUnreadableError extends Error {
  /** Null where nothing says what it is. */
  recognised: Recognised | null;

  constructor(
    readonly code: FileFault,
    message: string,
    options: { cause?: unknown; recognised?: Recognised } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FileUnreadableError';
    this.recognised = options.recognised ?? null;
  }
}
