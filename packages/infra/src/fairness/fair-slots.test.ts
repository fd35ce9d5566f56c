import { createLogger } from '../kernel/logger';
import { createFairSlots, PreemptedError, type FairSlots } from './fair-slots';
import { FairPriorities } from './fair-priorities';

/** A handler that runs until `end` is called. */
function blocking() {
  const ends: (() => void)[] = [];
  return {
    run: (_payload: never) => new Promise<void>((resolve) => ends.push(resolve)),
    end: () => ends.splice(0).forEach((end) => end()),
  };
}

const payload = (tenantId: string) => ({ tenantId }) as never;

test('a tenant that is alone gets every slot', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(false));
  const work = blocking();
  const handlers = slots.track({ batch: work.run });
  const running = handlers.batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  work.end();
  await running;
});

test('while another tenant has work, a tenant leaves one slot free', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(true));
  const work = blocking();
  const handlers = slots.track({ batch: work.run });
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  const running = handlers.batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBeGreaterThan(0);
  expect(await slots.deferMs({ tenantId: 'b' })).toBe(0);
  work.end();
  await running;
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
});

test('deferred jobs of a tenant return one after the other, at its pace, and within two seconds', async () => {
  jest.useFakeTimers();
  try {
    const slots = createFairSlots(2, () => Promise.resolve(true));
    void slots.track({ batch: blocking().run }).batch(payload('a'));
    await jest.advanceTimersByTimeAsync(30);
    const waits = [
      await slots.deferMs({ tenantId: 'a' }),
      await slots.deferMs({ tenantId: 'a' }),
      await slots.deferMs({ tenantId: 'a' }),
    ];
    await jest.advanceTimersByTimeAsync(1_000);
    waits.push(await slots.deferMs({ tenantId: 'a' }), await slots.deferMs({ tenantId: 'a' }));
    expect(waits).toEqual([200, 230, 260, 200, 300]);
    for (let i = 0; i < 100; i++) waits.push(await slots.deferMs({ tenantId: 'a' }));
    expect(Math.max(...waits)).toBe(2_000);
  } finally {
    jest.useRealTimers();
  }
});

test('a slot is released when its work fails', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(true));
  const handlers = slots.track({ batch: (_payload: never) => Promise.reject<void>(new Error('failed')) });
  await expect(handlers.batch(payload('a'))).rejects.toThrow('failed');
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
});

test('the only slot is never kept free', async () => {
  const slots = createFairSlots(1, () => Promise.resolve(true));
  const work = blocking();
  const running = slots.track({ batch: work.run }).batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  work.end();
  await running;
});

