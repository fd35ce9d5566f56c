export { cancelMatchingJob, startMatchingJobs, type JobRequest } from './start';
export {
  decisions,
  getMatchingJob,
  jobStatuses,
  jobViews,
  listMatchingJobs,
  type DecisionCounts,
  type JobEntryView,
  type JobFilter,
  type JobStatus,
  type MatchingJobView,
} from './read';
export { listUnmatched, type UnmatchedFilter, type UnmatchedRecord } from './unmatched';
export { createMatchingHandlers, type OnStep } from './handlers';
export { hasOtherTenantsWork, otherTenantsWait, planWaitMs, SNAPSHOTS_AT_ONCE } from './fairness';
export { failJobOfWorker, failJobOutOfMemory, failJobOverdue } from './fail';
export { deleteOldJobs, expireResults } from './retention';
export { cleanUpJob, sweepMatchingJobs, sweepStages } from './sweep';
