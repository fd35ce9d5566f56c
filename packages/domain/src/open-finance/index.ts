export * from './provider';
export * from './shapes';
