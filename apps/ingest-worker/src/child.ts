import { createFileHandlers, createRecordHandlers, defaultQuotas, inPlaceEvaluator, openDomain } from '@tieout/domain';
import { createLogger, serveChild } from '@tieout/infra';
import { config } from './config';
import { createIsolatedNormaliser } from './isolated-normaliser';

// Entry point of child processes: a tenant's data and expressions cannot affect the process that renews locks.
const env = config();
const logger = createLogger('ingest-worker', env.LOG_LEVEL);
const { deps } = openDomain({
  env: { ...env, DATABASE_POOL_SIZE: 2 },
  applicationName: 'tieout ingest',
  logger,
  evaluator: inPlaceEvaluator(),
  settings: { quotas: { ...defaultQuotas, records: env.QUOTA_RECORDS } },
});

const normalise = createIsolatedNormaliser({ heapMb: env.INGEST_HEAP_MB, logger });
serveChild(
  { ...createRecordHandlers(deps, normalise), ...createFileHandlers(deps, normalise) },
  { logger, database: deps.db.usage },
);
