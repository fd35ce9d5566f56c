/** Maps items one at a time; undefined is left out. Unlike a generator it keeps no item in memory while it waits. */
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
