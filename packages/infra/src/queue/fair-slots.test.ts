import { createLogger } from '../logger';
import { createFairSlots, TurnEndedError, type FairSlots } from './fair-slots';
import { Lanes } from './lanes';

/** A handler that runs until it is told to end. */
function blocking() {
  const ends: (() => void)[] = [];
  return { run: (_payload: never) => new Promise<void>((resolve) => ends.push(resolve)), end: () => ends.splice(0).forEach((end) => end()) };
}

const payload = (tenantId: string) => ({ tenantId }) as never;

test('a tenant that is alone gets every slot', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(false));
  const work = blocking();
  const handlers = slots.hold({ batch: work.run });
  const running = handlers.batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  work.end();
  await running;
});

test('while another tenant has work, a tenant leaves one slot free', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(true));
  const work = blocking();
  const handlers = slots.hold({ batch: work.run });
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  const running = handlers.batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBeGreaterThan(0);
  expect(await slots.deferMs({ tenantId: 'b' })).toBe(0);
  work.end();
  await running;
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
});

test('of a tenant that holds enough slots, what goes back to the queue comes back one after the other, as fast as the job in hand lets expect, and in two seconds at most', async () => {
  jest.useFakeTimers();
  try {
    const slots = createFairSlots(2, () => Promise.resolve(true));
    void slots.hold({ batch: blocking().run }).batch(payload('a'));
    await jest.advanceTimersByTimeAsync(30);
    const waits = [await slots.deferMs({ tenantId: 'a' }), await slots.deferMs({ tenantId: 'a' }), await slots.deferMs({ tenantId: 'a' })];
    await jest.advanceTimersByTimeAsync(1_000);
    waits.push(await slots.deferMs({ tenantId: 'a' }), await slots.deferMs({ tenantId: 'a' }));
    expect(waits).toEqual([200, 230, 260, 200, 300]);
    for (let i = 0; i < 100; i++) waits.push(await slots.deferMs({ tenantId: 'a' }));
    expect(Math.max(...waits)).toBe(2_000);
  } finally {
    jest.useRealTimers();
  }
});

test('a slot is given back when its work fails', async () => {
  const slots = createFairSlots(2, () => Promise.resolve(true));
  const handlers = slots.hold({ batch: (_payload: never) => Promise.reject<void>(new Error('failed')) });
  await expect(handlers.batch(payload('a'))).rejects.toThrow('failed');
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
});

test('a single slot is never kept free', async () => {
  const slots = createFairSlots(1, () => Promise.resolve(true));
  const work = blocking();
  const running = slots.hold({ batch: work.run }).batch(payload('a'));
  expect(await slots.deferMs({ tenantId: 'a' })).toBe(0);
  work.end();
  await running;
});

describe('jobs that are long for some tenants only', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1_000);

  /** Two slots in which jobs run for so many seconds, one after the other. */
  async function after(jobs: readonly (readonly [tenantId: string, seconds: number])[]) {
    const slots = createFairSlots(2, () => Promise.resolve(false), { seldomLong: ['chunk'] });
    const work = blocking();
    const { chunk } = slots.hold({ chunk: work.run });
    for (const [tenantId, lastsSeconds] of jobs) {
      const running = chunk(payload(tenantId));
      await seconds(lastsSeconds);
      work.end();
      await running;
    }
    return { chunk, take: (tenantId: string) => slots.deferMs({ tenantId }, 'chunk') };
  }

  test.each<[string, Parameters<typeof after>[0], boolean]>([
    ['whose last job was long leaves the last slot free beside one that was there lately', [['b', 0], ['a', 2]], true],
    ['that is alone gets every slot, however long its jobs are', [['a', 2]], false],
    ['beside which nobody has been for a while gets every slot', [['b', 0], ['a', 31], ['a', 2]], false],
    ['whose jobs are short gets every slot', [['b', 0], ['a', 0]], false],
  ])('a tenant %s', async (_name, jobs, leaves) => {
    const { chunk, take } = await after(jobs);
    expect(await take('a')).toBe(0);
    void chunk(payload('a'));
    expect(await take('a')).toBe(leaves ? 200 : 0);
    expect(await take('b')).toBe(0);
  });

  test('it gets every slot again after half a minute without a long one', async () => {
    const { chunk, take } = await after([['b', 0], ['a', 2]]);
    await seconds(29);
    void chunk(payload('b'));
    expect(await take('a')).toBe(200);
    await seconds(2);
    expect(await take('a')).toBe(0);
  });
});

describe('jobs whose numbers suppose that all take as long', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Two slots in which tenants have had a job of cost 0.1 each, for so many milliseconds. */
  async function after(jobs: readonly (readonly [tenantId: string, ms: number])[]) {
    const lanes = new Lanes(() => Promise.resolve(1));
    const slots = createFairSlots(2, () => Promise.resolve(true), { numbered: { names: ['chunk'], costOf: () => 0.1, lanes } });
    const work = blocking();
    const { chunk } = slots.hold({ chunk: work.run });
    for (const [tenantId, ms] of jobs) {
      const running = chunk(payload(tenantId));
      await jest.advanceTimersByTimeAsync(ms);
      work.end();
      await running;
    }
    return (tenantId: string, number: number, name = 'chunk') => slots.placeOf({ tenantId }, name, number);
  }

  test('those of a tenant that take longer are numbered by the time, each behind the one before', async () => {
    const place = await after([['b', 10], ['a', 300]]);
    expect([place('a', 1), place('a', 1), place('a', 2), place('a', 20), place('a', 2)]).toEqual([1, 4, 7, 20, 23]);
  });

  test.each<[string, readonly (readonly [string, number])[], string, string?]>([
    ['a tenant whose jobs are as quick as supposed', [['b', 10], ['a', 15]], 'a'],
    ['a tenant that has had none yet', [['b', 10], ['a', 300]], 'c'],
    ['a tenant whose jobs are short, though slower than supposed', [['b', 10], ['a', 45]], 'a'],
    ['a tenant that is alone', [['a', 300]], 'a'],
    ['a tenant beside which nobody has been for a while', [['b', 10], ['a', 31_000]], 'a'],
    ['other jobs', [['b', 10], ['a', 300]], 'a', 'file'],
  ])('those of %s keep their numbers', async (_whose, jobs, tenantId, name = 'chunk') => {
    const place = await after(jobs);
    expect([place(tenantId, 1, name), place(tenantId, 1, name), place(tenantId, 1, name)]).toEqual([1, 1, 1]);
  });
});

