import type { Readable } from 'node:stream';

/** Formats of bank statements. A reader gives their values with types; whatever is text stays text. */
export const statementFormats = ['ofx', 'qif', 'mt940', 'mt942', 'camt.052', 'camt.053', 'camt.054'] as const;
export type StatementFormat = (typeof statementFormats)[number];

export const fileFormats = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', ...statementFormats] as const;
export type FileFormat = (typeof fileFormats)[number];

export function isStatementFormat(format: FileFormat): format is StatementFormat {
  return statementFormats.some((statement) => statement === format);
}

/** The bytes of a file. Every call of `open` starts a new reading. */
export interface FileSource {
  sizeBytes: number;
  /** Opens the bytes from `start` (default 0) up to but not including `end` (default: the end of the file). */
  open(start?: number, end?: number): Promise<Readable>;
}

/** The sender's options. Absent ones are detected from the content. */
export interface ReadOptions {
  format?: FileFormat;
  /** One character. CSV only. */
  delimiter?: string;
  /** One character, or '' for a file without quotes. CSV and TSV. */
  quote?: string;
  /** A name in `supportedEncodings`. CSV, TSV and NDJSON. */
  encoding?: string;
  decimalSeparator?: DecimalSeparator;
  /** Name of the sheet, by default the first one. XLSX only. */
  sheet?: string;
  /** True if a row names the columns; default: as the content shows. CSV, TSV and XLSX. */
  header?: boolean;
  /** Number of the line that names the columns; the lines before it are no data. CSV, TSV and XLSX. */
  headerRow?: number;
  /** Number of lines at the beginning that are left out. CSV, TSV and XLSX. */
  skipLines?: number;
  /** Lines that begin with this text are left out; '' where there are none. CSV and TSV. */
  comment?: string;
  /** False if all rows at the end are data, true if totals and notes stand there; default: as the content shows. */
  footer?: boolean;
  /** Names of the objects that lead to the array of rows, with points between them. JSON only. */
  path?: string;
  /** `DD/MM/YYYY` and the like, for every column. */
  dateFormat?: string;
}

/** Options, and for whom the file is read. */
export interface GivenOptions extends ReadOptions {
  /** True where no dataset and no upload is there, of which messages could speak. */
  isLocal?: boolean;
}

export type DecimalSeparator = '.' | ',';

/**
 * The position at which reading resumes: rows from `line` on are still to come. `offset` is the byte at which that line
 * begins, where the format can be entered in the middle; otherwise the file is read from its beginning and rows are
 * skipped.
 */
export interface Position {
  line: number;
  offset: number | null;
}

/** Everything that decides how the rows of a file are read. Plain JSON: a stored reading reads the same rows again. */
export interface Detected {
  format: FileFormat;
  /** Detected from the content, never from the name. */
  mimeType: string;
  encoding: string | null;
  /** True when all bytes are valid in the encoding. Otherwise rows with invalid bytes are rejected. */
  encodingIsExact: boolean;
  delimiter: string | null;
  quote: string | null;
  newline: '\n' | '\r' | null;
  /** The separator that the data proves or the sender gave; null where nothing proves one or columns differ. */
  decimalSeparator: DecimalSeparator | null;
  /** The decimal separator of each column whose values prove one. */
  decimalSeparators: Record<string, DecimalSeparator>;
  /** The date format of each column whose values prove one that is not ISO 8601. */
  dateFormats: Record<string, string>;
  /** The column names used in the data of rows; null where rows name their own values. */
  headers: string[] | null;
  /** The line of the header; the lines before it are no data. Null where no row names the columns. */
  headerLine: number | null;
  sheetNames: string[] | null;
  sheet: string | null;
  /** The first line of data, where rows without names precede it. */
  firstLine?: number;
  /** Lines that begin with this text are left out. */
  comment?: string;
  /** Number of cells of which such a line is a row; absent where the sender named the text. */
  rowCells?: number;
  /** The columns whose amounts are cut at their commas, among those that the header has cells for. */
  cutAmounts?: { columns: number[]; width: number };
  /** Number of lines at the beginning that are left out. */
  skipLines?: number;
  /** The sender's word on totals and notes below the table; absent where the content decides. */
  footer?: boolean;
  /** True as in `GivenOptions`. */
  isLocal?: boolean;
  /** Names of the objects that lead to the list of rows. JSON only. */
  path?: string[];
  /** True where each row is a list of values. JSON only. */
  listRows?: boolean;
  /** The type of each column whose values show one. Absent in readings that earlier versions stored. */
  types?: Record<string, ColumnType>;
  /** The pairs above the table. */
  preamble?: Record<string, string>;
  /** The confidence in the reading. */
  evidence?: ReadingEvidence;
  /** Points that the sender should check. Absent in readings that earlier versions stored. */
  warnings?: ReadingWarning[];
  /** The file of an archive that is read. Absent where the file is no archive. */
  archived?: string;
  /** True where the format gives rows an identity that counts. Absent in most formats. */
  identifies?: boolean;
  /** The first statements of the file. Absent in formats that are no statements. */
  statements?: StatementSummary[];
  /** The notation of a QIF file, which its texts only prove together. */
  qif?: QifNotation;
  /** The separator of decimals that the amounts of a file of statements prove together. */
  amountSeparator?: DecimalSeparator;
  /**
   * Entries of camt files that have too many transactions to be kept while they are read, by number, and the element
   * by which these add up to the entry; null where they do not.
   */
  largeEntries?: Record<string, string | null>;
  /** Securities by their id, which OFX lists after their transactions. */
  securities?: Record<string, Security>;
}

