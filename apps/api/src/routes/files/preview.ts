import { Type } from '@sinclair/typebox';
import type { FilePreview } from '@tieout/domain';
import { closed, freeForm } from '../../http';
import { presentReading, presentWarning, readingSchema, warningSchema } from './reading';
import { rowErrorSchema } from './schemas';

const previewRow = closed({
  line: Type.Integer({ minimum: 1 }),
  data: freeForm({ description: 'The row as it is read' }),
  fields: freeForm({ description: 'Values that fit their field, by its key' }),
  errors: Type.Array(
    closed({ column: Type.String(), field: Type.String(), code: Type.String(), message: Type.String() }),
    { description: 'Cells that do not fit their field' },
  ),
});

export const previewSchema = closed(
  {
    format: Type.String(),
    mimeType: Type.String(),
    headers: Type.Array(Type.String()),
    sheetNames: Type.Array(Type.String()),
    reading: readingSchema,
    preamble: freeForm({ description: 'The pairs above the table' }),
    warnings: Type.Array(warningSchema),
    fields: Type.Array(closed({ key: Type.String(), column: Type.String(), type: Type.String() }), {
      description:
        'Fields of the dataset without an expression, if it exists; with fromColumns, or without fields, those that ' +
        'the columns would add',
    }),
    rows: Type.Array(previewRow, { description: 'The first 50 rows' }),
    rejected: Type.Array(rowErrorSchema, { description: 'Rows among them that cannot be read' }),
  },
  { $id: 'FilePreview' },
);

export const presentPreview = ({ detected, fields, rows, rejected }: FilePreview) => ({
  format: detected.format,
  mimeType: detected.mimeType,
  headers: detected.headers ?? [],
  sheetNames: detected.sheetNames ?? [],
  reading: presentReading(detected),
  preamble: detected.preamble ?? {},
  warnings: (detected.warnings ?? []).map(presentWarning),
  fields: fields.map(({ key, type, sourcePath }) => ({ key, column: sourcePath ?? key, type })),
  rows,
  rejected: rejected.map((row) => ({ ...row, recordId: null })),
});
