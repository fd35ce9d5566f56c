import type { FileView } from '@tieout/domain';

export const presentFile = (file: FileView) => {
  const { detected } = file;
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
    errorMessage: file.errorMessage,
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
      warnings: detected?.warnings ?? [],
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
