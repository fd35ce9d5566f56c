import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { Type } from '@sinclair/typebox';
import { ConfigError } from '../kernel/errors';

/** The setting of processes that may run behind proxies, to be spread into the schema of an app. */
export const proxySettings = {
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Address ranges of proxies whose X-Forwarded-For is believed: 10.0.0.0/8,fd00::/8. Default: none',
  }),
} as const;

/** Names that Express has for ranges. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

function isRange(text: string): boolean {
  if (namedRanges.includes(text)) return true;
  const [address = '', mask, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (mask === undefined || (version === 4 && isIPv4(mask))) return true;
  return /^\d{1,3}$/.test(mask) && Number(mask) <= (version === 4 ? 32 : 128);
}

/** Reads the ranges of the setting. @throws ConfigError */
export function trustedProxiesOf({ TRUSTED_PROXIES: list }: { TRUSTED_PROXIES: string }): string[] {
  const ranges = list.split(',').flatMap((range) => range.trim() || []);
  const wrong = ranges.find((range) => !isRange(range));
  if (wrong !== undefined)
    throw new ConfigError(
      `Invalid settings:\n  TRUSTED_PROXIES must be addresses or ranges with commas between, such as 10.0.0.0/8; ` +
        `${JSON.stringify(wrong)} is none`,
    );
  return ranges;
}

const withPort = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

/**
 * Removes everything but the addresses from X-Forwarded-For: some proxies add ports, and Express rejects an address
 * with a port.
 */
export function dropForwardedPorts(headers: IncomingHttpHeaders): void {
  const sent = headers['x-forwarded-for'];
  if (typeof sent !== 'string') return;
  headers['x-forwarded-for'] = sent
    .split(',')
    .map((entry) => entry.trim().replace(withPort, '$1$2'))
    .join(', ');
}
