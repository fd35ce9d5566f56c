import { FairPriorities } from './fair-priorities';
import { createFairSlots } from './fair-slots';

interface Chunk {
  tenantId: string;
  cost: number;
  ms: number;
  priority: number;
  sentMs: number;
  isMoved: boolean;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A queue of chunks that two slots serve in the way of the ingest worker. */
class SharedWorker {
  readonly waitsMs: Record<string, number[]> = {};
  private readonly waiting: Chunk[] = [];
  private readonly sending = this.newPriorities();
  private readonly slots = createFairSlots(2, () => Promise.resolve(true), {
    costed: { names: ['chunk'], costOf: (payload) => (payload as Chunk).cost, priorities: this.newPriorities() },
  });
  private readonly handlers = this.slots.track({ chunk: (chunk: never) => sleep((chunk as Chunk).ms) });

  async send(tenantId: string, cost: number, ms: number): Promise<void> {
    await this.sending.ready();
    const priority = this.sending.next(tenantId, cost);
    this.waiting.push({ tenantId, cost, ms, priority, sentMs: performance.now(), isMoved: false });
  }

  async serve(): Promise<never> {
    for (;;) {
      const chunk = this.waiting.sort((a, b) => a.priority - b.priority).shift();
      if (chunk) await this.take(chunk);
      else await sleep(10);
    }
  }

  private async take(chunk: Chunk): Promise<void> {
    const priority = chunk.isMoved ? chunk.priority : await this.slots.priorityOf(chunk, 'chunk', chunk.priority);
    if (priority > chunk.priority) return void this.waiting.push({ ...chunk, priority, isMoved: true });
    const deferMs = await this.slots.deferMs(chunk, 'chunk');
    if (deferMs > 0) return void setTimeout(() => this.waiting.push(chunk), deferMs);
    (this.waitsMs[chunk.tenantId] ??= []).push(performance.now() - chunk.sentMs);
    await this.handlers.chunk(chunk as never);
  }

  private newPriorities(): FairPriorities {
    return new FairPriorities(() => Promise.resolve(this.waiting[0]?.priority));
  }
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Starts a worker for which five tenants have sent 100 single records each that take this long instead of 5 ms. */
async function crowdedBySlowRecords(ms: number): Promise<SharedWorker> {
  const worker = new SharedWorker();
  for (let record = 0; record < 100; record++)
    for (const tenantId of ['a', 'b', 'c', 'd', 'e']) await worker.send(tenantId, 0.05, ms);
  for (let slot = 0; slot < 2; slot++) void worker.serve();
  await jest.advanceTimersByTimeAsync(2_000);
  return worker;
}

test('beside tenants with slow records, another one gets its share of the slots’ time', async () => {
  const worker = await crowdedBySlowRecords(300);
  for (let chunk = 0; chunk < 60; chunk++) await worker.send('bulk', 1, 100);
  await jest.advanceTimersByTimeAsync(40_000);
  expect(worker.waitsMs['bulk']).toHaveLength(60);
});

test('beside tenants with records that take seconds, a record that comes now and then finds a slot', async () => {
  const worker = await crowdedBySlowRecords(1_500);
  for (let second = 0; second < 60; second += 3) {
    await worker.send('visitor', 0.05, 10);
    await jest.advanceTimersByTimeAsync(3_000);
  }
  const waitsMs = (worker.waitsMs['visitor'] ?? []).sort((a, b) => a - b);
  expect(waitsMs.length).toBeGreaterThan(15);
  expect(waitsMs[waitsMs.length >> 1]).toBeLessThan(100);
});
