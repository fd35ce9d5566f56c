import { setTimeout as sleep } from 'node:timers/promises';

const lookIntervalMs = 1_000;

/**
 * Starts the embedded database again when it dies; the services reconnect by themselves, so it comes back on its port.
 *
 * @returns {() => Promise<void>} Ends the watch.
 */
export function watchDatabase(server, say) {
  const ended = new AbortController();
  const watch = async () => {
    let backoffMs = lookIntervalMs;
    for (;;) {
      await sleep(backoffMs, undefined, { signal: ended.signal });
      if (server.isRunning()) {
        backoffMs = lookIntervalMs;
        continue;
      }
      say('PostgreSQL ended unexpectedly; starting it again');
      try {
        await server.restart();
        say('PostgreSQL is running again');
      } catch (error) {
        backoffMs = Math.min(backoffMs * 2, 30_000);
        say(`PostgreSQL did not start: ${error.message}\nNext attempt in ${backoffMs / 1000} s`);
      }
    }
  };
  const done = watch().catch((error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return async () => {
    ended.abort();
    await done;
  };
}
