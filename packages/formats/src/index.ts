export { isNoValue, plainAmount } from './columns/amounts';
export { plainDate } from './columns/date-format';
export { areNamesDoubtful } from './columns/description';
export { withoutFooter } from './columns/footer';
export { columnType, type ColumnValue } from './columns/types';
export { detectFile } from './detect/detect';
export { findForeignOption } from './detect/foreign-option';
export { findOptionFaults, type OptionFault } from './detect/options';
export { coerceValue, type Coercion } from './fields/coerce';
export { typeOfColumn, type SampleRow } from './fields/column-type';
export { columnsOfFile, fieldsForColumns, type NewField } from './fields/columns-of-file';
export { notationOf, type FileNotation, type Notation } from './fields/notation';
export { fieldKeyMaxLength, fieldKeyPattern, slug, uniqueKeyFor } from './fields/slug';
export { reasonOf } from './named';
export { readRows } from './read';
export { statementColumns } from './statement/columns';
export { encodingNamed, supportedEncodings, type TextEncoding } from './text/decoder';
export { rawText } from './text/characters';
export {
  fileFormats,
  FileUnreadableError,
  isStatementFormat,
  type ColumnType,
  type DecimalSeparator,
  type Detected,
  type FileFault,
  type FileFormat,
  type FileSource,
  type Position,
  type ReadingRemedy,
  type ReadingWarning,
  type GivenOptions,
  type ReadOptions,
  type Recognised,
  type RejectedRow,
  type FileRow,
  type RowBatch,
  type RowFault,
  type StatementSummary,
} from './types';
export { csvOfTable, csvOfTables, csvType } from './tables/csv';
export type { Table, TableCell, TableColumn, TableColumnKind, TableRow } from './tables/table';
export { csvRow, guarded, numberText, quoted } from './tables/text-cell';
export { workbookOf, xlsxType } from './tables/workbook';
