import { createCipher } from '@tieout/infra';
import { behaviours, testSecretsKey } from '@tieout/testing';
import { wakeDeliveries } from '../events';
import { outcomesOf, useDeliveryBench } from '../../testing/delivery-bench';
import type { Deliverer } from './deliverer';
import { rotateSigningSecret } from './secrets';
import { updateWebhook } from './webhooks';

const { answer, sequence } = behaviours;
const minuteMs = 60_000;
const otherKey = 'cd'.repeat(32);
const [keyId] = createCipher(testSecretsKey).keyIds;

const bench = useDeliveryBench();
/** The deliverer of a process that lacks the key of the secrets. */
let keyless: Deliverer;

beforeEach(() => {
  keyless = bench.newDeliverer({}, bench.service.deps.db, otherKey);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await keyless.close();
});

const runJobs = async (count: number): Promise<void> => {
  for (let job = 0; job < count; job++) {
    bench.advance(minuteMs);
    await keyless.deliverDue(bench.subscriber.scope.tenantId);
  }
};

test('a delivery without the key of its secret waits, uses up no attempt, and goes with the key', async () => {
  await bench.subscriber.emit();
  const before = await bench.only();
  await runJobs(10);
  expect([await bench.only(), bench.received()]).toEqual([before, []]);
  await bench.run();
  expect([(await bench.only()).status, outcomesOf(await bench.only())]).toEqual(['delivered', ['delivered']]);
});

test('a delivery between two attempts waits for its key, too', async () => {
  bench.receiver.on(bench.subscriber.path, sequence(answer(500), answer()));
  await bench.subscriber.emit();
  await bench.run();
  const before = await bench.only();
  await runJobs(10);
  expect(await bench.only()).toEqual(before);
  await bench.run();
  expect([(await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
    'delivered',
    ['http_status', 'delivered'],
  ]);
});

test('a delivery without its key delays no other delivery of the tenant', async () => {
  const { scope, path, addWebhook, emitMany } = bench.subscriber;
  await addWebhook(`${path}/other`);
  const other = await scope.db.orm.webhook.findFirstOrThrow({ where: { url: bench.receiver.url(`${path}/other`) } });
  await updateWebhook(
    scope,
    other.id,
    { url: other.url, secret: 'of the other' },
    { cipher: createCipher(otherKey), verdict: { ok: true, url: other.url } },
  );
  await rotateSigningSecret(scope, other.id, { overlapSeconds: 0 }, createCipher(`${otherKey},${testSecretsKey}`));
  await emitMany(30);
  await runJobs(1);
  await bench.receiver.received(30, `${path}/other`);
  expect(bench.received()).toEqual([]);
});

test('a process without the key enqueues no job and logs the key; one with the key enqueues it', async () => {
  const { queue, db, logger } = bench.service.deps;
  const { tenantId } = bench.subscriber.scope;
  const lines: unknown[] = [];
  jest.spyOn(logger, 'error').mockImplementation((...line: unknown[]) => void lines.push(line));
  const state = (): Promise<string> => queue.stateOf('webhook.deliver', `deliver-${tenantId}`);
  await bench.subscriber.emit();
  bench.advance(minuteMs);
  await bench.sweep(otherKey);
  await wakeDeliveries({ tenantId, db: db.system, queue, keyIds: createCipher(otherKey).keyIds });
  const asked = await state();
  await bench.sweep();
  expect([asked, await state()]).toEqual(['absent', 'waiting']);
  expect(lines).toEqual([
    [{ keyId }, `the key ${keyId} of an encrypted webhooks.secret is not in SECRETS_KEY: what needs it waits`],
  ]);
});
