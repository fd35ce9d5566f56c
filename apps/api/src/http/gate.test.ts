import { createGate, type GateOptions, type Place } from './gate';

/** Runs tasks that start at once, and tells in which order they were started and what ran at a time. */
async function run(options: GateOptions, tasks: readonly (readonly [owner: string, weight: number])[], failing = -1) {
  const gate = createGate(options);
  const started: number[] = [];
  const running = new Map<string, number>();
  let most = 0;
  let mostOfOne = 0;
  const add = (owner: string, weight: number): void => void running.set(owner, (running.get(owner) ?? 0) + weight);
  const outcomes = await Promise.allSettled(
    tasks.map(([owner, wanted], i) =>
      gate(owner, wanted, async () => {
        const weight = Math.min(wanted, options.perOwner ?? options.capacity);
        started.push(i);
        add(owner, weight);
        most = Math.max(
          most,
          [...running.values()].reduce((a, b) => a + b),
        );
        mostOfOne = Math.max(mostOfOne, ...running.values());
        await new Promise((resolve) => setImmediate(resolve));
        add(owner, -weight);
        if (i === failing) throw new Error('failed');
      }),
    ),
  );
  return { started, most, mostOfOne, outcomes: outcomes.map(({ status }) => status) };
}

test('the tasks that run weigh no more than the capacity; all run, in order, also behind one that fails', async () => {
  const { started, most, outcomes } = await run(
    { capacity: 10 },
    [4, 6, 1, 99, 5, 5].map((weight) => ['a', weight]),
    1,
  );
  expect(most).toBe(10);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
});

test('owners are served in turn', async () => {
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

test('an owner who waits for his own tasks keeps nobody else waiting', async () => {
  const { started, mostOfOne } = await run({ capacity: Infinity, perOwner: 2 }, [
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
    ['a', 1],
    ['b', 1],
  ]);
  expect(started.slice(0, 4)).toEqual([0, 1, 3, 5]);
  expect(mostOfOne).toBe(2);
});

test('a task that fits runs before the call returns, also while others wait for their own', async () => {
  const gate = createGate({ capacity: Infinity, perOwner: 1 });
  const begun: string[] = [];
  const tasks = ['a', 'a', 'b'].map((owner) => {
    const ended = gate(owner, 1, () => Promise.resolve(begun.push(owner)));
    begun.push('called');
    return ended;
  });
  expect(begun).toEqual(['a', 'called', 'called', 'b', 'called']);
  await Promise.all(tasks);
});

test('a heavy task is not passed by the lighter ones of others', async () => {
  const { started } = await run({ capacity: 10 }, [
    ['a', 6],
    ['b', 8],
    ['c', 1],
    ['c', 1],
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('a heavy task is passed by as many lighter ones of others as it has to bear, and then by none', async () => {
  const { started } = await run({ capacity: 10, mostPasses: 2 }, [
    ['a', 6],
    ['b', 8],
    ['c', 1],
    ['d', 1],
    ['c', 1],
    ['d', 1],
  ]);
  expect(started).toEqual([0, 2, 3, 1, 4, 5]);
});

test('a task weighs no more than its owner may use', async () => {
  const { mostOfOne, outcomes } = await run({ capacity: 10, perOwner: 5 }, [
    ['a', 99],
    ['a', 1],
  ]);
  expect(mostOfOne).toBe(5);
  expect(outcomes).toEqual(['fulfilled', 'fulfilled']);
});

test('who has too many tasks waiting is refused, others are not', async () => {
  const { outcomes } = await run({ capacity: 1, mostWaiting: 1 }, [
    ['a', 1],
    ['a', 1],
    ['a', 1],
    ['b', 1],
  ]);
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

describe('tasks of a lane', () => {
  const lane = { name: 'reads', capacity: 1 };

  test('run no more at a time than it has room for, owners in turn', async () => {
    const gate = createGate({ capacity: Infinity });
    const started: string[] = [];
    let most = 0;
    let running = 0;
    const one = (owner: string): Promise<void> =>
      gate(
        owner,
        1,
        async () => {
          started.push(owner);
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
        },
        lane,
      );
    await Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(one));
    expect([most, started.join('')]).toEqual([1, 'aabcab']);
  });

  test('hold up no other task of their owner while they wait for the lane', async () => {
    const gate = createGate({ capacity: Infinity, perOwner: 2 });
    let end = (): void => undefined;
    const held = gate('a', 1, () => new Promise<void>((resolve) => (end = resolve)), lane);
    const waiting = ['b', 'b', 'b'].map((owner) => gate(owner, 1, () => Promise.resolve(), lane));
    const others = [gate('b', 2, () => Promise.resolve('done')), gate('b', 1, () => Promise.resolve('done'))];
    expect(await Promise.all(others)).toEqual(['done', 'done']);
    end();
    await Promise.all([held, ...waiting]);
  });
});

describe('a task that keeps others waiting for longer than their patience', () => {
  const patienceMs = 40;
  const ended = (task: Promise<unknown>): Promise<string> =>
    task.then(
      () => 'ended',
      (error: Error) => error.message,
    );
  /** Holds its place until it is asked for it. */
  const untilTold = (place: Place): Promise<void> =>
    new Promise((_, reject) => (place.giveUp = () => reject(new Error('gave up'))));

  test('gives its place up, the one first that has held it for longest, and as many as it takes', async () => {
    const gate = createGate({ capacity: 3, patienceMs });
    const kept = ['a', 'b', 'c'].map((owner) => ended(gate(owner, 1, untilTold)));
    expect(await Promise.all([...kept.slice(0, 2), ended(gate('d', 2, () => Promise.resolve()))])).toEqual([
      'gave up',
      'gave up',
      'ended',
    ]);
    expect(await Promise.race([kept[2], Promise.resolve('goes on')])).toBe('goes on');
  });

  test('is one of its own owner, where that one may have no more', async () => {
    const gate = createGate({ capacity: 10, perOwner: 1, patienceMs });
    const [other, own] = [ended(gate('a', 1, untilTold)), ended(gate('b', 1, untilTold))];
    expect(await Promise.all([own, ended(gate('b', 1, () => Promise.resolve()))])).toEqual(['gave up', 'ended']);
    expect(await Promise.race([other, Promise.resolve('goes on')])).toBe('goes on');
  });

  test('goes on where it cannot give up, and a later one does instead', async () => {
    const gate = createGate({ capacity: 2, patienceMs });
    let end = (): void => undefined;
    const busy = ended(gate('a', 1, () => new Promise<void>((resolve) => (end = resolve))));
    const able = ended(gate('b', 1, untilTold));
    expect(await Promise.all([able, ended(gate('c', 1, () => Promise.resolve()))])).toEqual(['gave up', 'ended']);
    end();
    expect(await busy).toBe('ended');
  });
});
