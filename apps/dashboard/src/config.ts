import { Type } from '@sinclair/typebox';
import {
  commonSettings,
  ConfigError,
  loadConfig,
  proxySettings,
  trustedProxiesOf,
  type QueueSettings,
} from '@tieout/infra';

const { DATABASE_URL, QUEUE_URL, QUEUE_PREFIX, LOG_LEVEL, HOST, METRICS_TOKEN } = commonSettings;

/**
 * Settings of the queue dashboard. It reads no table of the service: without QUEUE_URL the database is the store of
 * queues.
 */
export const settings = Type.Object({
  DATABASE_URL: Type.Optional(DATABASE_URL),
  QUEUE_URL,
  QUEUE_PREFIX,
  LOG_LEVEL,
  HOST,
  METRICS_TOKEN,
  ...proxySettings,
  DASHBOARD_PORT: Type.Integer({
    default: 3001,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the queue dashboard; 0 takes a free one',
  }),
  DASHBOARD_USER: Type.String({
    default: 'oncall',
    pattern: '^[^:\\s]{1,64}$',
    description: 'User of the queue dashboard',
  }),
  DASHBOARD_PASSWORD: Type.String({
    minLength: 12,
    maxLength: 256,
    description: 'Password of the queue dashboard, at least 12 characters',
  }),
});

export interface Credentials {
  user: string;
  password: string;
}

export interface DashboardConfig {
  queue: QueueSettings;
  logLevel: string;
  host: string;
  port: number;
  credentials: Credentials;
  trustedProxies: readonly string[];
  metricsToken: string | undefined;
}

/** @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env): DashboardConfig {
  const given = loadConfig(settings, env);
  const url = given.QUEUE_URL ?? given.DATABASE_URL;
  if (url === undefined) throw new ConfigError('Invalid settings:\n  QUEUE_URL is required, or DATABASE_URL');
  return {
    queue: { url, prefix: given.QUEUE_PREFIX },
    logLevel: given.LOG_LEVEL,
    host: given.HOST,
    port: given.DASHBOARD_PORT,
    credentials: { user: given.DASHBOARD_USER, password: given.DASHBOARD_PASSWORD },
    trustedProxies: trustedProxiesOf(given),
    metricsToken: given.METRICS_TOKEN,
  };
}
