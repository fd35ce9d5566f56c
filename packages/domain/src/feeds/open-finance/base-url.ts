/** Where a provider's interface begins. */
export interface BaseUrl {
  origin: string;
  /** Without a slash at its end; '' for none. */
  prefix: string;
}

const longest = 2_048;

/** Printable ASCII without what a parser reads otherwise than a person: user and password, escapes, backslashes, query, fragment. */
const plainText = /^https?:\/\/[^\s\x00-\x20\x7f-\uffff@%\\?#]+$/i;
const plainPath = /^(\/[A-Za-z0-9._~-]+)*\/?$/;
const dots = /\/\.{1,2}(\/|$)/;
const defaultPorts: Record<string, string> = { 'https:': ':443', 'http:': ':80' };

/** null for a text that is no base url, or not written as plainly as one can be. */
export function readBaseUrl(text: string): BaseUrl | null {
  if (text.length > longest || !plainText.test(text) || dots.test(text) || !URL.canParse(text)) return null;
  const { origin, protocol, pathname } = new URL(text);
  if (!plainPath.test(pathname)) return null;
  // Any other spelling of the host (decimal, octal, mapped) is gone after parsing: it must have been this one.
  const [, written = ''] = /^(https?:\/\/[^/]*)/i.exec(text) ?? [];
  const asWritten = written.toLowerCase();
  if (asWritten !== origin && asWritten !== `${origin}${defaultPorts[protocol] ?? ''}`) return null;
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

/** Whether a base lies at or below another one, by whole segments of the path. */
export const isWithin = (base: BaseUrl, listed: BaseUrl): boolean =>
  base.origin === listed.origin && (base.prefix === listed.prefix || base.prefix.startsWith(`${listed.prefix}/`));
