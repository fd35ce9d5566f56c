export { fileFormats } from '@tieout/formats';
export { othersHaveOpenFiles } from './fairness';
export {
  fileStatuses,
  type FileOptions,
  type FileStatus,
  type FileRowError,
  type FileView,
  type Rejection,
} from './file';
export { failFileOfWorker, failFileOutOfMemory } from './finish';
export { createFileHandlers } from './handlers';
export { ingestFile, type IngestOptions } from './ingest';
export { createFileRetention } from './retention';
export { sweepFiles } from './sweep';
export { getFile, listFileErrors, listFiles } from './read';
export { beginUpload, MAX_FILE_BYTES, type Upload, type UploadedFile } from './upload';
