import { createMatchingHandlers, inPlaceEvaluator, jobCatalog, openDomain } from '@tieout/domain';
import { createLogger, createProcessor, createWatchdog } from '@tieout/infra';
import { config } from './config';

/** Loaded by the child processes: expressions run here, away from the process that renews the locks of jobs. */
const env = config();
const logger = createLogger('matching-worker', env.LOG_LEVEL);
const { deps } = openDomain({
  env: { ...env, DATABASE_POOL_SIZE: 4 },
  applicationName: 'tieout matching',
  logger,
  evaluator: inPlaceEvaluator(),
  settings: { maxUnblockedPairs: env.MAX_UNBLOCKED_PAIRS },
});

// A parent that was killed must not leave its children behind.
process.on('disconnect', () => process.exit(0));

const watchdog = createWatchdog(env.MATCHING_STALL_MS);

export default createProcessor<typeof jobCatalog, 'matching'>(jobCatalog, createMatchingHandlers(deps, watchdog.alive), logger);
