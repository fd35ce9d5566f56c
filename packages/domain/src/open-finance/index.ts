export * from './provider';
export * from './shapes';
export { createSandboxProvider, type SandboxOptions } from './sandbox/sandbox-provider';
