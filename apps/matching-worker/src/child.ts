import { createMatchingHandlers, createInquiryHandlers, inPlaceEvaluator, openDomain } from '@tieout/domain';
import { createLogger, createWatchdog, serveChild } from '@tieout/infra';
import { config } from './config';
import { lowerProcess } from './priority';

// Entry point of child processes: expressions are evaluated here, away from the process that renews the locks of jobs.
const env = config();
const logger = createLogger('matching-worker', env.LOG_LEVEL);
const { deps } = openDomain({
  env: { ...env, DATABASE_POOL_SIZE: 4 },
  applicationName: 'tieout matching',
  logger,
  evaluator: inPlaceEvaluator(),
  settings: { maxUnblockedPairs: env.MAX_UNBLOCKED_PAIRS },
});
lowerProcess();
const watchdog = createWatchdog(env.MATCHING_STALL_MS);

/** Pairs that take some milliseconds: the steps of a job with fewer would take longer in the queue than their work. */
const smallJobPairs = 2_000;

serveChild(
  {
    ...createMatchingHandlers(deps, watchdog.alive, { smallJobPairs }),
    ...createInquiryHandlers(deps, watchdog.alive),
  },
  { logger, database: deps.db.usage },
);
