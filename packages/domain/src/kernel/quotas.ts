import { Type } from '@sinclair/typebox';

/** Names of a tenant's limits: on its stored data, its open matching jobs and its webhooks. */
export const quotaNames = ['records', 'bytes', 'files', 'jobs', 'webhooks'] as const;
export type QuotaName = (typeof quotaNames)[number];
export type Quotas = Record<QuotaName, number>;

export const defaultQuotas: Quotas = {
  records: 20_000_000,
  bytes: 100 * 2 ** 30,
  files: 100_000,
  jobs: 1_000,
  webhooks: 50,
};

export const quotaTexts: Record<QuotaName, string> = {
  records: 'records',
  bytes: 'bytes of uploaded files that are kept',
  files: 'uploaded files that are kept',
  jobs: 'matching jobs that are queued or running',
  webhooks: 'webhooks',
};

/** An event is stored once for each webhook that subscribes to it. */
const maxWebhooks = 1_000;

export const maxQuota = (name: QuotaName): number => (name === 'webhooks' ? maxWebhooks : Number.MAX_SAFE_INTEGER);

const setting = (name: QuotaName) =>
  Type.Integer({
    default: defaultQuotas[name],
    minimum: 0,
    maximum: maxQuota(name),
    description: `Limit of a tenant without its own limit: ${quotaTexts[name]}`,
  });

/** Settings of the workers that store records, to be spread into the schema of an app. */
export const recordQuotaSettings = { QUOTA_RECORDS: setting('records') } as const;

/** Settings of the API, to be spread into the schema of an app. */
export const quotaSettings = {
  ...recordQuotaSettings,
  QUOTA_BYTES: setting('bytes'),
  QUOTA_FILES: setting('files'),
  QUOTA_JOBS: setting('jobs'),
  QUOTA_WEBHOOKS: setting('webhooks'),
} as const;

/** Reads the limits of the deployment from the settings. */
export function quotasOf(env: { readonly [K in keyof typeof quotaSettings]: number }): Quotas {
  return {
    records: env.QUOTA_RECORDS,
    bytes: env.QUOTA_BYTES,
    files: env.QUOTA_FILES,
    jobs: env.QUOTA_JOBS,
    webhooks: env.QUOTA_WEBHOOKS,
  };
}
