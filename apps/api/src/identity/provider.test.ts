import { createLogger } from '@tieout/infra';
import { identitySettingsOf, openIdentityProvider } from './provider';

const set = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'tieout',
  OIDC_CLIENT_SECRET: 's',
  OIDC_NAME: 'ID',
};

test('without settings there is no provider', () => {
  expect(identitySettingsOf({ OIDC_NAME: 'ID' })).toBeNull();
});

test.each([
  ['OIDC_ISSUER alone', { OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined }, 'set together'],
  ['no secret', { OIDC_CLIENT_SECRET: undefined }, 'set together'],
  ['an issuer that is no address', { OIDC_ISSUER: 'login.example' }, 'OIDC_ISSUER must be an address'],
  ['an issuer that is not encrypted', { OIDC_ISSUER: 'http://login.example' }, 'OIDC_ISSUER must be an address'],
])('%s is refused', (_what, change, message) => {
  expect(() => identitySettingsOf({ ...set, ...change })).toThrow(message);
});

test('a provider that cannot be reached says so, and is asked again', async () => {
  const settings = { issuer: 'http://127.0.0.1:9', clientId: 'tieout', clientSecret: 's', name: 'Test ID' };
  const provider = openIdentityProvider(settings, createLogger('test', 'silent'));
  for (let tries = 0; tries < 2; tries++)
    await expect(provider.begin('http://localhost/app/oidc/callback')).rejects.toThrow('Test ID cannot be reached');
});
