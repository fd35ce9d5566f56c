const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const printable = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'proxy-authorization']);

/**
 * HTTP clients trim, strip and re-encode values on their own. What they could not send as it is must not get there.
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
