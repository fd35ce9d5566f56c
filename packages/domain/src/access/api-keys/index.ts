export * from './api-keys';
export * from './authenticator';
export { generateKey, parseKey, type NewKey } from './key-format';
