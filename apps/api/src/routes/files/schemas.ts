import { Type } from '@sinclair/typebox';
import { datasetNameMaxLength, fileFormats, fileStatuses, type FileView } from '@tieout/domain';
import { closed, freeForm, nullable, ofRecords, textEnum, timestamp, uuid } from '../../http';
import { fileWarningSchema, presentReading, presentWarning, readingSchema, withoutDoubtfulNames } from './reading';

const text = (description: string, maxLength = 100) => Type.String({ minLength: 1, maxLength, description });

/** The fields of an upload besides the file. */
export const uploadFields = closed({
  dataset: Type.Optional(
    text(
      'Name of the dataset for the rows, created on first use. Default: the name of the file without its extension',
      datasetNameMaxLength,
    ),
  ),
  format: Type.Optional(textEnum(fileFormats, { description: 'Default: detected from the content' })),
  sheet: Type.Optional(text('XLSX: name of the sheet. Default: the first')),
  delimiter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2,
      description: 'CSV: the character between cells; \\t for a tab. Default: detected from the content',
    }),
  ),
  quote: Type.Optional(
    Type.String({
      maxLength: 1,
      description: 'CSV: the character around cells; empty for none. Default: detected from the content',
    }),
  ),
  encoding: Type.Optional(
    text('Text files: utf-8, utf-16le, windows-1252, iso-8859-1 … Default: detected from the content'),
  ),
  decimalSeparator: Type.Optional(
    textEnum(['.', ','] as const, {
      description: 'Of numbers that are text. Default: proved by the content, for each column',
    }),
  ),
  dateFormat: Type.Optional(
    text('Of dates that are not ISO 8601, such as DD/MM/YYYY. Default: proved by the content, for each column', 40),
  ),
  header: Type.Optional(
    Type.Boolean({ description: 'Tables: whether a row names the columns. Default: as the content shows' }),
  ),
  headerRow: Type.Optional(
    Type.Integer({ description: 'Tables: number of the line that names the columns. Default: found by the content' }),
  ),
  skipLines: Type.Optional(
    Type.Integer({ description: 'Tables: number of lines at the beginning that are left out. Default: 0' }),
  ),
  comment: Type.Optional(
    Type.String({
      maxLength: 4,
      description:
        'CSV: lines that begin with this text are left out; empty for none. Default: # where it marks remarks',
    }),
  ),
  footer: Type.Optional(
    Type.Boolean({
      description:
        'Tables: false, all rows at the end are data; true, totals and notes there are left out, doubtful ones too. ' +
        'Default: clear ones are left out',
    }),
  ),
  path: Type.Optional(
    text(
      'JSON: names that lead to the list of rows, with points between them, such as data.items. Default: ' +
        'found by the ' +
        'content',
      200,
    ),
  ),
  equalRows: Type.Optional(
    textEnum(['same', 'new'] as const, {
      description:
        'For a row without identity that equals a row of an earlier file, also uploaded with same: same, it is ' +
        'that record; new, it becomes a new record. Default: new',
    }),
  ),
  identity: Type.Optional(
    textEnum(['format', 'none'] as const, {
      description:
        'OFX and camt: format, a transaction that another file has too is one record, where the dataset has no ' +
        'identity fields; none, each is a new record. Default: format',
    }),
  ),
  replaces: Type.Optional(
    uuid({
      description:
        'Id of an earlier file of the dataset. Once this file is read, records of the earlier one that it does not ' +
        'hold are removed',
    }),
  ),
  fromColumns: Type.Optional(
    Type.Boolean({
      description: 'Adds a field to the dataset for each column that no field reads yet, with the type of its values',
      default: false,
    }),
  ),
});

const statement = closed(
  {
    id: nullable(Type.String()),
    account_id: nullable(Type.String()),
    currency: nullable(Type.String()),
    transactions: Type.Integer({ minimum: 0 }),
    balances: Type.Array(
      closed({
        type: Type.String({ description: 'opening, closing, available, ledger …, or the code of the format' }),
        amount: Type.Union([Type.Number(), Type.String()]),
        currency: nullable(Type.String()),
        date: nullable(Type.String()),
      }),
    ),
    additional_information: Type.Optional(
      Type.String({ description: 'Text of the bank that belongs to no transaction, at most 1 KiB' }),
    ),
  },
  { $id: 'FileStatement' },
);

