import { Type, type Static } from '@sinclair/typebox';
import { defaultItemPolicy, openFinanceSettings, retentionSettings, type ItemPolicy } from '@tieout/domain';
import { loadConfig, outboundSettings, secretsSettings, workerSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...workerSettings,
  ...secretsSettings,
  ...outboundSettings,
  ...openFinanceSettings,
  ...retentionSettings,
  ITEM_SYNC_MINUTES: Type.Integer({
    default: 720,
    minimum: 1,
    maximum: 43_200,
    description: 'From the end of one sync of an item to the next that nobody asks for',
  }),
});

export const itemPolicy = (env: Pick<Static<typeof settings>, 'ITEM_SYNC_MINUTES'>): ItemPolicy => ({
  ...defaultItemPolicy,
  syncEveryMs: env.ITEM_SYNC_MINUTES * 60_000,
});

export const config = () => loadConfig(settings, process.env);
