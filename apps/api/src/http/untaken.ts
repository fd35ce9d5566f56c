import type { ServerResponse } from 'node:http';

/** What clients have not taken yet of their answers, all together. */
export interface Untaken {
  /** What was written to the answer waits for its reader: cuts those that have waited longest, where all together is too much. */
  add(response: ServerResponse): void;
  /** The reader has taken it. */
  remove(response: ServerResponse): void;
}

/** Less than that goes into the buffers of the system. */
const smallBytes = 64 * 1024;

export function createUntaken(mostBytes: number): Untaken {
  // Those that have waited longest first.
  const waiting = new Map<ServerResponse, number>();
  const watched = new WeakSet<ServerResponse>();
  let total = 0;
  const remove = (response: ServerResponse): void => {
    total -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  return {
    add: (response) => {
      const bytes = response.socket?.writableLength ?? 0;
      remove(response);
      if (bytes < smallBytes) return;
      waiting.set(response, bytes);
      total += bytes;
      if (!watched.has(response)) response.once('close', () => remove(response));
      watched.add(response);
      for (const slow of waiting.keys()) {
        if (total <= mostBytes || slow === response) return;
        remove(slow);
        slow.destroy();
      }
    },
    remove,
  };
}
