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

/** Returns the leading bits of a mask: `8`, or `255.0.0.0` for IPv4; undefined for anything else. */
function prefixOf(mask: string, version: number): number | undefined {
  if (/^\d{1,3}$/.test(mask)) return Number(mask);
  if (version !== 4 || !isIPv4(mask)) return undefined;
  const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return /^(1*)0*$/.exec(bits.join(''))?.[1]?.length;
}

/** Returns why a text is no range of proxies, if it is none. */
function rangeFault(text: string): string | undefined {
  if (namedRanges.includes(text)) return undefined;
  const [address = '', mask, ...rest] = text.split('/');
  const version = isIP(address);
  const prefix = mask === undefined ? 1 : prefixOf(mask, version);
  if (version === 0 || rest.length > 0 || prefix === undefined || prefix > (version === 4 ? 32 : 128)) return 'is none';
  return prefix === 0 ? 'holds every address, so that every client could report another one' : undefined;
}

/** Reads the ranges of the setting. @throws ConfigError */
export function trustedProxiesOf({ TRUSTED_PROXIES: list }: { TRUSTED_PROXIES: string }): string[] {
  const ranges = list.split(',').flatMap((range) => range.trim() || []);
  for (const range of ranges) {
    const fault = rangeFault(range);
    if (fault !== undefined)
      throw new ConfigError(
        `Invalid settings:\n  TRUSTED_PROXIES must be addresses or ranges with commas between, such as 10.0.0.0/8; ` +
          `${JSON.stringify(range)} ${fault}`,
      );
  }
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
