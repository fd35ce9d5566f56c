import { isIP } from 'node:net';
import type { UrlVerdict } from './types';

export interface UrlRules {
  allowedPorts: readonly number[];
  /** Whether the operator's ranges hold the address; the host of a url may be such an address. */
  isListed(address: string): boolean;
  /** Nothing else, where there are some. */
  origins?: readonly string[] | undefined;
}

const longestUrl = 2048;

/** Names that mean a machine or a network of ours, whatever they resolve to. */
const internalName = /(^|\.)(localhost|local|internal)$/;

/** What a name of DNS looks like once the URL standard has decoded and mapped it; it leaves more than that in a host. */
const dnsName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** The host of a url without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** The rules for a url that need no network. Every spelling of an address is one spelling after parsing. */
export function checkUrl(text: string, rules: UrlRules): UrlVerdict {
  if (rules.origins) return checkOrigin(text, rules.origins);
  const notAllowed = (message: string): UrlVerdict => ({ ok: false, reason: 'not_allowed', message });
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    return { ok: false, reason: 'not_https', message: 'must be an absolute https:// url' };
  }
  const url = new URL(text);
  // The dot of the root: a name with it is the same name, but not to certificates.
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.href.length > longestUrl) return notAllowed(`must not be longer than ${longestUrl} characters`);
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
    : { ok: false, reason: 'not_allowed', message: 'must be at an origin that the operator has named' };
}
