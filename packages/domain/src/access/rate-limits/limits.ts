import { Type } from '@sinclair/typebox';

/** Kinds of requests with separate allowances. */
export const rateClasses = ['read', 'write', 'bulk', 'job', 'costly', 'sync', 'failed_auth', 'sign_in'] as const;

export type RateClass = (typeof rateClasses)[number];

/** Requests per minute; 0: no limit. */
export type RateLimits = Readonly<Record<RateClass, number>>;

/** Cheap classes allow more than two cores can serve; the others allow more than normal use needs. */
export const defaultRateLimits: RateLimits = {
  read: 600_000,
  write: 300_000,
  bulk: 6_000,
  job: 600,
  costly: 1_200,
  sync: 600,
  failed_auth: 300,
  sign_in: 10,
};

const perMinute = (rateClass: RateClass, description: string) =>
  Type.Integer({
    default: defaultRateLimits[rateClass],
    minimum: 0,
    maximum: 1_000_000_000,
    description: `${description}; 0: no limit`,
  });

/** Settings of the processes that limit requests, to be spread into the schema of an app. */
export const rateLimitSettings = {
  RATE_LIMIT_READ_PER_MINUTE: perMinute('read', 'Requests of a tenant that read'),
  RATE_LIMIT_WRITE_PER_MINUTE: perMinute('write', 'Requests of a tenant that change something'),
  RATE_LIMIT_BULK_PER_MINUTE: perMinute('bulk', 'Bulk ingests, uploads and exports of a tenant'),
  RATE_LIMIT_JOB_PER_MINUTE: perMinute('job', 'Matching jobs that a tenant starts'),
  RATE_LIMIT_COSTLY_PER_MINUTE: perMinute(
    'costly',
    'Previews, browse requests, and tests and retries of webhooks of a tenant',
  ),
  RATE_LIMIT_SYNC_PER_MINUTE: perMinute('sync', 'Items that a tenant makes, synchronises, answers or ingests'),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: perMinute(
    'failed_auth',
    'Requests of one address whose key is missing or wrong, for each API process',
  ),
  RATE_LIMIT_SIGN_IN_PER_MINUTE: perMinute(
    'sign_in',
    'Failed sign-ins of one user, and six times as many of one address, for each API process',
  ),
} as const;

/** Reads the limits from the settings. */
export function rateLimitsOf(env: { readonly [K in keyof typeof rateLimitSettings]: number }): RateLimits {
  return {
    read: env.RATE_LIMIT_READ_PER_MINUTE,
    write: env.RATE_LIMIT_WRITE_PER_MINUTE,
    bulk: env.RATE_LIMIT_BULK_PER_MINUTE,
    job: env.RATE_LIMIT_JOB_PER_MINUTE,
    costly: env.RATE_LIMIT_COSTLY_PER_MINUTE,
    sync: env.RATE_LIMIT_SYNC_PER_MINUTE,
    failed_auth: env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
    sign_in: env.RATE_LIMIT_SIGN_IN_PER_MINUTE,
  };
}
