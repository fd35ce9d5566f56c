import express from 'express';
import { readConfig } from './config';

const required = { DATABASE_URL: 'postgres://db/tieout', DASHBOARD_PASSWORD: 'twelve chars' };

describe('settings of the dashboard', () => {
  test('the defaults need only a database and a password', () => {
    expect(readConfig(required)).toEqual({
      queue: { url: 'postgres://db/tieout', prefix: 'tieout' },
      logLevel: 'info',
      host: '0.0.0.0',
      port: 3001,
      credentials: { user: 'oncall', password: 'twelve chars' },
      trustedProxies: [],
      metricsToken: undefined,
    });
  });

  test('QUEUE_URL takes precedence over DATABASE_URL as the store of queues', () => {
    expect(readConfig({ ...required, QUEUE_URL: 'redis://cache:6379' }).queue.url).toBe('redis://cache:6379');
  });

  test.each([
    ...['10.0.0.0/1', '::/1', '10.0.0.0/255.0.0.0', '10.0.0.0/255.255.255.255', '10.0.0.0/128.0.0.0', 'fd00::/128'],
    ...['::ffff:10.0.0.0/104', 'fe80::1%eth0', '10.0.0.0/08', 'uniquelocal', '127.0.0.1,loopback'],
  ])('TRUSTED_PROXIES with %j is accepted, by Express too', (ranges) => {
    const { trustedProxies } = readConfig({ ...required, TRUSTED_PROXIES: ranges });
    expect(() => express().set('trust proxy', trustedProxies)).not.toThrow();
  });

  test.each([
    ['a missing password', { DASHBOARD_PASSWORD: undefined }, /DASHBOARD_PASSWORD is required/],
    ['a password of 11 characters', { DASHBOARD_PASSWORD: 'elevenchars' }, /DASHBOARD_PASSWORD/],
    ['a proxy that is not an address', { TRUSTED_PROXIES: 'proxy' }, /TRUSTED_PROXIES/],
    ['a proxy that is every address', { TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES/],
    ['a user with a colon, which HTTP Basic cannot carry', { DASHBOARD_USER: 'on:call' }, /DASHBOARD_USER/],
  ])('%s is refused with the name of the setting', (_, change, message) => {
    expect(() => readConfig({ ...required, ...change })).toThrow(message);
  });
});
