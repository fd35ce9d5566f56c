import { hasClaimable, wakeDeliveries } from '../events';
import { behaviours } from '@tieout/testing';
import { outcomesOf, useDeliveryBench } from '../../testing/delivery-bench';
import { deliveryBacklog } from './backlog';

const { answer, sequence } = behaviours;
const hourMs = 3_600_000;

const bench = useDeliveryBench();

const setStatus = (status: string): Promise<number> =>
  bench.service.deps.db.system.execute('update tenants set status = $2 where id = $1::uuid', [
    bench.subscriber.scope.tenantId,
    status,
  ]);

test('deliveries of a suspended tenant wait, use up no attempt, and go when it is active again', async () => {
  bench.receiver.on(bench.subscriber.path, sequence(answer(500), answer()));
  await bench.subscriber.emit();
  await bench.run();
  const before = await bench.only();
  await setStatus('suspended');
  for (let hour = 0; hour < 30; hour++) {
    bench.advance(hourMs);
    await bench.run();
  }
  expect([await bench.only(), bench.received().length]).toEqual([before, 1]);
  await setStatus('active');
  await bench.run();
  expect([(await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
    'delivered',
    ['http_status', 'delivered'],
  ]);
});

test('nothing wakes the deliverer for a suspended tenant, and its deliveries alert nobody', async () => {
  const { queue, db } = bench.service.deps;
  const { tenantId } = bench.subscriber.scope;
  const backlog = await deliveryBacklog(db.system);
  await setStatus('suspended');
  await bench.subscriber.emit();
  await bench.sweep();
  await wakeDeliveries({ tenantId, db: db.system, queue });
  expect(await queue.stateOf('webhook.deliver', `deliver-${tenantId}`)).toBe('absent');
  expect(await hasClaimable(db.system, tenantId)).toBe(false);
  expect((await deliveryBacklog(db.system)).due).toBe(backlog.due);
  await setStatus('active');
  expect(await hasClaimable(db.system, tenantId)).toBe(true);
  await bench.sweep();
  expect(await queue.stateOf('webhook.deliver', `deliver-${tenantId}`)).toBe('waiting');
});
