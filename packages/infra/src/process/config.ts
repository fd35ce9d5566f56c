import { Type, type TObject, type Static } from '@sinclair/typebox';
import { metricsSettings } from '../metrics/serve-metrics';
import { createSchemaCompiler } from '../json/schema';
import { ConfigError, messageOf } from '../kernel/errors';
import { readStoreUrl } from './store-url';

/**
 * Reads the settings of a schema from an environment. All faults are reported together.
 * @throws ConfigError
 */
export function loadConfig<S extends TObject>(schema: S, env: NodeJS.ProcessEnv): Static<S> {
  const picked: Record<string, string> = {};
  for (const key of Object.keys(schema.properties)) {
    const value = env[key];
    // Compose files and .env templates leave variables empty: an empty one counts as absent.
    if (value !== undefined && value !== '') picked[key] = value;
  }
  const parsed = createSchemaCompiler({ coerce: true })(schema)(picked);
  const faults = parsed.ok ? [] : parsed.errors.map((e) => `${e.path.slice(1)} ${e.message}`);
  const urls = readStoreUrls(picked, faults);
  if (!parsed.ok || faults.length > 0)
    throw new ConfigError(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return { ...parsed.value, ...urls };
}

const listOfUrls = 'DATABASE_REPLICA_URLS';

/** Reads the urls of the stores that the schema's pattern accepts, and adds what is wrong with them to the faults. */
function readStoreUrls(given: Record<string, string>, faults: string[]): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const name of ['DATABASE_URL', listOfUrls, 'QUEUE_URL']) {
    const text = given[name];
    if (text === undefined || faults.some((fault) => fault.startsWith(`${name} `))) continue;
    try {
      urls[name] = name === listOfUrls ? text.split(',').map(readStoreUrl).join() : readStoreUrl(text);
    } catch (error) {
      faults.push(`${name} ${messageOf(error)}`);
    }
  }
  return urls;
}

/** Settings of the processes that keep secrets of tenants, to be spread into the schema of an app. */
export const secretsSettings = {
  SECRETS_KEY: Type.String({
    minLength: 43,
    description:
      'Encrypts secrets in the database: 32 bytes in base64 or hex (openssl rand -base64 32). ' +
      'Old keys may follow it after commas',
  }),
  SECRETS_LOST_KEYS: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{8}(,[0-9a-f]{8})*$',
      description: 'Ids of keys that are lost for good, without which a start over their secrets is refused',
    }),
  ),
} as const;

/** Settings of every process, to be spread into the schema of an app. */
export const commonSettings = {
  DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://', description: 'PostgreSQL 15 or newer' }),
  QUEUE_URL: Type.Optional(
    Type.String({
      pattern: '^(rediss?(\\+cluster)?|postgres(ql)?)://',
      description:
        'Where the queues live: postgres://, redis:// or redis+cluster://host:port,host:port. Default: DATABASE_URL',
    }),
  ),
  QUEUE_PREFIX: Type.String({
    default: 'tieout',
    pattern: '^([a-z][a-z0-9_]{0,30}|\\{[a-z][a-z0-9_]{0,30}\\})$',
    description: 'Separates deployments that share one Redis. Queues in PostgreSQL need a database for each deployment',
  }),
  DATABASE_POOL_SIZE: Type.Integer({ default: 10, minimum: 2, maximum: 200 }),
  LOG_LEVEL: Type.Union(
    [Type.Literal('debug'), Type.Literal('info'), Type.Literal('warn'), Type.Literal('error'), Type.Literal('silent')],
    { default: 'info' },
  ),
  STORAGE_URL: Type.String({
    default: 'file:.data/files',
    pattern: '^(file:.|s3://[^/?]+)',
    description:
      'Where uploaded files are kept: file:<directory>, or s3://<bucket>/<prefix>?region=…&endpoint=… ' +
      'with credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  }),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address to listen on' }),
  ...metricsSettings,
} as const;

/** Settings of every worker process, to be spread into the schema of an app. */
export const workerSettings = {
  ...commonSettings,
  HEALTH_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of /healthz, /readyz and /metrics; 0 takes a free one',
  }),
} as const;
