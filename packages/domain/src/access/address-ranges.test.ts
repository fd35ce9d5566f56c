import { BlockList } from 'node:net';
import fc from 'fast-check';
import { addressFilter, areRangesWithin, parseAddressRange, parseClientAddress } from './address-ranges';

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['203.0.113.7', '203.0.113.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::/0', '::/0'],
  ['2001:db8::1:2', '2001:db8::1:2/128'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221/128'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
])('%s is written as %s', (text, range) => {
  expect(parseAddressRange(text)).toEqual({ range });
});

test.each([
  '',
  'localhost',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '010.0.0.1',
  '10.0.0.256',
  ' 10.0.0.0/8',
  '10.0.0.0/8 ',
  '2001:db8::/129',
  '2001:db8::1::2',
  ':::/0',
  'fe80::1%eth0',
  '*',
  '10.0.0.0-10.0.0.9',
  '10.0.0.1:443',
  '[::1]',
  '10.0.0.0/08888888888',
  '\u0661.0.0.0',
])('%j is not a range', (text) => {
  expect(parseAddressRange(text)).toEqual({ fault: expect.stringContaining('must be an address') as string });
});

test.each([
  ['10.1.2.3/8', 'write 10.0.0.0/8 for the range, 10.1.2.3/32 for the address'],
  ['2001:db8::1/32', 'write 2001:db8::/32 for the range, 2001:db8::1/128 for the address'],
])('%s begins inside of its range, and the fault names both that may be meant', (text, fault) => {
  expect(parseAddressRange(text)).toEqual({ fault: expect.stringContaining(fault) as string });
});

test.each([
  [['10.0.0.0/8'], '10.255.0.1', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
  [['10.0.0.0/8'], '::ffff:a00:1', true],
  [['10.0.0.0/8'], '::10.0.0.1', false],
  [['192.0.2.7/32'], '192.0.2.7', true],
  [['192.0.2.7/32'], '192.0.2.8', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['0.0.0.0/0'], '1.2.3.4', true],
  [['::/0'], '2001:db8::1', true],
  [['::/0'], '1.2.3.4', false],
  [['::/0'], '::ffff:1.2.3.4', false],
  [['2001:db8::/32'], '2001:DB8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['192.0.2.0/24', '2001:db8::/32'], '2001:db8::5', true],
  [['10.0.0.0/8'], '', false],
  [['10.0.0.0/8'], 'unknown', false],
  [['10.0.0.0/8'], '10.0.0.1:443', false],
  [['10.0.0.0/8'], '10.0.0.1%eth0', false],
  [['10.0.0.0/8'], '10.0.0.1%', false],
  [['10.0.0.0/8'], '::ffff:10.0.0.1%1', false],
  [['2001:db8::/32'], '2001:db8::5%eth0', false],
  [['fe80::/10'], 'fe80::1%', false],
  [['fe80::/10'], 'fe80::1%a%b', false],
  [['::/0'], '%eth0', false],
  [[], 'unknown', true],
])('from %j an address %s is admitted: %s', (ranges, address, isAdmitted) => {
  expect(addressFilter(ranges)(address)).toBe(isAdmitted);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::5', '2001:db8::5'],
  ['203.0.113.7%eth0', null],
  ['2001:db8::5%eth0', null],
  ['fe80::1%a b', null],
  ['unknown', null],
  ['', null],
])('the client address %j is read as %j', (text, address) => {
  expect(parseClientAddress(text)).toBe(address);
});

test.each([
  [['10.1.0.0/16'], ['10.0.0.0/8'], true],
  [['10.0.0.0/8'], ['10.0.0.0/8'], true],
  [['10.0.0.0/7'], ['10.0.0.0/8'], false],
  [['10.1.0.0/16', '11.0.0.0/16'], ['10.0.0.0/8'], false],
  [['10.1.0.0/16', '192.0.2.1/32'], ['10.0.0.0/8', '192.0.2.0/24'], true],
  [['2001:db8:1::/48'], ['2001:db8::/32'], true],
  [['10.0.0.0/8'], ['::/0'], false],
  [[], ['10.0.0.0/8'], false],
  [[], ['0.0.0.0/0', '::/0'], false],
  [[], [], true],
  [['10.0.0.0/8'], [], true],
])('%j within %j: %s', (ranges, others, isWithin) => {
  expect(areRangesWithin(ranges, others)).toBe(isWithin);
});

const mapped = /^::ffff:|^(0+:){5}ffff:/i;
const subnets = fc.oneof(
  fc.record({ family: fc.constant('ipv4' as const), base: fc.ipV4(), prefix: fc.nat(32), other: fc.ipV4() }),
  fc
    .record({ family: fc.constant('ipv6' as const), base: fc.ipV6(), prefix: fc.nat(128), other: fc.ipV6() })
    .filter(({ base, other }) => !mapped.test(base) && !mapped.test(other)),
);

test('a range admits the addresses that Node.js admits, written with any of its addresses', () => {
  fc.assert(
    fc.property(subnets, ({ family, base, prefix, other }) => {
      const parsed = parseAddressRange(`${base}/${prefix}`);
      const range = 'range' in parsed ? parsed.range : (/write (\S+) for the range/.exec(parsed.fault)?.[1] as string);
      const list = new BlockList();
      list.addSubnet(base, prefix, family);
      expect(addressFilter([range])(base)).toBe(true);
      expect(addressFilter([range])(other)).toBe(list.check(other, family));
      expect(parseAddressRange(range)).toEqual({ range });
    }),
    { numRuns: 5_000 },
  );
});

test('no text makes the parser fail', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789abcdef::../% é\u0000'), maxLength: 60 });
  fc.assert(
    fc.property(text, (one) => {
      const parsed = parseAddressRange(one);
      if ('range' in parsed) expect(parseAddressRange(parsed.range)).toEqual(parsed);
    }),
    { numRuns: 20_000 },
  );
});
