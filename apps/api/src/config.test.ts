import { loadConfig } from '@tieout/infra';
import { databasesOf, settings } from './config';

const required = {
  DATABASE_URL: 'postgresql://localhost/x',
  PLATFORM_API_KEY: 'k'.repeat(32),
  SECRETS_KEY: 'ab'.repeat(32),
};

test('what is not set has a default', () => {
  expect(loadConfig(settings, required)).toMatchObject({
    PORT: 3000,
    RULE_SETS_VALIDATE_FIELDS_STRICT: '0',
    MAX_UNBLOCKED_PAIRS: 50_000_000,
  });
});

test.each([
  [{ PLATFORM_API_KEY: 'k'.repeat(31) }, 'PLATFORM_API_KEY'],
  [{ PLATFORM_API_KEY: '' }, 'PLATFORM_API_KEY'],
  [{ SECRETS_KEY: '' }, 'SECRETS_KEY'],
  [{ RULE_SETS_VALIDATE_FIELDS_STRICT: 'yes' }, 'RULE_SETS_VALIDATE_FIELDS_STRICT'],
  [{ PORT: '99999' }, 'PORT'],
])('%j is refused', (change, name) => {
  expect(() => loadConfig(settings, { ...required, ...change })).toThrow(name);
});

test('the urls of replicas are a list, each of which is read like that of the database', () => {
  const urls = ['postgresql://a/x?sslmode=require', 'postgres://b:5433/x'];
  expect(loadConfig(settings, { ...required, DATABASE_REPLICA_URLS: urls.join() }).DATABASE_REPLICA_URLS).toBe(
    'postgresql://a/x?uselibpqcompat=true&sslmode=require,postgres://b:5433/x',
  );
});

test.each([
  ['mysql://a/x', 'DATABASE_REPLICA_URLS must match'],
  ['postgres://a/x,', 'DATABASE_REPLICA_URLS must match'],
  ['postgres://a/x,postgres://b:99999/x', 'DATABASE_REPLICA_URLS has a port that is not a number up to 65535'],
])('the replicas %s are refused', (urls, message) => {
  expect(() => loadConfig(settings, { ...required, DATABASE_REPLICA_URLS: urls })).toThrow(message);
});

test.each([
  [{ DATABASES: 'b=redis://one' }, 'DATABASES the entry "b" needs a url that begins with postgres://'],
  [{ DATABASE_OF_NEW_TENANTS: 'b' }, 'DATABASE_OF_NEW_TENANTS "b" is no name of DATABASES'],
])('%j is refused', (change, message) => {
  expect(() => databasesOf(loadConfig(settings, { ...required, ...change }))).toThrow(message);
});

test('further databases follow that of DATABASE_URL', () => {
  const env = { ...required, DATABASES: 'b=postgresql://two/x', DATABASE_OF_NEW_TENANTS: 'b' };
  expect(databasesOf(loadConfig(settings, env)).map(({ name }) => name)).toEqual(['main', 'b']);
});
