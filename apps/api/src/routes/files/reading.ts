import { Type } from '@sinclair/typebox';
import { areNamesDoubtful, type Detected, type ReadingWarning } from '@tieout/domain';
import { closed, freeForm, nullable, ofRecords } from '../../http';

const remedySchema = closed({ option: Type.String(), value: nullable(Type.String()) }, { $id: 'Remedy' });

const warning = {
  code: Type.String(),
  column: nullable(Type.String()),
  message: Type.String({ description: 'The assumption, and what to do about the file where it is wrong' }),
  remedies: Type.Array(remedySchema, {
    description:
      'Options of an upload: where the assumption is wrong, upload the file again with the one that holds. A value ' +
      'is null where the content shows none',
  }),
  count: Type.Optional(
    Type.Integer({ description: 'Lines of footer_skipped, reviews of reviews_lost, rows of no_ready_rows' }),
  ),
};

export const warningSchema = closed(warning, { $id: 'ReadingWarning' });

export const fileWarningSchema = closed(
  { ...warning, message: ofRecords(warning.message), remedies: ofRecords(warning.remedies) },
  { $id: 'FileWarning' },
);

/** Readings that earlier versions stored have no remedies. */
export const presentWarning = (warning: ReadingWarning) => ({ remedies: [], ...warning });

const headerRow = nullable(Type.Integer({ minimum: 1 }), {
  description: 'Line that names the columns; null where none does',
});
const delimiter = nullable(Type.String(), { description: 'Null for one cell in each line, and for other formats' });
const confidence = Type.Number({ minimum: 0, maximum: 1 });

export const readingSchema = closed(
  {
    format: Type.String(),
    encoding: nullable(Type.String()),
    delimiter,
    quote: nullable(Type.String()),
    header_row: headerRow,
    skip_lines: Type.Integer({ minimum: 0 }),
    comment: nullable(Type.String(), { description: 'Lines that begin with it are left out' }),
    sheet: nullable(Type.String()),
    path: nullable(Type.String(), { description: 'JSON: names that lead to the list of rows' }),
    decimal_separator: nullable(Type.String()),
    date_formats: freeForm({ description: 'Format of the dates of a column that are not ISO 8601' }),
    types: freeForm({ description: 'Type of each column, by its first rows' }),
    confidence,
    alternatives: Type.Array(closed({ delimiter, header_row: headerRow, confidence })),
  },
  {
    $id: 'FileReading',
    description:
      'How the file is read: the reading by which the sample is most consistent. Below a confidence of 0.5 a warning ' +
      'says what to check',
  },
);

/** Numbers the columns whose names may be values of a row, for a caller who does not see records. */
export function withoutDoubtfulNames(detected: Detected): Detected {
  const { headers, types = {}, warnings = [] } = detected;
  if (headers === null || !areNamesDoubtful(detected)) return detected;
  const numberOf = new Map(headers.map((name, index) => [name, `column_${index + 1}`]));
  const shown = (name: string): string => numberOf.get(name) ?? name;
  const renamed = <T>(values: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [shown(name), value]));
  return {
    ...detected,
    headers: headers.map(shown),
    types: renamed(types),
    dateFormats: renamed(detected.dateFormats),
    decimalSeparators: renamed(detected.decimalSeparators),
    warnings: warnings.map((warning) => ({ ...warning, column: warning.column && shown(warning.column) })),
  };
}

export function presentReading(detected: Detected) {
  const { evidence = { confidence: 1, alternatives: [] } } = detected;
  return {
    format: detected.format,
    encoding: detected.encoding,
    delimiter: detected.delimiter,
    quote: detected.quote,
    header_row: detected.headerLine,
    skip_lines: detected.skipLines ?? 0,
    comment: detected.comment ?? null,
    sheet: detected.sheet,
    path: detected.path?.join('.') ?? null,
    decimal_separator: detected.decimalSeparator,
    date_formats: detected.dateFormats,
    types: detected.types ?? {},
    confidence: evidence.confidence,
    alternatives: evidence.alternatives.map(({ headerLine, ...other }) => ({ ...other, header_row: headerLine })),
  };
}
