import type { BillingUsage } from '@tieout/domain';

export const presentUsage = (usage: BillingUsage) => ({
  ...usage,
  connectors: usage.connectors.map(({ name, type, createdAt }) => ({ name, type, createdAt: createdAt.toISOString() })),
});
