import { FileUnreadableError, type FileFormat, type Recognised } from './types';

export const mimeTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  ofx: 'application/x-ofx',
  qif: 'application/x-qif',
  mt940: 'application/x-mt940',
  mt942: 'application/x-mt942',
  'camt.052': 'application/xml',
  'camt.053': 'application/xml',
  'camt.054': 'application/xml',
};

export const recognisedFormat = (format: FileFormat, sheetNames: string[] | null = null): Recognised => ({
  mimeType: mimeTypes[format],
  format,
  sheetNames,
});

export const recognisedType = (mimeType: string): Recognised => ({ mimeType, format: null, sheetNames: null });

/**
 * Runs a step on a file that is partly recognised. An error of the step carries what is known, unless it knows more.
 */
export async function withRecognised<T>(recognised: Recognised, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof FileUnreadableError) error.recognised ??= recognised;
    throw error;
  }
}
