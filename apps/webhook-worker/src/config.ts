import { Type, type Static } from '@sinclair/typebox';
import {
  defaultDeliveryPolicy,
  defaultItemPolicy,
  delaysPattern,
  openFinanceSettings,
  parseDelays,
  retentionSettings,
  type DeliveryPolicy,
  type ItemPolicy,
} from '@tieout/domain';
import { commonSettings, loadConfig, outboundSettings, secretsSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...commonSettings,
  ...secretsSettings,
  ...outboundSettings,
  ...openFinanceSettings,
  ...retentionSettings,
  WEBHOOK_RETRY_DELAYS: Type.String({
    default: '5m,30m,1h,3h,8h,12h',
    pattern: delaysPattern,
    description: 'Times between the attempts of a delivery (ms, s, m, h); the last one serves all that follow',
  }),
  WEBHOOK_MAX_ATTEMPTS: Type.Integer({
    default: 6,
    minimum: 1,
    maximum: 50,
    description: 'Attempts of a delivery, the first included',
  }),
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

export const deliveryPolicy = (
  env: Pick<Static<typeof settings>, 'WEBHOOK_RETRY_DELAYS' | 'WEBHOOK_MAX_ATTEMPTS'>,
): DeliveryPolicy => ({
  ...defaultDeliveryPolicy,
  retryDelaysMs: parseDelays(env.WEBHOOK_RETRY_DELAYS),
  maxAttempts: env.WEBHOOK_MAX_ATTEMPTS,
});

export const itemPolicy = (env: Pick<Static<typeof settings>, 'ITEM_SYNC_MINUTES'>): ItemPolicy => ({
  ...defaultItemPolicy,
  syncEveryMs: env.ITEM_SYNC_MINUTES * 60_000,
});

export const config = () => loadConfig(settings, process.env);
