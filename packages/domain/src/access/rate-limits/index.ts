export { allowanceAt, createLocalBuckets, roomInMs, type Allowance, type ClaimAllowances } from './bucket';
export { createRateLimiter, type RateLimiter } from './limiter';
export {
  defaultRateLimits,
  rateClasses,
  rateLimitSettings,
  rateLimitsOf,
  type RateClass,
  type RateLimits,
} from './limits';
export { sharedBuckets } from './shared-buckets';
