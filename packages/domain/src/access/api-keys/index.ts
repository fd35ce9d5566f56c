export { addressFilter, parseAddressRange, parseClientAddress, type ParsedRange } from './address-ranges';
export * from './api-keys';
export * from './authenticator';
export * from './scopes';
export { generateKey, parseKey, type NewKey } from './key-format';