export interface QifNotation {
  dateOrder: 'DMY' | 'MDY' | 'YMD';
  decimalSeparator: DecimalSeparator;
  /** A date with several readings, where no date of the file proves the order. */
  doubtfulDate?: string;
  /** A number with several readings, where no number proves the separator. */
  doubtfulNumber?: string;
}

export interface Security {
  name: string | null;
  ticker: string | null;
}

/** One statement of a file: its account and its balances. */
export interface StatementSummary {
  id: string | null;
  account_id: string | null;
  currency: string | null;
  transactions: number;
  balances: StatementBalance[];
  /** The text of the bank that belongs to the statement and to none of its transactions. */
  additional_information?: string;
}

export interface StatementBalance {
  /** `opening`, `closing`, `available` and the like; otherwise the code of the format. */
  type: string;
  /** Negative for a debit. Text where no number is exact. */
  amount: number | string;
  currency: string | null;
  date: string | null;
}

export type ColumnType = 'string' | 'number' | 'amount' | 'boolean' | 'date' | 'datetime' | 'array' | 'object';

export interface ReadingEvidence {
  /** From 0 to 1. */
  confidence: number;
  /** Other readings, the likelier first. */
  alternatives: { delimiter: string | null; headerLine: number | null; confidence: number }[];
}

/** Something that the content leaves open, or that the sender may not expect. */
export interface ReadingWarning {
  code:
    | 'serial_dates'
    | 'column_mostly_amounts'
    | 'column_mostly_dates'
    | 'column_mixed_types'
    | 'column_with_units'
    | 'column_mixed_currencies'
    | 'other_calendar'
    | 'number_not_exact'
    | 'numbers_as_text'
    | 'lines_skipped'
    | 'no_header'
    | 'columns_without_name'
    | 'header_joined'
    | 'repeated_header'
    | 'remarks_skipped'
    | 'remarks_kept'
    | 'amounts_joined'
    | 'amounts_cut'
    | 'reading_uncertain'
    | 'encoding_guessed'
    | 'nested_rows'
    | 'totals'
    | 'footer_skipped'
    | 'file_cut'
    | 'records_without_identity'
    | 'reviews_lost'
    | 'no_ready_rows'
    | 'no_field_values'
    | 'archive_files_skipped'
    | 'sheets_skipped'
    | StatementWarning;
  column: string | null;
  /** The assumption, and a remedy outside of the options. */
  message: string;
  /** Options, one of which settles it where the assumption is wrong. */
  remedies?: readonly ReadingRemedy[];
  /** Number of what the warning is about, where that is more than a column. */
  count?: number;
}

/** An option of an upload. Those who show it name it as they take it: a control, an argument, a field. */
export interface ReadingRemedy {
  option: keyof ReadOptions | 'identity';
  /** The value as text; null where the content shows none. */
  value: string | null;
}

/** Points about statements that the sender should check. */
export type StatementWarning =
  | 'ambiguous_date'
  | 'ambiguous_number'
  | 'balance_differs'
  | 'bank_error'
  | 'batch_kept_whole'
  | 'closing_balance_missing'
  | 'currency_missing'
  | 'day_corrected'
  | 'identity_repeated'
  | 'invalid_characters'
  | 'negative_amounts'
  | 'no_transactions'
  | 'pending_transactions'
  | 'splits_differ'
  | 'statement_missing';

export interface FileRow {
  /** Counted from 1: the line of a CSV, TSV or NDJSON file, the row of a sheet, otherwise the number of the item. */
  line: number;
  data: Record<string, unknown>;
  /** The identity that the format gives a transaction: equal in every file that has it. Absent where it gives none. */
  identity?: string;
}

export interface RejectedRow {
  line: number;
  /** The column at fault, if any. */
  column: string | null;
  code: RowFault;
  message: string;
  /** The row as read, cut at 1 KiB. */
  raw: string;
}

/** Rows in the order of the file. Each line occurs at most once in `rows` or `rejected` of all batches. */
export interface RowBatch {
  rows: FileRow[];
  rejected: RejectedRow[];
  /** The position of the next batch. Reading from there gives the rest of the file. */
  next: Position;
  /** Points that only the end of the file shows. */
  warnings?: ReadingWarning[];
}

/** The reason why a row was not read. */
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

/** The reason why a file cannot be read at all, or not any further. */
export type FileFault =
  | 'file_empty'
  | 'file_binary'
  | 'format_unsupported'
  | 'format_mismatch'
  | 'not_a_table'
  | 'option_invalid'
  | 'header_too_long'
  | 'sheet_not_found'
  | 'password_protected'
  | 'file_damaged'
  | 'file_too_large'
  | 'bank_error';

/** The recognised format of a file, as plain JSON. */
export interface Recognised {
  mimeType: string;
  format: FileFormat | null;
  sheetNames: string[] | null;
}

/** The file cannot be read. The message tells its sender what is wrong and how to fix it. */
export class FileUnreadableError extends Error {
  /** Null where the format is unknown. */
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
