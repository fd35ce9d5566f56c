import { AppError } from '@tieout/infra';

export interface GateOptions {
  /** What the weights of all running tasks may add up to. */
  capacity: number;
  /** What those of one owner may. Default: the capacity. */
  perOwner?: number;
  /** Tasks of one owner that wait; further ones are refused. Default: no limit. */
  mostWaiting?: number;
  /** Who has waited for so long takes the place of the task that has held what it needs for longest, if that is as long. Default: for ever. */
  patienceMs?: number;
  /** So many lighter tasks of others pass one that waits for capacity. Default: none. */
  mostPasses?: number;
}

/**
 * Lets tasks run whose weights fit, at once and before the call returns; the others wait. Owners are served in turn, the tasks of each in the order in which they
 * came. A task that can give its place up is asked to when others have waited for it for too long.
 * @throws AppError rate_limited when too many tasks of the owner wait already
 */
export type Gate = <T>(owner: string, weight: number, task: (place: Place) => Promise<T>, lane?: Lane) => Promise<T>;

/** Tasks of one kind, of which no more than `capacity` run at a time. Who waits for one of them holds up no other task of its owner. */
export interface Lane {
  name: string;
  capacity: number;
}

export interface Place {
  /** Set while the task can give its place up. */
  giveUp?: (() => void) | undefined;
}

interface Waiting {
  owner: string;
  lane: Lane | undefined;
  weight: number;
  passes: number;
  enter: () => void;
  sinceMs: number;
}

interface Running extends Place {
  owner: string;
  weight: number;
  sinceMs: number;
}

/** Of its patience, for how long somebody who waits too long lets those end that were asked. */
const looksPerPatience = 10;

/** A task that weighs more than may run counts as all of that. */
export function createGate({
  capacity,
  perOwner = capacity,
  mostWaiting = Infinity,
  patienceMs = Infinity,
  mostPasses = 0,
}: GateOptions): Gate {
  // In the order of their turns: who has been served goes to the end. Of one owner, one for each lane.
  const lines = new Map<string, Waiting[]>();
  const usedBy = new Map<string, number>();
  const usedIn = new Map<Lane, number>();
  let used = 0;

  const use = (owner: string, weight: number, lane: Lane | undefined, tasks: 1 | -1): void => {
    if (lane) usedIn.set(lane, (usedIn.get(lane) ?? 0) + tasks);
    used += tasks * weight;
    const own = (usedBy.get(owner) ?? 0) + tasks * weight;
    if (own === 0) usedBy.delete(owner);
    else usedBy.set(owner, own);
  };
  const fitsOwner = (owner: string, weight: number): boolean => (usedBy.get(owner) ?? 0) + weight <= perOwner;
  const fitsLane = (lane: Lane | undefined): boolean => !lane || (usedIn.get(lane) ?? 0) < lane.capacity;

  /** The line whose turn it is; undefined: nobody can run. A heavy task is passed by no more lighter ones of others than it has to bear. */
  const next = (): string | undefined => {
    const passed: Waiting[] = [];
    for (const [name, line] of lines) {
      const first = line[0] as Waiting;
      if (!fitsOwner(first.owner, first.weight) || !fitsLane(first.lane)) continue;
      if (used + first.weight <= capacity) {
        for (const each of passed) each.passes += 1;
        return name;
      }
      if (first.passes >= mostPasses) return undefined;
      passed.push(first);
    }
    return undefined;
  };
  const admit = (): void => {
    for (let name = next(); name !== undefined; name = next()) {
      const line = lines.get(name) as Waiting[];
      const { owner, weight, lane, enter } = line.shift() as Waiting;
      lines.delete(name);
      if (line.length > 0) lines.set(name, line);
      use(owner, weight, lane, 1);
      enter();
    }
  };

  const entrance = (owner: string, weight: number, lane: Lane | undefined): Promise<void> | undefined => {
    if (lines.size === 0 && fitsOwner(owner, weight) && fitsLane(lane) && used + weight <= capacity) {
      use(owner, weight, lane, 1);
      return undefined;
    }
    const name = lane ? `${owner}/${lane.name}` : owner;
    const line = lines.get(name) ?? [];
    if (line.length >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many requests wait already: send fewer at a time', {
        retryAfterSeconds: 1,
      });
    }
    const waiting: Waiting = { owner, lane, weight, passes: 0, enter: () => undefined, sinceMs: performance.now() };
    const entered = new Promise<void>((enter) => (waiting.enter = enter));
    line.push(waiting);
    lines.set(name, line);
    admit();
    if (line.at(-1) !== waiting) return undefined;
    lookLater();
    return entered;
  };

  // In the order in which they began.
  const running = new Set<Running>();
  const isLong = ({ sinceMs }: { sinceMs: number }): boolean => performance.now() - sinceMs >= patienceMs;
  /** As many give up as hold what the first in line needs that has waited for too long. */
  const makeRoom = (): void => {
    for (const [waiting] of lines.values()) {
      if (!waiting || !isLong(waiting)) continue;
      const { owner } = waiting;
      const isOwnFault = !fitsOwner(owner, waiting.weight);
      let missing = isOwnFault
        ? (usedBy.get(owner) ?? 0) + waiting.weight - perOwner
        : used + waiting.weight - capacity;
      for (const each of running) {
        if (missing <= 0) break;
        if (!each.giveUp || !isLong(each) || (isOwnFault && each.owner !== owner)) continue;
        missing -= each.weight;
        each.giveUp();
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const lookLater = (): void => {
    if (patienceMs === Infinity || timer !== undefined || lines.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      makeRoom();
      lookLater();
    }, patienceMs / looksPerPatience).unref();
  };

  const watched = async <T>(owner: string, weight: number, task: (place: Place) => Promise<T>): Promise<T> => {
    const own: Running = { owner, weight, sinceMs: performance.now() };
    running.add(own);
    try {
      return await task(own);
    } finally {
      running.delete(own);
    }
  };

  return async (owner, wanted, task, lane) => {
    const weight = Math.min(wanted, perOwner, capacity);
    const entered = entrance(owner, weight, lane);
    if (entered) await entered;
    try {
      return await (patienceMs === Infinity ? task({}) : watched(owner, weight, task));
    } finally {
      use(owner, weight, lane, -1);
      admit();
    }
  };
}
