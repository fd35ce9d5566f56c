import { Type, type Static } from '@sinclair/typebox';
import { defaultItemPolicy, openFinanceSettings, retentionSettings, type ItemPolicy } from '@tieout/domain';
import { commonSettings, loadConfig, outboundSettings, secretsSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...commonSettings,
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
  HEALTH_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port of /healthz, /readyz and /metrics; 0 takes a free one',
  }),
});

export const itemPolicy = (env: Pick<Static<typeof settings>, 'ITEM_SYNC_MINUTES'>): ItemPolicy => ({
  ...defaultItemPolicy,
  syncEveryMs: env.ITEM_SYNC_MINUTES * 60_000,
});

export const config = () => loadConfig(settings, process.env);
