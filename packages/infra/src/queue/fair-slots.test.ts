import { createFairSlots, TurnEndedError, type FairSlots } from './fair-slots';

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

describe('a tenant that holds every slot with jobs that may be repeated', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Runs jobs of these names, one after the other, in slots of which others may be waiting for one, and tells those that had to make room within some seconds. */
  async function madeRoom(names: readonly string[], { size = 2, seconds = 10, othersWait = true } = {}): Promise<number[]> {
    const slots = createFairSlots(size, () => Promise.resolve(true), { repeatable: { names: ['batch'], othersWait: () => Promise.resolve(othersWait) } });
    const ended: number[] = [];
    const run = (job: number) => (_payload: never, signal: AbortSignal) => new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        ended.push(job);
        reject(signal.reason as Error);
      });
    });
    const outcomes: unknown[] = [];
    for (const [job, name] of names.entries()) {
      void slots.hold({ [name]: run(job) })[name]?.(payload('a')).catch((error: unknown) => outcomes.push(error));
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    expect(outcomes).toEqual(ended.map(() => new TurnEndedError()));
    return ended;
  }

  test.each<[string, readonly string[], object, number[]]>([
    ['makes room with the one that began last, and with no other', ['batch', 'batch'], {}, [1]],
    ['makes room with the last that may be repeated', ['batch', 'plan'], {}, [0]],
    ['keeps them as long as nobody else waits', ['batch', 'batch'], { othersWait: false }, []],
    ['keeps what it has not held for long', ['batch', 'batch'], { seconds: 4 }, []],
    ['keeps them while a slot is free', ['batch', 'batch'], { size: 3 }, []],
    ['keeps the only slot there is', ['batch'], { size: 1 }, []],
    ['keeps jobs that may not be repeated', ['plan', 'plan'], {}, []],
  ])('%s', async (_name, names, options, expected) => {
    expect(await madeRoom(names, options)).toEqual(expected);
  });
});