describe('costed jobs that are long for some tenants only', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  type Jobs = readonly (readonly [tenantId: string, count: number, ms: number])[];

  /** Gives two slots after tenants have run jobs of cost 0.1, one after the other, with these counts and durations. */
  async function after(jobs: Jobs) {
    const priorities = new FairPriorities(() => Promise.resolve(1));
    const slots = createFairSlots(2, () => Promise.resolve(false), {
      costed: { names: ['chunk'], costOf: () => 0.1, priorities },
    });
    const work = blocking();
    const { chunk } = slots.track({ chunk: work.run });
    for (const [tenantId, count, ms] of jobs) {
      for (let i = 0; i < count; i++) {
        const running = chunk(payload(tenantId));
        await jest.advanceTimersByTimeAsync(ms);
        work.end();
        await running;
      }
    }
    return {
      chunk,
      take: (tenantId: string) => slots.deferMs({ tenantId }, 'chunk'),
      places: async (tenantId: string, numbers: readonly number[], name = 'chunk') => {
        const places: number[] = [];
        for (const number of numbers) places.push(await slots.priorityOf({ tenantId }, name, number));
        return places;
      },
    };
  }

  test.each<[string, Jobs, boolean]>([
    [
      'whose jobs are long leaves the last slot free beside a recent one with short jobs',
      [
        ['a', 3, 2_000],
        ['b', 1, 10],
      ],
      true,
    ],
    ['that is alone gets every slot, however long its jobs are', [['a', 4, 2_000]], false],
    [
      'without other recent tenants gets every slot',
      [
        ['b', 1, 10],
        ['a', 6, 2_000],
      ],
      false,
    ],
    [
      'beside tenants with long jobs only gets every slot',
      [
        ['a', 3, 2_000],
        ['c', 8, 2_000],
      ],
      false,
    ],
    [
      'whose jobs are short gets every slot',
      [
        ['b', 1, 10],
        ['a', 5, 500],
      ],
      false,
    ],
    [
      'with one long job, such as the first in a new process, gets every slot',
      [
        ['a', 1, 3_000],
        ['a', 2, 10],
        ['b', 1, 10],
      ],
      false,
    ],
  ])('a tenant %s', async (_name, jobs, leaves) => {
    const { chunk, take } = await after(jobs);
    expect(await take('a')).toBe(0);
    void chunk(payload('a'));
    expect(await take('a')).toBe(leaves ? 200 : 0);
    expect(await take('b')).toBe(0);
  });

  test('jobs of a slow tenant get priorities by the time that they take, each after the one before', async () => {
    const { places } = await after([
      ['b', 1, 10],
      ['a', 3, 300],
    ]);
    expect(await places('a', [1, 1, 2, 3, 4])).toEqual([1, 4, 7, 10, 13]);
  });

  test.each<[string, Jobs, string]>([
    [
      'a tenant whose jobs take as long as usual',
      [
        ['b', 1, 10],
        ['a', 3, 15],
      ],
      'chunk',
    ],
    [
      'a tenant with few jobs so far',
      [
        ['b', 1, 10],
        ['a', 2, 300],
      ],
      'chunk',
    ],
    [
      'a tenant most of whose jobs are quick',
      [
        ['b', 1, 10],
        ['a', 2, 300],
        ['a', 3, 10],
      ],
      'chunk',
    ],
    [
      'a tenant whose jobs are short, though slower than usual',
      [
        ['b', 1, 10],
        ['a', 3, 45],
      ],
      'chunk',
    ],
    ['a tenant that is alone', [['a', 3, 300]], 'chunk'],
    [
      'a tenant without other recent tenants',
      [
        ['b', 1, 10],
        ['a', 3, 11_000],
      ],
      'chunk',
    ],
    [
      'other jobs',
      [
        ['b', 1, 10],
        ['a', 3, 300],
      ],
      'file',
    ],
  ])('%s: the priorities stay', async (_whose, jobs, name) => {
    const { places } = await after(jobs);
    expect(await places('a', [1, 1, 1], name)).toEqual([1, 1, 1]);
  });
});

describe('unbounded jobs', () => {
  const alone = (size: number) => createFairSlots(size, () => Promise.resolve(false), { unbounded: ['plan'] });
  const take = (slots: FairSlots, name: string, tenantId = 'a') => slots.deferMs({ tenantId }, name);

  test.each([2, 3, 5])('of %i slots a tenant uses all but one for them, even while it is alone', async (size) => {
    const slots = alone(size);
    const taken = await Promise.all(Array.from({ length: size + 3 }, () => take(slots, 'plan')));
    expect(taken.filter((ms) => ms === 0)).toHaveLength(size - 1);
  });

  test('the remaining slot serves other work of the tenant and of other tenants', async () => {
    const slots = alone(2);
    await take(slots, 'plan');
    expect([await take(slots, 'batch'), await take(slots, 'plan', 'b')]).toEqual([0, 0]);
  });

  test('the slot of an ended or failed one is free for the next', async () => {
    const slots = alone(2);
    const work = blocking();
    const handlers = slots.track({ plan: work.run });
    await take(slots, 'plan');
    const running = handlers.plan(payload('a'));
    expect(await take(slots, 'plan')).toBeGreaterThan(0);
    work.end();
    await running;
    expect(await take(slots, 'plan')).toBe(0);
    await expect(
      slots.track({ plan: (_payload: never) => Promise.reject<void>(new Error('failed')) }).plan(payload('a')),
    ).rejects.toThrow('failed');
    expect(await take(slots, 'plan')).toBe(0);
  });

  test('waiting ones return one after the other', async () => {
    const slots = alone(2);
    await take(slots, 'plan');
    const waits = [await take(slots, 'plan'), await take(slots, 'plan'), await take(slots, 'plan')];
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(new Set(waits).size).toBe(3);
  });

  test('the only slot takes each as it comes', async () => {
    const slots = alone(1);
    expect([await take(slots, 'plan'), await take(slots, 'plan')]).toEqual([0, 0]);
  });
});

