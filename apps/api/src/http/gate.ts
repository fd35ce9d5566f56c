import { AppError } from '@tieout/infra';

export interface GateOptions {
  /** What the weights of all running tasks may add up to. */
  capacity: number;
  /** What those of one owner may. Default: the capacity. */
  perOwner?: number;
  /** Tasks of one owner that wait; further ones are refused. Default: no limit. */
  mostWaiting?: number;
}

/**
 * Lets tasks run whose weights fit; the others wait. Owners are served in turn, the tasks of each in the order in which they
 * came. @throws AppError rate_limited when too many tasks of the owner wait already
 */
export type Gate = <T>(owner: string, weight: number, task: () => Promise<T>) => Promise<T>;

interface Waiting {
  weight: number;
  enter: () => void;
}

/** A task that weighs more than may run counts as all of that. */
export function createGate({ capacity, perOwner = capacity, mostWaiting = Infinity }: GateOptions): Gate {
  // In the order of their turns: who has been served goes to the end.
  const lines = new Map<string, Waiting[]>();
  const usedBy = new Map<string, number>();
  let used = 0;

  const use = (owner: string, weight: number): void => {
    used += weight;
    const own = (usedBy.get(owner) ?? 0) + weight;
    if (own === 0) usedBy.delete(owner);
    else usedBy.set(owner, own);
  };
  const fitsOwner = (owner: string, weight: number): boolean => (usedBy.get(owner) ?? 0) + weight <= perOwner;

  /** The owner whose turn it is; undefined: nobody can run. A heavy task is not passed by lighter ones of others. */
  const next = (): string | undefined => {
    for (const [owner, line] of lines) {
      const { weight } = line[0] as Waiting;
      if (fitsOwner(owner, weight)) return used + weight <= capacity ? owner : undefined;
    }
    return undefined;
  };
  const admit = (): void => {
    for (let owner = next(); owner !== undefined; owner = next()) {
      const line = lines.get(owner) as Waiting[];
      const { weight, enter } = line.shift() as Waiting;
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      use(owner, weight);
      enter();
    }
  };

  const entrance = (owner: string, weight: number): Promise<void> | undefined => {
    if (lines.size === 0 && fitsOwner(owner, weight) && used + weight <= capacity) {
      use(owner, weight);
      return undefined;
    }
    const line = lines.get(owner) ?? [];
    if (line.length >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many requests wait already: send fewer at a time', { retryAfterSeconds: 1 });
    }
    const entered = new Promise<void>((enter) => line.push({ weight, enter }));
    lines.set(owner, line);
    admit();
    return entered;
  };

  return async (owner, wanted, task) => {
    const weight = Math.min(wanted, perOwner, capacity);
    await entrance(owner, weight);
    try {
      return await task();
    } finally {
      use(owner, -weight);
      admit();
    }
  };
}
