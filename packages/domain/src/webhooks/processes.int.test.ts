import type { Db } from '@tieout/infra';
import { behaviours } from '@tieout/testing';
import { startDeliveryBench, type DeliveryBench, type Subscriber } from '../testing/delivery-bench';
import type { DeliveryDetail } from './deliveries';

const { answer, hang, sequence } = behaviours;
const minuteMs = 60_000;

let bench: DeliveryBench;
let subscriber: Subscriber;

beforeAll(async () => {
  bench = await startDeliveryBench({ firstTimeoutMs: 400, retryTimeoutMs: 800 });
});

afterAll(() => bench.close());

beforeEach(async () => {
  subscriber = await bench.newSubscriber();
});

const received = () => bench.receiver.requests(subscriber.path);
const only = async (): Promise<DeliveryDetail> => (await subscriber.deliveries())[0] as DeliveryDetail;
const outcomesOf = ({ attemptLog }: DeliveryDetail): string[] => attemptLog.map(({ outcome }) => outcome);

/** The database of the bench, for a process that cannot write results to it until it has come back. */
function databaseThatTakesNoResults() {
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
  await subscriber.emitMany(200);
  await bench.sweep();
  const { tenantId } = subscriber.scope;
  await Promise.all([bench.deliverer, other, bench.deliverer, other].map((deliverer) => deliverer.takeTurn(tenantId)));
  await other.close();
  await bench.run();
  const ids = received().map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
});

test('a turn that is taken twice sends once', async () => {
  await subscriber.emit();
  const { tenantId } = subscriber.scope;
  await Promise.all([bench.deliverer.takeTurn(tenantId), bench.deliverer.takeTurn(tenantId)]);
  await bench.run();
  expect(received().length).toBe(1);
});

test('what a process held when it was lost is repeated once when its lease is over, and told as interrupted', async () => {
  await subscriber.emit();
  await bench.claim(subscriber);
  await bench.sweep();
  expect((await only()).status).toBe('sending');
  bench.advance(minuteMs);
  await bench.run();
  await bench.run();
  expect([received().length, (await only()).status, outcomesOf(await only())]).toEqual([1, 'delivered', ['interrupted', 'delivered']]);
  expect((await only()).attemptLog[0]).toMatchObject({ durationMs: 400 });
});

test('what a process has sent while the database was away counts as it was answered, however long that was', async () => {
  const sweep = bench.newSweeper();
  const { db, isAway, comeBack } = databaseThatTakesNoResults();
  const waiting = bench.newDeliverer({}, db);
  await subscriber.emit();
  await sweep();
  await waiting.takeTurn(subscriber.scope.tenantId);
  await isAway;
  bench.advance(10 * minuteMs);
  await sweep();
  comeBack();
  await waiting.close();
  await bench.run();
  expect([received().length, outcomesOf(await only())]).toEqual([1, ['delivered']]);
});

test('what a process held when it was lost is repeated 10 s after the database has come back', async () => {
  const sweep = bench.newSweeper();
  await subscriber.emit();
  await bench.claim(subscriber);
  bench.advance(minuteMs);
  const statuses: string[] = [];
  for (let second = 0; second <= 10; second++) {
    await sweep();
    statuses.push((await only()).status);
    bench.advance(1_000);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 'sending'), 'retry_scheduled']);
});

test('what a process held when it was lost is repeated at once by a new one', async () => {
  await subscriber.emit();
  await bench.claim(subscriber);
  bench.advance(minuteMs);
  await bench.newSweeper()();
  expect((await only()).status).toBe('retry_scheduled');
});

test('processes that are lost one after the other use up no attempts: after two the schedule holds', async () => {
  await subscriber.emit();
  const dueMinutes: (number | null)[] = [];
  for (const minutes of [0, 0, 30]) {
    bench.advance(minutes * minuteMs);
    await bench.claim(subscriber);
    bench.advance(minuteMs);
    await bench.sweep();
    const { nextAttemptAt } = await only();
    dueMinutes.push(nextAttemptAt && Math.round((nextAttemptAt.getTime() - bench.now().getTime()) / minuteMs));
  }
  expect(dueMinutes).toEqual([0, 30, 60]);
});

test('closing a process waits for what it has begun', async () => {
  const closing = bench.newDeliverer();
  bench.receiver.on(subscriber.path, behaviours.after(150, answer()));
  await subscriber.emit();
  const turn = closing.takeTurn(subscriber.scope.tenantId);
  await bench.receiver.received(1, subscriber.path);
  await closing.close();
  expect((await only()).status).toBe('delivered');
  await turn;
});

test('closing a process hands back what takes too long: another one repeats it at once', async () => {
  const closing = bench.newDeliverer({ firstTimeoutMs: 30_000 });
  bench.receiver.on(subscriber.path, sequence(hang(), answer()));
  await subscriber.emit();
  const turn = closing.takeTurn(subscriber.scope.tenantId);
  await bench.receiver.received(1, subscriber.path);
  await closing.close(0);
  await turn;
  const { status, nextAttemptAt, attemptLog } = await only();
  expect({ status, due: nextAttemptAt !== null, attemptLog }).toMatchObject({ status: 'retry_scheduled', due: true, attemptLog: [{ outcome: 'interrupted', responseStatus: null }] });
  expect(attemptLog[0]?.durationMs).toBeLessThan(30_000);
  await bench.run();
  expect([received().length, (await only()).status, outcomesOf(await only())]).toEqual([2, 'delivered', ['interrupted', 'delivered']]);
});

test('what a process claims while it is closed is not left behind', async () => {
  const closing = bench.newDeliverer();
  await subscriber.emitMany(5);
  const turn = closing.takeTurn(subscriber.scope.tenantId);
  await closing.close();
  await turn;
  expect((await subscriber.deliveries()).filter(({ status }) => status === 'sending')).toEqual([]);
});
