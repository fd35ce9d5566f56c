import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `attempt` until it gives something truthy and returns that, or null when the time is up.
 *
 * @param {() => unknown} attempt
 * @param {{ timeoutMs: number, intervalMs?: number }} limits
 */
export async function waitFor(attempt, { timeoutMs, intervalMs = 50 }) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await attempt();
    if (result) return result;
    if (Date.now() >= deadline) return null;
    await sleep(intervalMs);
  }
}
