export { beginPath, signInPages } from './pages';
export { personCookie } from './sealed-cookie';
export { identitySettingsOf, openIdentityProvider, type IdentityProvider, type IdentitySettings } from './provider';
