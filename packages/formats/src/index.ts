export { isNoValue, plainAmount } from './columns/amounts';
export { plainDate } from './columns/date-format';
export { areNamesDoubtful } from './columns/description';
export { withoutFooter } from './columns/footer';
export { columnType, type ColumnValue } from './columns/types';
export { detectFile } from './detect/detect';
export { findForeignOption } from './detect/foreign-option';
export { findOptionFaults, type OptionFault } from './detect/options';
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
  type ReadingWarning,
  type ReadOptions,
  type Recognised,
  type RejectedRow,
  type FileRow,
  type RowBatch,
  type RowFault,
  type StatementSummary,
} from './types';
