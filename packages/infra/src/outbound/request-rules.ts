import { isIP } from 'node:net';
import type { UrlVerdict } from './types';

export interface UrlRules {
  allowedPorts: readonly number[];
  /** True when a range of the operator contains the address, which may then be the host of a url. */
  isListed(address: string): boolean;
  /** The only allowed origins, when there are some. */
  origins?: readonly string[] | undefined;
}

const maxUrlLength = 2048;

/** Matches names that mean this machine or its network, whatever they resolve to. */
const internalName = /(^|\.)(localhost|local|internal)$/;

/** Matches a DNS name as the URL standard decodes and maps it; the standard accepts more in a host. */
const dnsName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** Gives the host of a url without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Checks the rules for a url that need no network. Parsing gives every spelling of an address the same form. */
export function checkUrl(text: string, rules: UrlRules): UrlVerdict {
  if (rules.origins) return checkOrigin(text, rules.origins);
  const notAllowed = (message: string): UrlVerdict => ({ ok: false, reason: 'not_allowed', message });
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    return { ok: false, reason: 'not_https', message: 'must be an absolute https:// url' };
  }
  const url = new URL(text);
  // A name with the dot of the root is the same name, but not to certificates.
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.href.length > maxUrlLength) return notAllowed(`must not be longer than ${maxUrlLength} characters`);
  if (url.username !== '' || url.password !== '')
    return notAllowed('must not hold a user or password; put credentials into the secret');
  if (url.href.includes('#')) return notAllowed('must not hold a fragment (#…): it is never sent');
  const port = url.port === '' ? 443 : Number(url.port);
  if (!rules.allowedPorts.includes(port))
    return notAllowed(`must not use port ${port}; allowed: ${rules.allowedPorts.join(', ')}`);
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    if (!rules.isListed(host)) return notAllowed('must name its host, not an IP address');
  } else if (internalName.test(host)) {
    return notAllowed('must name a public host, not localhost, *.local or *.internal');
  } else if (!dnsName.test(host)) {
    return notAllowed(
      'must name a host by labels of letters, digits and hyphens with single dots between, such as hooks.example.com',
    );
  }
  return { ok: true, url: url.href };
}

function checkOrigin(text: string, origins: readonly string[]): UrlVerdict {
  const url = URL.canParse(text) ? new URL(text) : null;
  const named =
    url !== null &&
    origins.includes(url.origin) &&
    url.username === '' &&
    url.password === '' &&
    !url.href.includes('#');
  return named
    ? { ok: true, url: url.href }
    : { ok: false, reason: 'not_allowed', message: 'must have an origin that the operator allows' };
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const printable = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'proxy-authorization']);

/**
 * Refuses headers that the HTTP client would not send unchanged: clients trim, strip and re-encode values.
 * @throws TypeError naming the header, never its value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!token.test(name) || ownHeaders.has(name.toLowerCase()))
      throw new TypeError(`header ${JSON.stringify(name)} cannot be set`);
    if (!printable.test(value))
      throw new TypeError(`header ${name} must be printable ASCII without spaces at its ends`);
  }
}