describe('jobs that nobody bounds', () => {
  const alone = (size: number) => createFairSlots(size, () => Promise.resolve(false), { unbounded: ['plan'] });
  const take = (slots: FairSlots, name: string, tenantId = 'a') => slots.deferMs({ tenantId }, name);

  test.each([2, 3, 5])('of %i slots a tenant has all but one for them, even while it is alone', async (size) => {
    const slots = alone(size);
    const taken = await Promise.all(Array.from({ length: size + 3 }, () => take(slots, 'plan')));
    expect(taken.filter((ms) => ms === 0)).toHaveLength(size - 1);
  });

  test('the slot that is left is for other work of the tenant and for that of others', async () => {
    const slots = alone(2);
    await take(slots, 'plan');
    expect([await take(slots, 'batch'), await take(slots, 'plan', 'b')]).toEqual([0, 0]);
  });

  test('one that has ended or failed makes room for the next', async () => {
    const slots = alone(2);
    const work = blocking();
    const handlers = slots.hold({ plan: work.run });
    await take(slots, 'plan');
    const running = handlers.plan(payload('a'));
    expect(await take(slots, 'plan')).toBeGreaterThan(0);
    work.end();
    await running;
    expect(await take(slots, 'plan')).toBe(0);
    await expect(slots.hold({ plan: (_payload: never) => Promise.reject<void>(new Error('failed')) }).plan(payload('a'))).rejects.toThrow('failed');
    expect(await take(slots, 'plan')).toBe(0);
  });

  test('those that wait come back one after the other', async () => {
    const slots = alone(2);
    await take(slots, 'plan');
    const waits = [await take(slots, 'plan'), await take(slots, 'plan'), await take(slots, 'plan')];
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(new Set(waits).size).toBe(3);
  });

  test('a single slot takes each as it comes', async () => {
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

  /** Runs jobs of these tenants and names, one after the other, and tells those that had to make room. */
  async function crowded(jobs: readonly string[], { size = 2, waits = 'x' } = {}) {
    const slots = createFairSlots(size, () => Promise.resolve(false), {
      repeatable: { names: ['batch'], othersWait: (tenantIds) => Promise.resolve(waits !== '' && !tenantIds.includes(waits)), logger: createLogger('test', 'silent') },
    });
    const ended: number[] = [];
    const outcomes: unknown[] = [];
    for (const [index, job] of jobs.entries()) {
      const [tenantId = '', name = ''] = job.split(' ');
      const run = (_payload: never, signal: AbortSignal) => new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(index);
          reject(signal.reason as Error);
        });
      });
      void slots.hold({ [name]: run })[name]?.(payload(tenantId)).catch((error: unknown) => outcomes.push(error));
      await jest.advanceTimersByTimeAsync(10);
    }
    return { slots, ended, outcomes };
  }

  test.each<[string, readonly string[], object, number[]]>([
    ['the job that began last makes room for a tenant that waits, and no other', ['a batch', 'a batch'], {}, [1]],
    ['it does so also where several tenants hold the slots', ['a batch', 'b batch'], {}, [1]],
    ['the last that may be repeated makes room', ['a batch', 'a plan'], {}, [0]],
    ['nobody makes room as long as nobody waits', ['a batch', 'a batch'], { waits: '' }, []],
    ['nobody makes room for a tenant that holds a slot', ['a batch', 'b batch'], { waits: 'b' }, []],
    ['nobody makes room while a slot is free', ['a batch', 'a batch'], { size: 3 }, []],
    ['the only slot there is makes no room', ['a batch'], { size: 1 }, []],
    ['jobs that may not be repeated make no room', ['a plan', 'a plan'], {}, []],
  ])('%s', async (_name, jobs, options, expected) => {
    const { ended, outcomes } = await crowded(jobs, options);
    await seconds(4);
    expect(ended).toEqual([]);
    await seconds(6);
    expect(ended).toEqual(expected);
    expect(outcomes).toEqual(ended.map(() => new TurnEndedError()));
  });

  test('who has made room leaves the last slot to others for half a minute, and has it again then', async () => {
    const { slots, ended } = await crowded(['a batch', 'b batch']);
    await seconds(10);
    expect(ended).toEqual([1]);
    expect([await slots.deferMs({ tenantId: 'b' }, 'batch'), await slots.deferMs({ tenantId: 'b' }, 'plan'), await slots.deferMs({ tenantId: 'c' }, 'batch')]).toEqual([200, 0, 0]);
    await seconds(30);
    expect(await slots.deferMs({ tenantId: 'b' }, 'batch')).toBe(0);
  });
});
