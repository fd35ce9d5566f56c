import { Type } from '@sinclair/typebox';
import { recordQuotaSettings } from '@tieout/domain';
import { loadConfig, workerSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...workerSettings,
  ...recordQuotaSettings,
  INGEST_CONCURRENCY: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 64,
    description: 'Chunks of records that are processed at the same time, each in a child process',
  }),
  INGEST_HEAP_MB: Type.Integer({
    default: 256,
    minimum: 64,
    maximum: 8192,
    description: 'Heap limit of a child process',
  }),
});

export const config = () => loadConfig(settings, process.env);
