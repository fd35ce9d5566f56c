import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Lets tests run in the global scope of their worker, so that `test-runner.mjs` can share modules between files. */
export default class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #env = { ...process.env };
  #replaced = [
    [globalThis, 'console'],
    [process, 'exit'],
    [process, 'getBuiltinModule'],
  ].map(([owner, name]) => ({ owner, name, value: owner[name] }));

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Gives back what Jest has replaced, and the variables that the test file has set. */
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const { owner, name, value } of this.#replaced) owner[name] = value;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
