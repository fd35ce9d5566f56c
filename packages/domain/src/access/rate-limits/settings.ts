import { Type } from '@sinclair/typebox';
import { defaultRateLimits, type RateClass, type RateLimits } from './classes';

const perMinute = (rateClass: RateClass, description: string) =>
  Type.Integer({
    default: defaultRateLimits[rateClass],
    minimum: 0,
    maximum: 1_000_000_000,
    description: `${description}; 0: no limit`,
  });

/** Settings of the processes that limit requests. Spread into the schema of an app. */
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
} as const;

/** The limits as the settings give them. */
export function rateLimitsOf(env: { readonly [K in keyof typeof rateLimitSettings]: number }): RateLimits {
  return {
    read: env.RATE_LIMIT_READ_PER_MINUTE,
    write: env.RATE_LIMIT_WRITE_PER_MINUTE,
    bulk: env.RATE_LIMIT_BULK_PER_MINUTE,
    job: env.RATE_LIMIT_JOB_PER_MINUTE,
    costly: env.RATE_LIMIT_COSTLY_PER_MINUTE,
    sync: env.RATE_LIMIT_SYNC_PER_MINUTE,
    failed_auth: env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
  };
}
