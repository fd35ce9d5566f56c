/**
 * Maps items one at a time and leaves out undefined results. While it waits it keeps no item and no result in memory,
 * as a generator would.
 */
export function mapEach<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  make: (item: T) => R | undefined | Promise<R | undefined>,
): AsyncIterableIterator<R> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const done = { done: true, value: undefined } as const;
  const mapped: AsyncIterableIterator<R> = {
    next: async () => {
      for (;;) {
        const next = await source.next();
        if (next.done) return done;
        const value = await make(next.value);
        if (value !== undefined) return { done: false, value };
      }
    },
    return: async () => {
      await source.return?.();
      return done;
    },
    [Symbol.asyncIterator]: () => mapped,
  };
  return mapped;
}
