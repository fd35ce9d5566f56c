import { Type } from '@sinclair/typebox';
import { openFinanceSettings, quotaSettings, rateLimitSettings, retentionSetting } from '@tieout/domain';
import {
  ConfigError,
  commonSettings,
  defaultHttpServerLimits,
  loadConfig,
  messageOf,
  outboundSettings,
  proxySettings,
  readDatabases,
  secretsSettings,
  type NamedDatabase,
  type Static,
} from '@tieout/infra';
import { identitySettingsOf } from './identity/provider';

export const settings = Type.Object({
  ...commonSettings,
  DATABASE_REPLICA_URLS: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^,]+(,postgres(ql)?://[^,]+)*$',
      description: 'Standbys of that server for lists and exports, with commas between them; , in a password is %2C',
    }),
  ),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: '0 takes a free port' }),
  SHUTDOWN_DRAIN_MS: Type.Integer({
    default: 3_000,
    minimum: 0,
    maximum: 300_000,
    description:
      'After SIGTERM requests are served for this long while /readyz fails: the time that a load balancer needs to ' +
      'notice',
  }),
  PLATFORM_API_KEY: Type.String({ minLength: 32, description: "The operator's key: makes tenants and acts for them" }),
  PLATFORM_API_KEY_PREVIOUS: Type.Optional(
    Type.String({ minLength: 32, description: 'The key that it replaces: accepted too, and its use is logged' }),
  ),
  DATABASES: Type.Optional(
    Type.String({
      description:
        'Further databases with tenants and workers of their own: name=postgres://… entries, separated by spaces. ' +
        'DATABASE_URL is the one named main. Default: one database',
    }),
  ),
  DATABASE_OF_NEW_TENANTS: Type.String({ default: 'main', description: 'The name of the database that gets them' }),
  ...secretsSettings,
  ...outboundSettings,
  ...openFinanceSettings,
  ...rateLimitSettings,
  ...quotaSettings,
  HEADERS_TIMEOUT_MS: Type.Integer({
    default: defaultHttpServerLimits.headersTimeoutMs,
    minimum: 100,
    maximum: 600_000,
    description: 'Time for the headers of a request',
  }),
  STALL_TIMEOUT_MS: Type.Integer({
    default: defaultHttpServerLimits.stallTimeoutMs,
    minimum: 100,
    maximum: 600_000,
    description: 'In this time a body has to bring 32 KiB or end, and something of an answer has to be taken',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: defaultHttpServerLimits.maxConnections,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Connections that an API process holds; further ones are closed at once',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: defaultHttpServerLimits.maxConnectionsPerAddress,
    minimum: 0,
    maximum: 1_000_000,
    description: 'Of these, connections of one address, trusted proxies apart; 0: no limit',
  }),
  ...proxySettings,
  RETENTION_IDEMPOTENCY_KEYS: retentionSetting(1, 'answers to requests with an Idempotency-Key'),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      description: 'OpenID provider by which people sign in, as https://login.example.com; with OIDC_CLIENT_ID',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({
      description: 'The client at the provider; its redirect URI: https://<this service>/app/oidc/callback',
    }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String({ description: 'Its secret' })),
  OIDC_NAME: Type.String({ default: 'single sign-on', description: 'What the sign-in page calls the provider' }),
  RULE_SETS_VALIDATE_FIELDS_STRICT: Type.Unsafe<'0' | '1'>({
    type: 'string',
    enum: ['0', '1'],
    default: '0',
    description: '1: expressions may refer to declared fields only',
  }),
  MAX_UNBLOCKED_PAIRS: Type.Integer({
    default: 50_000_000,
    minimum: 1,
    description: 'Pairs that a rule set without blocking may compare',
  }),
  EVALUATION_PROCESSES: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 64,
    description: 'Child processes that evaluate expressions for requests',
  }),
  EVALUATION_HEAP_MB: Type.Integer({ default: 256, minimum: 32, maximum: 8192, description: 'Heap of each of them' }),
  EVALUATION_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 120_000,
    description: 'Time for the expressions of one request',
  }),
});

/** @throws ConfigError that names the entry and what is wrong with it */
export function databasesOf({
  DATABASE_URL: mainUrl,
  DATABASES: text,
  DATABASE_OF_NEW_TENANTS: newTenants,
}: Static<typeof settings>): NamedDatabase[] {
  try {
    const databases = readDatabases(mainUrl, text);
    if (databases.some(({ name }) => name === newTenants)) return databases;
  } catch (error) {
    throw new ConfigError(`Invalid settings:\n  DATABASES ${messageOf(error)}`);
  }
  throw new ConfigError(`Invalid settings:\n  DATABASE_OF_NEW_TENANTS "${newTenants}" is no name of DATABASES`);
}

export const config = () => {
  const env = loadConfig(settings, process.env);
  return { ...env, identity: identitySettingsOf(env), databases: databasesOf(env) };
};
