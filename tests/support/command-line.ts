import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi } from '../../apps/api/testing';
import { runCommandIn, type CommandRun } from '../../packages/cli/testing/run';

/** The command line of one person with a service, for the tests of a file. */
export interface TestCommandLine {
  /** From `beforeAll` on. */
  readonly api: TestApi;
  /** The environment of the commands. A test has its own profiles. */
  readonly env: Record<string, string>;
  /** Returns the path of a file in the folder of the test, which is removed with it. */
  at(name: string): string;
  run(...args: string[]): Promise<CommandRun>;
  /** Logs in as a new tenant. Returns its id. */
  logIn(): Promise<string>;
}

export function useCommandLine(): TestCommandLine {
  let api: TestApi;
  let directory: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tieout-command-'));
    env = { TIEOUT_PROFILES: at('profiles.json') };
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const at = (name: string): string => path.join(directory, name);
  const run = (...args: string[]): Promise<CommandRun> => runCommandIn(env, ...args);
  return {
    get api() {
      return api;
    },
    get env() {
      return env;
    },
    at,
    run,
    logIn: async () => {
      const { key, tenantId } = await api.newTenant();
      expect((await run('login', '--url', api.url, '--key', key)).code).toBe(0);
      return tenantId;
    },
  };
}
