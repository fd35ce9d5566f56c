export { cancelMatchingJob, startMatchingJobs, type JobRequest } from './jobs/start';
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
} from './jobs/read';
export { listUnmatched, type UnmatchedFilter, type UnmatchedRecord } from './jobs/unmatched';
export { createMatchingHandlers, type OnStep } from './jobs/handlers';
export { hasOtherTenantsWork, otherTenantsWait, planWaitMs, SNAPSHOTS_AT_ONCE } from './jobs/fairness';
export { failJobOfWorker, failJobOutOfMemory, failJobOverdue } from './jobs/fail';
export { deleteOldJobs, expireResults } from './jobs/retention';
export { cleanUpJob, sweepMatchingJobs, sweepStages } from './jobs/sweep';
