import { Type } from '@sinclair/typebox';
import { commonSettings, loadConfig, outboundSettings, secretsSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...commonSettings,
  ...secretsSettings,
  ...outboundSettings,
  HEALTH_PORT: Type.Integer({ default: 0, minimum: 0, maximum: 65535, description: 'Port of /healthz and /readyz; 0 takes a free one' }),
});

export const config = () => loadConfig(settings, process.env);
