import type { Db } from '@tieout/infra';
import { behaviours } from '@tieout/testing';
import { outcomesOf, useDeliveryBench } from '../../testing/delivery-bench';

const { answer, hang, sequence } = behaviours;
const minuteMs = 60_000;

const bench = useDeliveryBench({ firstTimeoutMs: 1_500, retryTimeoutMs: 3_000 });

/** Returns a database that takes no results until `comeBack` is called. */
function databaseWithoutWrites() {
  const { db } = bench.service.deps;
  let away = (): void => undefined;
  let comeBack = (): void => undefined;
  const isAway = new Promise<void>((resolve) => (away = resolve));
  const isBack = new Promise<void>((resolve) => (comeBack = resolve));
  const prepared: Db['prepared'] = {
    query: (sql, parameters) => db.prepared.query(sql, parameters),
    execute: async (sql, parameters) => {
      away();
      await isBack;
      return db.prepared.execute(sql, parameters);
    },
  };
  return { db: { ...db, prepared }, isAway, comeBack };
}

test('two processes that work on the same deliveries send each once', async () => {
  const other = bench.newDeliverer();
  await bench.subscriber.emitMany(200);
  await bench.sweep();
  const { tenantId } = bench.subscriber.scope;
  await Promise.all(
    [bench.deliverer, other, bench.deliverer, other].map((deliverer) => deliverer.deliverDue(tenantId)),
  );
  await other.close();
  await bench.run();
  const ids = bench.received().map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
});

test('a job that runs twice sends once', async () => {
  await bench.subscriber.emit();
  const { tenantId } = bench.subscriber.scope;
  await Promise.all([bench.deliverer.deliverDue(tenantId), bench.deliverer.deliverDue(tenantId)]);
  await bench.run();
  expect(bench.received().length).toBe(1);
});

test('an attempt of a lost process is repeated once its lease expires, and logged as interrupted', async () => {
  await bench.subscriber.emit();
  await bench.claim(bench.subscriber);
  await bench.sweep();
  expect((await bench.only()).status).toBe('sending');
  bench.advance(minuteMs);
  await bench.run();
  await bench.run();
  expect([bench.received().length, (await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
    1,
    'delivered',
    ['interrupted', 'delivered'],
  ]);
  expect((await bench.only()).attemptLog[0]).toMatchObject({ durationMs: 1_500 });
});

test('an attempt made while the database was away counts as it was answered, however long that took', async () => {
  const sweep = bench.newSweeper();
  const { db, isAway, comeBack } = databaseWithoutWrites();
  const waiting = bench.newDeliverer({}, db);
  await bench.subscriber.emit();
  await sweep();
  await waiting.deliverDue(bench.subscriber.scope.tenantId);
  await isAway;
  bench.advance(10 * minuteMs);
  await sweep();
  comeBack();
  await waiting.close();
  await bench.run();
  expect([bench.received().length, outcomesOf(await bench.only())]).toEqual([1, ['delivered']]);
});

test('an attempt of a lost process is repeated 10 s after the database is back', async () => {
  const sweep = bench.newSweeper();
  await bench.subscriber.emit();
  await bench.claim(bench.subscriber);
  bench.advance(minuteMs);
  const statuses: string[] = [];
  for (let second = 0; second <= 10; second++) {
    await sweep();
    statuses.push((await bench.only()).status);
    bench.advance(1_000);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 'sending'), 'retry_scheduled']);
});

test('an attempt of a lost process is repeated at once by a new process', async () => {
  await bench.subscriber.emit();
  await bench.claim(bench.subscriber);
  bench.advance(minuteMs);
  await bench.newSweeper()();
  expect((await bench.only()).status).toBe('retry_scheduled');
});

test('processes that crash one after the other do not use up attempts: after two the schedule holds', async () => {
  await bench.subscriber.emit();
  const dueMinutes: (number | null)[] = [];
  for (const minutes of [0, 0, 30]) {
    bench.advance(minutes * minuteMs);
    await bench.claim(bench.subscriber);
    bench.advance(minuteMs);
    await bench.sweep();
    const { nextAttemptAt } = await bench.only();
    dueMinutes.push(nextAttemptAt && Math.round((nextAttemptAt.getTime() - bench.now().getTime()) / minuteMs));
  }
  expect(dueMinutes).toEqual([0, 30, 60]);
});

test('closing a deliverer waits for the attempts in flight', async () => {
  const closing = bench.newDeliverer();
  bench.receiver.on(bench.subscriber.path, behaviours.after(150, answer()));
  await bench.subscriber.emit();
  const delivering = closing.deliverDue(bench.subscriber.scope.tenantId);
  await bench.receiver.received(1, bench.subscriber.path);
  await closing.close();
  expect((await bench.only()).status).toBe('delivered');
  await delivering;
});

test('closing a deliverer interrupts slow attempts, and another process repeats them at once', async () => {
  const closing = bench.newDeliverer({ firstTimeoutMs: 30_000 });
  bench.receiver.on(bench.subscriber.path, sequence(hang(), answer()));
  await bench.subscriber.emit();
  const delivering = closing.deliverDue(bench.subscriber.scope.tenantId);
  await bench.receiver.received(1, bench.subscriber.path);
  await closing.close(0);
  await delivering;
  const { status, nextAttemptAt, attemptLog } = await bench.only();
  expect({ status, due: nextAttemptAt !== null, attemptLog }).toMatchObject({
    status: 'retry_scheduled',
    due: true,
    attemptLog: [{ outcome: 'interrupted', responseStatus: null }],
  });
  expect(attemptLog[0]?.durationMs).toBeLessThan(30_000);
  await bench.run();
  expect([bench.received().length, (await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
    2,
    'delivered',
    ['interrupted', 'delivered'],
  ]);
});

test('attempts claimed while a deliverer closes are finished', async () => {
  const closing = bench.newDeliverer();
  await bench.subscriber.emitMany(5);
  const delivering = closing.deliverDue(bench.subscriber.scope.tenantId);
  await closing.close();
  await delivering;
  expect((await bench.subscriber.deliveries()).filter(({ status }) => status === 'sending')).toEqual([]);
});
