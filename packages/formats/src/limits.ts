const kib = 1024;
const mib = 1024 * kib;

/** The limits of a file. Everything that is kept in memory while a file is read has one of these bounds. */
export const limits = {
  /** Bytes at the beginning of a file from which its dialect, columns and formats are detected. */
  sampleBytes: mib,
  /** Rows of the sample from which column formats are detected. */
  sampleRows: 2_000,
  /** Characters of one row, including quotes and line breaks. A record has the same limit. */
  rowChars: mib,
  /** Characters of a text that may be a number or a date. Patterns skip longer ones. */
  valueChars: 64,
  /** Columns of a table. Every row is filled up to the header, so a few bytes could become this many values. */
  columns: 2_000,
  /** Nested elements, and nested values. */
  depth: 64,
  /** Digits of a row's numbers below 1e-6 or from 1e21 on: the database writes them without exponents. */
  digitsWrittenOut: 1_000_000,
  /** Characters of XML between two tags. */
  xmlTextChars: mib,
  /** Max XML elements of one entry of a bank statement. */
  entryElements: 50_000,
  /** Characters of an entry's transactions that are kept until the entry ends. */
  entryDetailChars: 256 * kib,
  /** Lines of a transaction of QIF. */
  recordLines: 20_000,
  /** Balances of a statement. */
  balances: 1_000,
  /** Parts of a workbook. */
  zipEntries: 10_000,
  /** The unpacked size of a part of a workbook. */
  unpackedBytes: 4 * 1024 * mib,
  /** The unpacked size of a file in an archive: that of an upload. */
  archivedBytes: 256 * mib,
  /** The maximum ratio of unpacked to packed size … */
  unpackedRatio: 200,
  /** … which applies above this unpacked size. */
  unpackedFreeBytes: 64 * mib,
  /** Characters of a workbook's shared texts, which are kept in memory. */
  sharedTextChars: 64 * mib,
  sharedTexts: 8 * mib,
  /** Cell formats that a workbook declares. */
  cellFormats: 65_536,
  sheets: 1_024,
  /**
   * Rows of a batch. Delimited texts have small rows and therefore more rows per batch, up to the same number of
   * values.
   */
  batchRows: 1_000,
  batchValues: 65_536,
  /** Characters of a batch, approximately. */
  batchChars: mib,
  /** Missing values of all rows of a file together. */
  filledValues: 500_000_000,
  /** Bytes of a rejected row that are kept. */
  rawBytes: kib,
} as const;
