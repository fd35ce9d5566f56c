/**
 * Shares runs of the work between callers, one run at a time. A run serves those who called before it began, so that no
 * result is older than its call.
 */
export function nextFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () =>
    (next ??= running.then(() => {
      next = undefined;
      const run = work();
      running = run.catch(() => undefined);
      return run;
    }));
}
