/** Lets tasks run whose weights add up to a capacity at most; the others wait in the order in which they came. */
export type Gate = <T>(weight: number, task: () => Promise<T>) => Promise<T>;

/** A task that weighs more than the capacity counts as all of it: it runs alone. */
export function createGate(capacity: number): Gate {
  const waiting: { weight: number; enter: () => void }[] = [];
  let used = 0;
  const admit = (): void => {
    for (let next = waiting[0]; next && used + next.weight <= capacity; next = waiting[0]) {
      waiting.shift();
      used += next.weight;
      next.enter();
    }
  };
  return async (wanted, task) => {
    const weight = Math.min(wanted, capacity);
    await new Promise<void>((enter) => {
      waiting.push({ weight, enter });
      admit();
    });
    try {
      return await task();
    } finally {
      used -= weight;
      admit();
    }
  };
}
