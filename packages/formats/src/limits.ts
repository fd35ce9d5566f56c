const kib = 1024;
const mib = 1024 * kib;

/** What a file may cost. Everything that is kept in memory while a file is read has one of these bounds. */
export const limits = {
  /** Bytes at the beginning of a file from which its dialect, its columns and their formats are found. */
  sampleBytes: mib,
  /** Rows of the sample that the formats of columns are found in. */
  sampleRows: 2_000,
  /** Characters of one row, quotes and line breaks in it included; a record may have no more either. */
  rowChars: mib,
  /** Characters of a text that may be a number or a date; patterns for these look at no longer one. */
  valueChars: 64,
  /** Columns of a table. Every row is filled up to the header, so that a few bytes may stand for as many values. */
  columns: 2_000,
  /** Elements inside of elements, and of values inside of values. */
  depth: 64,
  /** Of a row's numbers below 1e-6 or from 1e21 on: the database writes them without exponents. */
  digitsWrittenOut: 1_000_000,
  /** Characters of XML between two tags. */
  xmlTextChars: mib,
  /** Elements of one entry of a bank statement. */
  entryElements: 50_000,
  /** Parts of a workbook. */
  zipEntries: 10_000,
  /** What a part of a workbook may unpack to. */
  unpackedBytes: 4 * 1024 * mib,
  /** A part may unpack to so many times its packed size … */
  unpackedRatio: 200,
  /** … or to so much, whatever its packed size is. */
  unpackedFreeBytes: 64 * mib,
  /** Characters of all texts that the cells of a workbook share; they are kept in memory. */
  sharedTextChars: 64 * mib,
  sharedTexts: 8 * mib,
  /** Formats of cells that a workbook declares. */
  cellFormats: 65_536,
  sheets: 1_024,
  /** Rows of a batch. Delimited texts, whose rows are small, have more: as many as make so many values. */
  batchRows: 1_000,
  batchValues: 65_536,
  /** Characters of a batch, roughly. */
  batchChars: mib,
  /** Values that the rows of a file lack, all in all. */
  filledValues: 500_000_000,
  /** Bytes of a rejected row that are kept. */
  rawBytes: kib,
} as const;
