export { areNamesDoubtful, fileFormats, type Detected } from '@tieout/formats';
export {
  fileStatuses,
  type FileOptions,
  type FileRowError,
  type FileStatus,
  type FileView,
  type Rejection,
} from './file';
export { failFileOfWorker, failFileOutOfMemory } from './finish';
export { createFileHandlers, othersHaveOpenFiles } from './handlers';
export { ingestFile } from './ingest';
export { beginPreview, type FilePreview, type PreviewUpload } from './preview';
export { getFile, listFileErrors, listFiles } from './read';
export { createFileRetention } from './retention';
export { sweepFiles } from './sweep';
export { beginUpload, maxFileBytes, type ReceivedUpload, type Upload, type UploadedFile } from './upload';
