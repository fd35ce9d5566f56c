import type { ServerResponse } from 'node:http';

/** Bounds the total bytes of answers that their clients have not read yet. */
export interface UnreadResponses {
  /** Counts the unread bytes of an answer. Beyond the total limit, it cuts off the answers that have waited longest. */
  add(response: ServerResponse): void;
  /** Forgets an answer that its client has read. */
  remove(response: ServerResponse): void;
}

/** Answers below this size fit into the buffers of the system. */
const smallBytes = 64 * 1024;

export function createUnreadResponses(maxBytes: number): UnreadResponses {
  // The answers that have waited longest come first.
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
      for (const oldest of waiting.keys()) {
        if (total <= maxBytes || oldest === response) return;
        remove(oldest);
        oldest.destroy();
      }
    },
    remove,
  };
}
