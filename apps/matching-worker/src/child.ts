import { constants, setPriority } from 'node:os';
import { createMatchingHandlers, inPlaceEvaluator, openDomain } from '@tieout/domain';
import { createLogger, createWatchdog, serveChild } from '@tieout/infra';
import { config } from './config';

/** Run by the child processes: expressions are evaluated here, away from the process that renews the locks of jobs. */
const env = config();
const logger = createLogger('matching-worker', env.LOG_LEVEL);
const { deps } = openDomain({
  env: { ...env, DATABASE_POOL_SIZE: 4 },
  applicationName: 'tieout matching',
  logger,
  evaluator: inPlaceEvaluator(),
  settings: { maxUnblockedPairs: env.MAX_UNBLOCKED_PAIRS },
});
// A job has time; requests that are served on the same machine have not.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const watchdog = createWatchdog(env.MATCHING_STALL_MS);

serveChild(createMatchingHandlers(deps, watchdog.alive), { logger, database: deps.db.usage });
