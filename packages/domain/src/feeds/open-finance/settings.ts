import { Type } from '@sinclair/typebox';
import { ConfigError } from '@tieout/infra';
import { readBaseUrl, type BaseUrl } from './base-url';

/** Settings of processes that call providers, to be spread into the schema of an app. */
export const openFinanceSettings = {
  OPENFINANCE_BASE_URL: Type.Optional(
    Type.String({
      description: 'Provider of open finance: https://api.provider.example/v1. Default: a sandbox in the process',
    }),
  ),
  OPENFINANCE_ALLOWED_BASE_URLS: Type.Optional(
    Type.String({
      description:
        'Base urls that a browse request may name in baseUrl, with commas between; ' +
        'paths below them are allowed too. Default: none',
    }),
  ),
  OPENFINANCE_CREDENTIALS: Type.Optional(
    Type.String({
      description:
        'Credential for each origin, sent to it as bearer token: ' +
        'https://api.provider.example=secret,https://other.example=secret2',
    }),
  ),
  OPENFINANCE_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 120_000,
    description: 'Time for one request to a provider; a list may take three times as long',
  }),
} as const;

export interface OpenFinanceEnvironment {
  OPENFINANCE_BASE_URL?: string;
  OPENFINANCE_ALLOWED_BASE_URLS?: string;
  OPENFINANCE_CREDENTIALS?: string;
  OPENFINANCE_TIMEOUT_MS: number;
}

export interface OpenFinancePolicy {
  base: BaseUrl | null;
  allowed: readonly BaseUrl[];
  /** Keyed by origin: no other origin ever gets the credential. */
  credentials: ReadonlyMap<string, string>;
  timeoutMs: number;
}

const partsOf = (list = ''): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Parses the settings.
 * @throws ConfigError naming the setting, never a credential
 */
export function openFinancePolicy(env: OpenFinanceEnvironment): OpenFinancePolicy {
  return {
    base: env.OPENFINANCE_BASE_URL === undefined ? null : baseOf('OPENFINANCE_BASE_URL', env.OPENFINANCE_BASE_URL),
    allowed: partsOf(env.OPENFINANCE_ALLOWED_BASE_URLS).map((text) => baseOf('OPENFINANCE_ALLOWED_BASE_URLS', text)),
    credentials: new Map(partsOf(env.OPENFINANCE_CREDENTIALS).map(credentialOf)),
    timeoutMs: env.OPENFINANCE_TIMEOUT_MS,
  };
}

const fault = (setting: string, message: string): ConfigError =>
  new ConfigError(`Invalid settings:\n  ${setting} ${message}`);

function baseOf(setting: string, text: string): BaseUrl {
  const base = readBaseUrl(text);
  if (base === null) {
    throw fault(
      setting,
      'must hold urls such as https://api.provider.example/v1, ' +
        `without user, query, fragment, escapes or dots as segments (${JSON.stringify(text)})`,
    );
  }
  return base;
}

function credentialOf(text: string): [origin: string, credential: string] {
  const at = text.indexOf('=');
  const [url, credential] = [text.slice(0, at), text.slice(at + 1)];
  const base = readBaseUrl(url);
  if (at === -1 || base === null || base.prefix !== '' || !/^[\x21-\x7e]+$/.test(credential)) {
    throw fault(
      'OPENFINANCE_CREDENTIALS',
      'must hold pairs such as https://api.provider.example=secret, ' +
        'an origin and its credential in printable ASCII without commas',
    );
  }
  return [base.origin, credential];
}
