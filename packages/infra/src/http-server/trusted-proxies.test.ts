import { ConfigError } from '../kernel/errors';
import { dropForwardedPorts, trustedProxiesOf } from './trusted-proxies';

test.each([
  ['', []],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
  ['loopback,172.18.0.2,10.0.0.0/255.0.0.0,', ['loopback', '172.18.0.2', '10.0.0.0/255.0.0.0']],
])('the setting %j names %j', (setting, ranges) => {
  expect(trustedProxiesOf({ TRUSTED_PROXIES: setting })).toEqual(ranges);
});

test.each([
  ...['proxy', '10.0.0/8', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/255'],
  ...['10.0.0.0/255.0.255.0', '10.0.0.0/0.255.255.255', '10.0.0.0/255.255.255.1', 'fd00::/255.0.0.0', 'fd00::/ffff::'],
  ...['0.0.0.0/0', '::/0', '10.0.0.0/0', '0.0.0.0/00', '0.0.0.0/0.0.0.0'],
])('a start with the setting %j is refused, which names it', (setting) => {
  const start = () => trustedProxiesOf({ TRUSTED_PROXIES: `10.0.0.0/8,${setting}` });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(
    `TRUSTED_PROXIES must be addresses or ranges with commas between, such as 10.0.0.0/8; "${setting}" ` +
      (/\/0[.0]*$/.test(setting) ? 'holds every address' : 'is none'),
  );
});

test.each([
  ['1.2.3.4:5678', '1.2.3.4'],
  ['[::1]:80', '::1'],
  ['[2001:db8::1], 10.0.0.1:9,10.0.0.2', '2001:db8::1, 10.0.0.1, 10.0.0.2'],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['2001:db8::80', '2001:db8::80'],
  ['unknown, 1.2.3.4:x', 'unknown, 1.2.3.4:x'],
])('X-Forwarded-For %j gives the addresses %j', (sent, read) => {
  const headers = { 'x-forwarded-for': sent };
  dropForwardedPorts(headers);
  expect(headers).toEqual({ 'x-forwarded-for': read });
});