const metadata = closed(
  {
    datasetId: uuid(),
    dataset: Type.String({ description: 'Name of the dataset' }),
    options: freeForm({ description: 'The options of the upload' }),
    progress: closed({
      processed: Type.Integer({ minimum: 0, description: 'Rows that are stored or rejected' }),
      percent: nullable(Type.Number({ minimum: 0, maximum: 100 }), {
        description: 'Share of the file that is read; null where that is not known',
      }),
    }),
    ready: Type.Integer({ minimum: 0, description: 'Rows that are records and ready' }),
    failed: Type.Integer({
      minimum: 0,
      description: 'Rows that are records of status failed: a value does not fit its field',
    }),
    rejected: Type.Integer({ minimum: 0, description: 'Rows that could not be read; see the errors of the file' }),
    repeated: Type.Integer({
      minimum: 0,
      description: 'With equalRows=same: records of rows without identity that an earlier file had too',
    }),
    detected: nullable(
      freeForm({
        description: 'How the file is read: encoding, delimiter, quote, decimalSeparator(s), dateFormats, sheet',
      }),
    ),
    statements: ofRecords(Type.Array(statement, { description: 'Account and balances of the first 100 statements' })),
    preamble: ofRecords(freeForm({ description: 'Tables: the pairs above the table' })),
    warnings: Type.Array(fileWarningSchema, { description: 'The same as warnings of the file' }),
    errorCode: nullable(Type.String()),
    duplicateOf: nullable(uuid(), {
      description: 'The file of the dataset with the same content: this one added no records',
    }),
    replaces: nullable(uuid(), {
      description:
        'The file whose rows this one replaces: one with the same content but other options, or one that the ' +
        'upload named',
    }),
    replacedBy: nullable(uuid(), { description: 'The file that replaced the rows of this one' }),
    expiredAt: nullable(timestamp(), {
      description: 'When its bytes and the list of its errors were removed because of their age; its records remain',
    }),
  },
  { description: 'Further details of the file' },
);

const example = {
  id: '01994e70-2b30-7c51-9c11-2f4e6a8b0c3d',
  dataSourceId: '01994e6c-3c20-7e55-8d13-7c2e4f6a8b32',
  tenantId: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10',
  fileName: '01994e70-2b30-7c51-9c11-2f4e6a8b0c3d',
  originalName: 'statement-march.csv',
  filePath: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10/01994e70-2b30-7c51-9c11-2f4e6a8b0c3d',
  mimeType: 'text/csv',
  format: 'csv',
  sizeBytes: 48211,
  rowCount: 312,
  headers: ['Buchungstag', 'Betrag', 'Verwendungszweck'],
  sheetNames: [],
  status: 'ready',
  reading: {
    format: 'csv',
    encoding: 'windows-1252',
    delimiter: ';',
    quote: '"',
    header_row: 1,
    skip_lines: 0,
    comment: null,
    sheet: null,
    path: null,
    decimal_separator: ',',
    date_formats: { Buchungstag: 'DD.MM.YYYY' },
    types: { Buchungstag: 'date', Betrag: 'amount', Verwendungszweck: 'string' },
    confidence: 1,
    alternatives: [],
  },
  warnings: [],
  errorMessage: null,
  metadata: {
    datasetId: '01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d',
    dataset: 'statement-march',
    options: {},
    progress: { processed: 312, percent: 100 },
    ready: 309,
    failed: 2,
    rejected: 1,
    repeated: 0,
    detected: {
      encoding: 'windows-1252',
      delimiter: ';',
      quote: '"',
      decimalSeparator: ',',
      decimalSeparators: {},
      dateFormats: { Buchungstag: 'DD.MM.YYYY' },
      sheet: null,
    },
    statements: [],
    preamble: {},
    warnings: [],
    errorCode: null,
    duplicateOf: null,
    replaces: null,
    replacedBy: null,
    expiredAt: null,
  },
  uploadedAt: '2026-04-01T08:30:00.000Z',
  processedAt: '2026-04-01T08:30:01.204Z',
};