describe('when every slot is held', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1_000);

  /** Starts jobs of these tenants and names, one after the other, and records those that are preempted. */
  async function crowded(jobs: readonly string[], { size = 2, waits = 'x' } = {}) {
    const slots = createFairSlots(size, () => Promise.resolve(false), {
      preemptible: {
        names: ['batch'],
        othersWait: (tenantIds) => Promise.resolve(waits !== '' && !tenantIds.includes(waits)),
        logger: createLogger('test', 'silent'),
      },
    });
    const ended: number[] = [];
    const outcomes: unknown[] = [];
    for (const [index, job] of jobs.entries()) {
      const [tenantId = '', name = ''] = job.split(' ');
      const run = (_payload: never, signal: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal.addEventListener('abort', () => {
            ended.push(index);
            reject(signal.reason as Error);
          });
        });
      const handler = slots.track({ [name]: run })[name];
      handler?.(payload(tenantId)).catch((error: unknown) => outcomes.push(error));
      await jest.advanceTimersByTimeAsync(10);
    }
    return { slots, ended, outcomes };
  }

  test.each<[string, readonly string[], object, number[]]>([
    ['the job that started last is preempted for a waiting tenant, and no other', ['a batch', 'a batch'], {}, [1]],
    ['it is preempted also when several tenants hold the slots', ['a batch', 'b batch'], {}, [1]],
    ['the last preemptible job is preempted', ['a batch', 'a plan'], {}, [0]],
    ['no job is preempted as long as no tenant waits', ['a batch', 'a batch'], { waits: '' }, []],
    ['no job is preempted for a tenant that holds a slot', ['a batch', 'b batch'], { waits: 'b' }, []],
    ['no job is preempted while a slot is free', ['a batch', 'a batch'], { size: 3 }, []],
    ['the job in the only slot is not preempted', ['a batch'], { size: 1 }, []],
    ['other jobs are not preempted', ['a plan', 'a plan'], {}, []],
  ])('%s', async (_name, jobs, options, expected) => {
    const { ended, outcomes } = await crowded(jobs, options);
    await seconds(4);
    expect(ended).toEqual([]);
    await seconds(6);
    expect(ended).toEqual(expected);
    expect(outcomes).toEqual(ended.map(() => new PreemptedError()));
  });

  test('an earlier job goes on beside short jobs, until the job beside it has run for long, too', async () => {
    const { slots, ended } = await crowded(['a batch']);
    await seconds(20);
    for (let i = 0; i < 3; i++) {
      const work = blocking();
      const running = slots.track({ plan: work.run }).plan(payload('b'));
      await seconds(4);
      work.end();
      await running;
    }
    expect(ended).toEqual([]);
    void slots.track({ plan: blocking().run }).plan(payload('b'));
    await seconds(7);
    expect(ended).toEqual([0]);
  });

  test('a preempted tenant leaves the last slot to others for half a minute, and gets it again then', async () => {
    const { slots, ended } = await crowded(['a batch', 'b batch']);
    await seconds(10);
    expect(ended).toEqual([1]);
    expect([
      await slots.deferMs({ tenantId: 'b' }, 'batch'),
      await slots.deferMs({ tenantId: 'b' }, 'plan'),
      await slots.deferMs({ tenantId: 'c' }, 'batch'),
    ]).toEqual([200, 0, 0]);
    await seconds(30);
    expect(await slots.deferMs({ tenantId: 'b' }, 'batch')).toBe(0);
  });
});
