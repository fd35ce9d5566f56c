/**
 * What a function makes of each of these, one at a time; undefined is left out. Keeps neither while it waits, however long: a generator
 * keeps what it has looked at.
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