export const fileSchema = closed(
  {
    id: uuid(),
    dataSourceId: uuid(),
    tenantId: uuid(),
    fileName: Type.String({ description: 'The name under which the file is stored' }),
    originalName: Type.String({ description: 'The name that the upload gave' }),
    filePath: Type.String({ description: 'The path of the file in the storage' }),
    mimeType: nullable(Type.String(), {
      description: 'Detected from the content, even if the file cannot be read; null until then',
    }),
    format: nullable(Type.String(), {
      description: `Detected from the content: ${fileFormats.join(', ')}; null until then, and for any other format`,
    }),
    sizeBytes: Type.Integer({ minimum: 0 }),
    rowCount: Type.Integer({
      minimum: 0,
      description: 'Rows of data so far, rejected ones included; once the file is ready, of the whole file',
    }),
    headers: Type.Array(Type.String(), {
      description:
        'Names of the columns, as they are in the data of the records. Without records:read, columns of a doubtful ' +
        'reading are numbered, as their names may be values',
    }),
    sheetNames: Type.Array(Type.String(), { description: 'Sheets of a workbook' }),
    status: textEnum(fileStatuses),
    reading: nullable(readingSchema, { description: 'Null until the content is read' }),
    warnings: Type.Array(fileWarningSchema, {
      description:
        'Of the reading: reading_uncertain, encoding_guessed, no_header, header_joined, lines_skipped, ' +
        'columns_without_name, repeated_header, remarks_skipped, remarks_kept, amounts_joined, amounts_cut, ' +
        'file_cut, nested_rows, archive_files_skipped, sheets_skipped; of ' +
        'columns: ambiguous_number, ambiguous_date, ' +
        'column_mostly_amounts, column_mostly_dates, column_mixed_types, column_mixed_currencies, column_with_units, ' +
        'number_not_exact, numbers_as_text, other_calendar, serial_dates; of rows: footer_skipped, ' +
        'totals; of statements: balance_differs, bank_error, ' +
        'batch_kept_whole, closing_balance_missing, currency_missing, day_corrected, identity_repeated, ' +
        'invalid_characters, negative_amounts, ' +
        'no_transactions, pending_transactions, splits_differ, statement_missing; of the dataset: no_field_values, ' +
        'no_ready_rows, records_without_identity, reviews_lost',
    }),
    errorMessage: ofRecords(nullable(Type.String(), { description: 'Why the file failed, and what to do' })),
    metadata,
    uploadedAt: timestamp(),
    processedAt: nullable(timestamp()),
  },
  { $id: 'DataSourceFile', examples: [example] },
);

export const rowErrorSchema = closed(
  {
    line: Type.Integer({ minimum: 1, description: 'Line of the file, row of the sheet, or number of the item' }),
    column: nullable(Type.String()),
    code: Type.String(),
    message: Type.String(),
    raw: Type.String({ description: 'The row as it was read, cut at 1 KiB' }),
    recordId: nullable(uuid(), {
      description: 'The record of status failed that the row became; null where the row could not be read',
    }),
  },
  {
    $id: 'RowError',
    examples: [
      {
        line: 17,
        column: null,
        code: 'too_many_columns',
        message: 'has 5 cells where the header has 3',
        raw: '01.03.2026;10,00;a;b;c',
        recordId: null,
      },
    ],
  },
);

/** @param withRecords false: without what quotes the content of the file, which its records hold */
export const presentFile = (file: FileView, withRecords: boolean) => {
  const detected = withRecords ? file.detected : file.detected && withoutDoubtfulNames(file.detected);
  const warnings = (detected?.warnings ?? [])
    .map(presentWarning)
    .map(({ message, remedies, ...warning }) => (withRecords ? { ...warning, message, remedies } : warning));
  const known = detected ?? file.recognised;
  const processed = file.readyRows + file.failedRows + file.rejectedRows;
  return {
    id: file.id,
    dataSourceId: file.dataSourceId,
    tenantId: file.tenantId,
    fileName: file.filePath.slice(file.filePath.lastIndexOf('/') + 1),
    originalName: file.originalName,
    filePath: file.filePath,
    mimeType: known?.mimeType ?? null,
    format: known?.format ?? null,
    sizeBytes: file.sizeBytes,
    rowCount: processed,
    headers: detected?.headers ?? [],
    sheetNames: known?.sheetNames ?? [],
    status: file.status,
    reading: detected && presentReading(detected),
    warnings,
    ...(withRecords ? { errorMessage: file.errorMessage } : {}),
    metadata: {
      datasetId: file.datasetId,
      dataset: file.datasetName,
      options: file.options,
      progress: { processed, percent: percentOf(file) },
      ready: file.readyRows,
      failed: file.failedRows,
      rejected: file.rejectedRows,
      repeated: file.repeatedRows,
      detected: detected && {
        encoding: detected.encoding,
        delimiter: detected.delimiter,
        quote: detected.quote,
        decimalSeparator: detected.decimalSeparator,
        decimalSeparators: detected.decimalSeparators,
        dateFormats: detected.dateFormats,
        sheet: detected.sheet,
      },
      ...(withRecords ? { statements: detected?.statements ?? [], preamble: detected?.preamble ?? {} } : {}),
      warnings,
      errorCode: file.errorCode,
      duplicateOf: file.duplicateOf,
      replaces: file.replaces,
      replacedBy: file.replacedBy,
      expiredAt: file.expiredAt?.toISOString() ?? null,
    },
    uploadedAt: file.uploadedAt.toISOString(),
    processedAt: file.processedAt?.toISOString() ?? null,
  };
};

function percentOf({ status, nextOffset, sizeBytes, detected }: FileView): number | null {
  if (status === 'ready') return 100;
  if (detected === null) return 0;
  return nextOffset === null ? null : Math.floor((nextOffset / Math.max(1, sizeBytes)) * 1000) / 10;
}
