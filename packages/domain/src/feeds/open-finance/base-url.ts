/** The base url of a provider's interface. */
export interface BaseUrl {
  origin: string;
  /** Path without a slash at its end; '' for none. */
  prefix: string;
}

const maxLength = 2_048;

/**
 * Printable ASCII without what parsers and people read differently: user and password, escapes, backslashes, query,
 * fragment.
 */
const plainText = /^https?:\/\/[^\s\x00-\x20\x7f-\uffff@%\\?#]+$/i;
const plainPath = /^(\/[A-Za-z0-9._~-]+)*\/?$/;
const dots = /\/\.{1,2}(\/|$)/;
const defaultPorts: Record<string, string> = { 'https:': ':443', 'http:': ':80' };

/** Parses a base url; null for any other text, and for a base url that is not in its plainest spelling. */
export function readBaseUrl(text: string): BaseUrl | null {
  if (text.length > maxLength || !plainText.test(text) || dots.test(text) || !URL.canParse(text)) return null;
  const { origin, protocol, pathname } = new URL(text);
  if (!plainPath.test(pathname)) return null;
  // Parsing normalises other spellings of the host (decimal, octal, mapped): the text must equal the normal form.
  const [, written = ''] = /^(https?:\/\/[^/]*)/i.exec(text) ?? [];
  const asWritten = written.toLowerCase();
  if (asWritten !== origin && asWritten !== `${origin}${defaultPorts[protocol] ?? ''}`) return null;
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

/** Returns whether a base url equals a listed one or lies below it, by whole path segments. */
export const isWithin = (base: BaseUrl, listed: BaseUrl): boolean =>
  base.origin === listed.origin && (base.prefix === listed.prefix || base.prefix.startsWith(`${listed.prefix}/`));
