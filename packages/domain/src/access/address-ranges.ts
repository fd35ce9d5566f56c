import { isIP } from 'node:net';

/** A range of addresses. One that maps IPv4 into IPv6 counts as IPv4. */
interface AddressRange {
  family: 4 | 6;
  bits: bigint;
  /** Leading bits that all its addresses share. */
  prefix: number;
}

const lengthOf = { 4: 32, 6: 128 } as const;
/** ::ffff:0:0/96 */
const mapped = { bits: 0xffff_0000_0000n, prefix: 96 };

const startOf = (bits: bigint, length: number, prefix: number): bigint =>
  (bits >> BigInt(length - prefix)) << BigInt(length - prefix);

const bitsOfV4 = (text: string): bigint => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

function bitsOfV6(text: string): bigint {
  // The last 32 bits may be written as IPv4.
  const [, head = '', v4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const low = v4 === undefined ? 0n : bitsOfV4(v4);
  const whole = v4 === undefined ? text : `${head}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  const [left = '', right] = whole.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(left), groups(right ?? '')];
  const zeros = right === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function rangeOf(address: string, prefix: number | undefined): AddressRange | undefined {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  const length = lengthOf[family];
  if (prefix !== undefined && prefix > length) return undefined;
  const range: AddressRange = {
    family,
    bits: family === 4 ? bitsOfV4(address) : bitsOfV6(address),
    prefix: prefix ?? length,
  };
  if (family === 4 || range.prefix < mapped.prefix || startOf(range.bits, 128, mapped.prefix) !== mapped.bits)
    return range;
  return { family: 4, bits: range.bits - mapped.bits, prefix: range.prefix - mapped.prefix };
}

function textOf({ family, bits, prefix }: AddressRange): string {
  const parts = (size: number, count: number): bigint[] =>
    Array.from({ length: count }, (_, i) => (bits >> BigInt(size * (count - 1 - i))) & ((1n << BigInt(size)) - 1n));
  if (family === 4) return `${parts(8, 4).join('.')}/${prefix}`;
  const address = parts(16, 8).map((group) => group.toString(16));
  // The host of a url has the shortest form of an address.
  return `${new URL(`http://[${address.join(':')}]`).hostname.slice(1, -1)}/${prefix}`;
}

export type ParsedRange = { range: string } | { fault: string };

/** Parses an address or a range into the one form of it: `10.0.0.0/8`, `2001:db8::/32`, `10.1.2.3/32`. */
export function parseAddressRange(text: string): ParsedRange {
  const [, address = '', prefix] = /^([0-9A-Fa-f.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const range = rangeOf(address, prefix === undefined ? undefined : Number(prefix));
  if (!range) return { fault: 'must be an address or a range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32' };
  const start = { ...range, bits: startOf(range.bits, lengthOf[range.family], range.prefix) };
  if (start.bits === range.bits) return { range: textOf(range) };
  const whole = { ...range, prefix: lengthOf[range.family] };
  return {
    fault: `begins inside of its range: write ${textOf(start)} for the range, ${textOf(whole)} for the address`,
  };
}

/** Reads a range that `parseAddressRange` gave. */
function read(text: string): AddressRange | undefined {
  const [address = '', prefix] = text.split('/');
  return rangeOf(address, prefix === undefined ? undefined : Number(prefix));
}

const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  startOf(inner.bits, lengthOf[inner.family], outer.prefix) === outer.bits;

/** Returns whether each of these ranges lies within one of the others; [] means all addresses. */
export function areRangesWithin(ranges: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  const outer = others.flatMap((text) => read(text) ?? []);
  return (
    ranges.length > 0 &&
    ranges.every((text) => {
      const inner = read(text);
      return inner !== undefined && outer.some((one) => contains(one, inner));
    })
  );
}

/**
 * Reads the address of a client, without the interface that a link-local one names. One that maps IPv4 is IPv4. null
 * for anything else that a proxy reports: it is no address that a range could hold.
 */
export function parseClientAddress(text: string): string | null {
  const [address = '', zone] = isIP(text) === 6 ? text.split('%') : [text];
  if (zone !== undefined && !/^fe[89ab]/i.test(address)) return null;
  return isIP(address) === 0 ? null : address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Returns the network that one subscriber has: the address of IPv4, the first 64 bits of IPv6. */
export function networkOf(address: string): string {
  const own = rangeOf(address.replace(/%.*$/, ''), undefined);
  if (own?.family !== 6) return address;
  return textOf({ ...own, bits: startOf(own.bits, lengthOf[6], 64), prefix: 64 });
}

/** Compiles ranges into a test of addresses; [] admits all of them, also an unknown one. */
export function addressFilter(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  const allowed = ranges.flatMap((text) => read(text) ?? []);
  return (address) => {
    const own = rangeOf(parseClientAddress(address) ?? '', undefined);
    return own !== undefined && allowed.some((range) => contains(range, own));
  };
}
