import { BlockList, isIP, type IPVersion } from 'node:net';
import { ConfigError } from '../kernel/errors';

type Cidr = `${string}/${number}`;

/** IANA's special-purpose registry for IPv4: ranges that are not globally reachable, or not one host. */
const notPublicV4: readonly Cidr[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast. All ranges that map or translate to IPv4 lie outside, except 6to4. */
const globalV6: readonly Cidr[] = ['2000::/3'];

/** The special-purpose ranges inside it. */
const notPublicV6: readonly Cidr[] = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

function rangesOf(cidrs: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [, address = '', prefix = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(cidr) ?? [];
    const family = isIP(address);
    if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) {
      throw new ConfigError(
        `${JSON.stringify(cidr)} is not an address range; write 10.0.0.0/8 or fd00::/8, one address as 10.1.2.3/32`,
      );
    }
    ranges.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return ranges;
}

const deniedV4 = rangesOf(notPublicV4);
const grantedV6 = rangesOf(globalV6);
const deniedV6 = rangesOf(notPublicV6);

const isPublic = (address: string, family: IPVersion): boolean =>
  family === 'ipv4' ? !deniedV4.check(address) : grantedV6.check(address, 'ipv6') && !deniedV6.check(address, 'ipv6');

/** Gives the family of an address; null for any other text, and for an address with a zone. */
function familyOf(address: string): IPVersion | null {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}

/** Loopback and the networks of an organisation. */
const ownRanges: readonly Cidr[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
];

const own = rangesOf(ownRanges);

interface AddressRules {
  /** True when a range of the operator contains the address. */
  isListed(address: string): boolean;
  /** True when connections to it are allowed: it is public, or listed. */
  isAllowed(address: string): boolean;
  /** True for this machine and private networks, where data sent without encryption stays inside the organisation. */
  isOwn(address: string): boolean;
}

/** @throws ConfigError for an invalid range */
export function addressRules(allowCidrs: readonly string[]): AddressRules {
  const within =
    (ranges: BlockList) =>
    (address: string): boolean => {
      const family = familyOf(address);
      return family !== null && ranges.check(address, family);
    };
  const isListed = within(rangesOf(allowCidrs));
  return {
    isListed,
    isOwn: within(own),
    isAllowed: (address) => {
      const family = familyOf(address);
      return (family !== null && isPublic(address, family)) || isListed(address);
    },
  };
}
