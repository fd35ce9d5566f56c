import { Type, type Static } from '@sinclair/typebox';
import { defaultDeliveryPolicy, delaysPattern, parseDelays, type DeliveryPolicy } from '@tieout/domain';
import { loadConfig, outboundSettings, secretsSettings, workerSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...workerSettings,
  ...secretsSettings,
  ...outboundSettings,
  WEBHOOK_RETRY_DELAYS: Type.String({
    default: '5m,30m,1h,3h,8h,12h',
    pattern: delaysPattern,
    description: 'Delays between the attempts of a delivery (ms, s, m, h); the last one repeats',
  }),
  WEBHOOK_MAX_ATTEMPTS: Type.Integer({
    default: 6,
    minimum: 1,
    maximum: 50,
    description: 'Attempts of a delivery, the first included',
  }),
});

export const deliveryPolicy = (
  env: Pick<Static<typeof settings>, 'WEBHOOK_RETRY_DELAYS' | 'WEBHOOK_MAX_ATTEMPTS'>,
): DeliveryPolicy => ({
  ...defaultDeliveryPolicy,
  retryDelaysMs: parseDelays(env.WEBHOOK_RETRY_DELAYS),
  maxAttempts: env.WEBHOOK_MAX_ATTEMPTS,
});

export const config = () => loadConfig(settings, process.env);
