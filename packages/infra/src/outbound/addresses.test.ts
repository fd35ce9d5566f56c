import fc from 'fast-check';
import { addressRules } from './addresses';

const { isAllowed } = addressRules([]);

/** Both ends of every range that is not public. */
const notPublic = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.255',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.0',
  '239.255.255.255',
  '240.0.0.0',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '5f00::1',
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2620:4f:8000::1',
  '3fff:fff::1',
  '4000::1',
];

test.each(notPublic)('%s is not public', (address) => {
  expect(isAllowed(address)).toBe(false);
});

test.each([
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2003::1',
  '2606:4700::1111',
  '3ffe::1',
])('%s is public', (address) => {
  expect(isAllowed(address)).toBe(true);
});

test.each(['', 'localhost', 'fe80::1%eth0', '2606:4700::1%1', '127.1', '[::1]', '8.8.8.8 '])(
  '%j is not an address',
  (text) => {
    expect(isAllowed(text)).toBe(false);
  },
);

test('an address outside of 2000::/3 is never public', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const outside = group.filter((first) => first >> 13 !== 1);
  fc.assert(
    fc.property(fc.tuple(outside, fc.array(group, { minLength: 7, maxLength: 7 })), ([first, rest]) => {
      expect(isAllowed([first, ...rest].map((part) => part.toString(16)).join(':'))).toBe(false);
    }),
  );
});

test('a listed range is allowed, and nothing beside it', () => {
  const listed = addressRules(['10.1.2.0/24', '127.0.0.1/32', 'fd00::/8']);
  const allowed = [
    '10.1.2.0',
    '10.1.2.255',
    '127.0.0.1',
    'fd12::1',
    '10.1.1.255',
    '10.1.3.0',
    '127.0.0.2',
    'fe00::1',
  ].map(listed.isAllowed);
  expect(allowed).toEqual([true, true, true, true, false, false, false, false]);
});
