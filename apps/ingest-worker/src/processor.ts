import { createRecordHandlers, inPlaceEvaluator, jobCatalog, openDomain } from '@tieout/domain';
import { createLogger, createProcessor } from '@tieout/infra';
import { config } from './config';
import { createIsolatedNormaliser } from './isolated-normaliser';

// Loaded by the child processes: a tenant's data and expressions cannot touch the process that renews locks.

// A parent that was killed must not leave its children behind.
process.on('disconnect', () => process.exit(0));

function wire() {
  const env = config();
  const logger = createLogger('ingest-processor', env.LOG_LEVEL);
  try {
    const { deps } = openDomain({
      env: { ...env, DATABASE_POOL_SIZE: 2 },
      applicationName: 'tieout ingest',
      logger,
      evaluator: inPlaceEvaluator(),
    });
    const normalise = createIsolatedNormaliser({ heapMb: env.INGEST_HEAP_MB, logger });
    return createProcessor<typeof jobCatalog, 'ingest'>(jobCatalog, createRecordHandlers(deps, normalise), logger);
  } catch (error) {
    // The queue's own report of a file that cannot be loaded is easy to miss.
    logger.fatal({ err: error }, 'the ingest processor could not be wired');
    throw error;
  }
}

export default wire();
