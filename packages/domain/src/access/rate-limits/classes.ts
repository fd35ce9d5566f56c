/** Kinds of requests with an allowance of their own. */
export const rateClasses = ['read', 'write', 'bulk', 'job', 'costly', 'sync', 'failed_auth'] as const;

export type RateClass = (typeof rateClasses)[number];

/** Requests a minute; 0: no limit. */
export type RateLimits = Readonly<Record<RateClass, number>>;

/** More than two cores can serve where it is cheap, and what nobody needs where it is not. */
export const defaultRateLimits: RateLimits = {
  read: 600_000,
  write: 300_000,
  bulk: 6_000,
  job: 600,
  costly: 1_200,
  sync: 600,
  failed_auth: 300,
};
