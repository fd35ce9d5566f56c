export { allowanceAt, createLocalBuckets, roomInMs, type Allowance, type ClaimAllowances } from './bucket';
export { defaultRateLimits, rateClasses, type RateClass, type RateLimits } from './classes';
export { createRateLimiter, type RateLimiter } from './limiter';
export { sharedBuckets } from './shared-buckets';
export { rateLimitSettings, rateLimitsOf } from './settings';
