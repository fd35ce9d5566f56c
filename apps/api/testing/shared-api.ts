import { rmSync } from 'node:fs';
import { testServers } from '@tieout/testing';
import type { TestApi } from './test-api';

/** An API that several test files use, one after another. */
export interface SharedApi extends TestApi {
  /** Ends what a test file has started. @throws Error when an answer was not as the OpenAPI document says */
  leave(): Promise<void>;
}

/** The APIs of this worker, by where their queues are. */
const opened = new Map<string | undefined, Promise<SharedApi>>();

/** The message by which Jest ends a worker. */
const endMessage = 2;

/** Removes the files of the APIs, in the half second that Jest allows. Their databases go with the server. */
async function endWorker(): Promise<never> {
  for (const api of opened.values())
    rmSync(new URL((await api).service.env.STORAGE_URL), { recursive: true, force: true });
  process.exit();
}

/**
 * Gives the API of the worker, which the first file opens. Opening one for each file took a third of the CPU of most:
 * a database, thirty connections that know nothing yet, and all schemas again. A process without workers has no last
 * moment, so there each file opens its own.
 */
export async function shareTestApi(open: () => Promise<SharedApi>): Promise<TestApi> {
  if (process.send === undefined) return open();
  const { redisUrl } = testServers();
  if (opened.size === 0) {
    process.on('message', (message: unknown) => {
      if (Array.isArray(message) && message[0] === endMessage) void endWorker();
    });
  }
  let api = opened.get(redisUrl);
  if (api === undefined) opened.set(redisUrl, (api = open()));
  const shared = await api;
  return { ...shared, close: shared.leave };
}
