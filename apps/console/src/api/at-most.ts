type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a semaphore that runs at most `max` tasks at once; the others wait and begin in their order. */
export function atMost(max: number): Limit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((begin) => waiting.push(begin));
    else running++;
    try {
      return await work();
    } finally {
      const begin = waiting.shift();
      if (begin) begin();
      else running--;
    }
  };
}
