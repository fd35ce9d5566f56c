import { FairSemaphore, type FairSemaphoreOptions, type Permit } from './fair-semaphore';

/**
 * Runs tasks that are submitted together; reports their order of start, the permits held together and their results.
 */
async function run(
  options: FairSemaphoreOptions,
  tasks: readonly (readonly [owner: string, permits: number])[],
  failing = -1,
) {
  const semaphore = new FairSemaphore(options);
  const started: number[] = [];
  const held = new Map<string, number>();
  let maxHeld = 0;
  let maxHeldByOwner = 0;
  const add = (owner: string, permits: number): void => void held.set(owner, (held.get(owner) ?? 0) + permits);
  const outcomes = await Promise.allSettled(
    tasks.map(([owner, needed], i) =>
      semaphore.run(owner, needed, async () => {
        const permits = Math.min(needed, options.maxPerOwner ?? options.capacity);
        started.push(i);
        add(owner, permits);
        maxHeld = Math.max(
          maxHeld,
          [...held.values()].reduce((a, b) => a + b),
        );
        maxHeldByOwner = Math.max(maxHeldByOwner, ...held.values());
        await new Promise((resolve) => setImmediate(resolve));
        add(owner, -permits);
        if (i === failing) throw new Error('failed');
      }),
    ),
  );
  return { started, maxHeld, maxHeldByOwner, outcomes: outcomes.map(({ status }) => status) };
}

test('running tasks hold no more permits than the capacity; all run in order, also after a failure', async () => {
  const { started, maxHeld, outcomes } = await run(
    { capacity: 10 },
    [4, 6, 1, 99, 5, 5].map((permits) => ['a', permits]),
    1,
  );
  expect(maxHeld).toBe(10);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
});

test('owners are served round robin', async () => {
  const { started } = await run({ capacity: 1 }, [
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['b', 1],
  ]);
  expect(started).toEqual([0, 1, 4, 5, 2, 6, 3]);
});

test('an owner that has reached its own limit keeps no other owner waiting', async () => {
  const { started, maxHeldByOwner } = await run({ capacity: Infinity, maxPerOwner: 2 }, [
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
    ['a', 1],
    ['b', 1],
  ]);
  expect(started.slice(0, 4)).toEqual([0, 1, 3, 5]);
  expect(maxHeldByOwner).toBe(2);
});

test('a task that fits starts before the call returns, also while other owners wait', async () => {
  const semaphore = new FairSemaphore({ capacity: Infinity, maxPerOwner: 1 });
  const begun: string[] = [];
  const tasks = ['a', 'a', 'b'].map((owner) => {
    const ended = semaphore.run(owner, 1, () => Promise.resolve(begun.push(owner)));
    begun.push('called');
    return ended;
  });
  expect(begun).toEqual(['a', 'called', 'called', 'b', 'called']);
  await Promise.all(tasks);
});

test('lighter tasks of other owners do not overtake a heavy task', async () => {
  const { started } = await run({ capacity: 10 }, [
    ['a', 6],
    ['b', 8],
    ['c', 1],
    ['c', 1],
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('a task takes no more permits than its owner may hold', async () => {
  const { maxHeldByOwner, outcomes } = await run({ capacity: 10, maxPerOwner: 5 }, [
    ['a', 99],
    ['a', 1],
  ]);
  expect(maxHeldByOwner).toBe(5);
  expect(outcomes).toEqual(['fulfilled', 'fulfilled']);
});

test('an owner with too many waiting tasks is refused, other owners are not', async () => {
  const { outcomes } = await run({ capacity: 1, maxWaiting: 1 }, [
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
  ]);
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

describe('tasks with a shared limit', () => {
  const reads = { name: 'reads', capacity: 1 };

  test('run no more at a time than the limit allows, owners round robin', async () => {
    const semaphore = new FairSemaphore({ capacity: Infinity });
    const started: string[] = [];
    let maxRunning = 0;
    let running = 0;
    const one = (owner: string): Promise<void> =>
      semaphore.run(
        owner,
        1,
        async () => {
          started.push(owner);
          maxRunning = Math.max(maxRunning, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
        },
        reads,
      );
    await Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(one));
    expect([maxRunning, started.join('')]).toEqual([1, 'aabcab']);
  });

  test('block no other task of their owner while they wait for the limit', async () => {
    const semaphore = new FairSemaphore({ capacity: Infinity, maxPerOwner: 2 });
    let end = (): void => undefined;
    const held = semaphore.run('a', 1, () => new Promise<void>((resolve) => (end = resolve)), reads);
    const waiting = ['b', 'b', 'b'].map((owner) => semaphore.run(owner, 1, () => Promise.resolve(), reads));
    const others = [
      semaphore.run('b', 2, () => Promise.resolve('done')),
      semaphore.run('b', 1, () => Promise.resolve('done')),
    ];
    expect(await Promise.all(others)).toEqual(['done', 'done']);
    end();
    await Promise.all([held, ...waiting]);
  });
});

describe('a task that keeps others waiting for longer than the maximum', () => {
  const maxWaitMs = 40;
  const ended = (task: Promise<unknown>): Promise<string> =>
    task.then(
      () => 'ended',
      (error: Error) => error.message,
    );
  /** Holds its permits until it is preempted. */
  const untilPreempted = (permit: Permit | undefined): Promise<void> =>
    new Promise((_, reject) => ((permit as Permit).preempt = () => reject(new Error('preempted'))));

  test('is preempted: the longest-running tasks first, and as many as needed', async () => {
    const semaphore = new FairSemaphore({ capacity: 3, maxWaitMs });
    const kept = ['a', 'b', 'c'].map((owner) => ended(semaphore.run(owner, 1, untilPreempted)));
    const waiting = ended(semaphore.run('d', 2, () => Promise.resolve()));
    expect(await Promise.all([...kept.slice(0, 2), waiting])).toEqual(['preempted', 'preempted', 'ended']);
    expect(await Promise.race([kept[2], Promise.resolve('runs')])).toBe('runs');
  });

  test('is a task of the same owner when that owner has reached its own limit', async () => {
    const semaphore = new FairSemaphore({ capacity: 10, maxPerOwner: 1, maxWaitMs });
    const [other, own] = ['a', 'b'].map((owner) => ended(semaphore.run(owner, 1, untilPreempted)));
    const waiting = ended(semaphore.run('b', 1, () => Promise.resolve()));
    expect(await Promise.all([own, waiting])).toEqual(['preempted', 'ended']);
    expect(await Promise.race([other, Promise.resolve('runs')])).toBe('runs');
  });

  test('runs on where it cannot be preempted, and a later task is preempted instead', async () => {
    const semaphore = new FairSemaphore({ capacity: 2, maxWaitMs });
    let end = (): void => undefined;
    const busy = ended(semaphore.run('a', 1, () => new Promise<void>((resolve) => (end = resolve))));
    const preemptible = ended(semaphore.run('b', 1, untilPreempted));
    const waiting = ended(semaphore.run('c', 1, () => Promise.resolve()));
    expect(await Promise.all([preemptible, waiting])).toEqual(['preempted', 'ended']);
    end();
    expect(await busy).toBe('ended');
  });
});
