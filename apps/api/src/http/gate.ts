/** Lets a number of tasks run at a time; the others wait in the order in which they came. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>;

export function createGate(atOnce: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The place is handed on, so that nobody who comes now overtakes who has waited.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
