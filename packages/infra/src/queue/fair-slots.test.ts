import { createFairSlots } from './fair-slots';

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
