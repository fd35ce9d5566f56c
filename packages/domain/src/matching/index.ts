export { startMatchingJobs, type JobRequest } from './jobs/start';
export { cancelMatchingJob } from './jobs/end';
export {
  decisions,
  getMatchingJob,
  jobStatuses,
  jobViews,
  listMatchingJobs,
  warningsOfLiveJobs,
  type DecisionCounts,
  type JobEntryView,
  type JobFilter,
  type JobStatus,
  type MatchingJobView,
} from './jobs/read';
export type { ResultWarning } from './jobs/warnings';
export type { OnStep } from './jobs/context';
export { hasOtherTenantsWork, maxSnapshots, hasOtherTenantsWaiting, planWaitMs } from './jobs/fairness';
export { failJobOfWorker, failJobOutOfMemory, failJobOverdue } from './jobs/fail';
export { deleteOldJobs, expireResults } from './jobs/retention';
export { sweepMatchingJobs } from './jobs/sweep';
export { cleanUpJob, sweepStages } from './stage/clean-up';
export { createMatchingHandlers } from './handlers';
export { runModes, runTriggerNames, startRun, type NewRun, type RunMode } from './jobs/runs';
export { sweepDueRuns } from './jobs/due-runs';
export { discardWork } from './plan/plan';
export { runTrial, type TrialInput } from './trial/trial';
export type { TrialAnswer } from './trial/types';
export { trialFailure } from './trial/failure';
