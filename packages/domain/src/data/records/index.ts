export { ingestBulk, MAX_LISTED_ERRORS, type BulkLine, type BulkResult, type LineError, type LineFault } from './bulk';
export { coerce, type Coercion } from './coerce';
export { pacedChunks } from './enqueue';
export { othersHaveReceivedRecords } from './fairness';
export type { FieldDefinition, JsonObject } from './field';
export { loadFields } from './field-store';
export type { RecordFilter } from './filter';
export { createRecordHandlers } from './handlers';
export {
  identifyBodies,
  identityFields,
  identityNeedsExpressions,
  identityOf,
  MAX_EXTERNAL_ID_LENGTH,
  type IdentifyRequest,
} from './identify';
export { ingestRecord, type IngestedRecord, type IngestInput } from './ingest';
export {
  MAX_MADE_IN_TURN,
  normaliseInPlace,
  recordNormaliser,
  type NormalisedRecord,
  type NormaliseRecords,
} from './normalise';
export { dropMirrored, holdMirrored, mirrorRecords, type MirroredRecord } from './mirror';
export { withNotation } from './with-notation';
export { processRecords } from './process';
export {
  deleteRecord,
  getRecord,
  listRecords,
  readRecords,
  recordsById,
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
export { sweepReceivedRecords, type SweepDeps } from './sweep';
