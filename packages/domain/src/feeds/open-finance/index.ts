export * from './provider';
export * from './shapes';
export { openProviders, type OpenFinanceOptions } from './open-finance';
export { createSandboxProvider, type SandboxOptions } from './sandbox/sandbox-provider';
export { createSandboxServer, type SandboxServerOptions } from './sandbox/server';
export {
  openFinancePolicy,
  openFinanceSettings,
  type OpenFinanceEnvironment,
  type OpenFinancePolicy,
} from './settings';
