import { Type, type Static } from '@sinclair/typebox';
import {
  defaultItemPolicy,
  openFinanceSettings,
  recordQuotaSettings,
  retentionSettings,
  type ItemPolicy,
} from '@tieout/domain';
import { loadConfig, outboundSettings, secretsSettings, workerSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...workerSettings,
  ...secretsSettings,
  ...outboundSettings,
  ...openFinanceSettings,
  ...recordQuotaSettings,
  ...retentionSettings,
  ITEM_SYNC_MINUTES: Type.Integer({
    default: 720,
    minimum: 1,
    maximum: 43_200,
    description: 'Minutes from the end of a sync of an item to its next scheduled one',
  }),
});

export const itemPolicy = (env: Pick<Static<typeof settings>, 'ITEM_SYNC_MINUTES'>): ItemPolicy => ({
  ...defaultItemPolicy,
  syncEveryMs: env.ITEM_SYNC_MINUTES * 60_000,
});

export const config = () => loadConfig(settings, process.env);
