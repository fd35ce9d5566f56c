const KIB = 1024;
const MIB = 1024 * KIB;

/** What a file may cost. Everything that is kept in memory while a file is read has one of these bounds. */
export const limits = {
  /** Bytes at the beginning of a file from which its dialect, its columns and their formats are found. */
  sampleBytes: MIB,
  /** Rows of the sample that the formats of columns are found in. */
  sampleRows: 2_000,
  /** Characters of one row, quotes and line breaks in it included; a record may have no more either. */
  rowChars: MIB,
  /** Columns of a sheet of Excel, the widest of what is read. */
  columns: 16_384,
  /** Rows of a batch, where a format does not give one for each part of the file that it reads. */
  batchRows: 1_000,
  /** Characters of a batch, roughly. */
  batchChars: MIB,
  /** Bytes of a rejected row that are kept. */
  rawBytes: KIB,
} as const;
