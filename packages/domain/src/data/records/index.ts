export { ingestBulk, maxListedErrors, type BulkLine, type LineError, type LineFault } from './bulk';
export { coerce } from './coerce';
export { enqueueProcessing, costedChunks } from './enqueue';
export { loadFields, loadFieldsSeen, withNotation } from './fields';
export { fieldValues } from './field-values';
export type { RecordFilter } from './filter';
export { createGroupCommit } from './group-commit';
export { createRecordHandlers, othersHaveReceivedRecords } from './handlers';
export {
  compareExternalIds,
  identifyBodies,
  identityNeedsExpressions,
  identityOf,
  maxExternalIdLength,
} from './identify';
export { ingestRecord, type IngestedRecord } from './ingest';
export { countPending, leftOutWarnings, receivedPollMs, receivedWaitMs, type LeftOutRecords } from './left-out';
export {
  maxNormalisedCharacters,
  normaliseInPlace,
  recordNormaliser,
  type NormalisedRecord,
  type NormaliseRecords,
} from './normalise';
export { processRecords } from './process';
export {
  getRecord,
  listRecords,
  readRecords,
  recordNotFound,
  recordsById,
  recordValues,
  withRecords,
  type ExportedRecord,
} from './read';
export {
  isHeavy,
  recordStatuses,
  type ListedRecord,
  type RecordError,
  type RecordStatus,
  type RecordView,
} from './record';
export { reprocessDataset, sweepReprocessing } from './reprocess';
export { sweepReceivedRecords } from './sweep';
