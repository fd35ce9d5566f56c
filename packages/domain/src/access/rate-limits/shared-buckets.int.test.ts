import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { sharedBuckets } from './shared-buckets';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

const claim = (owner: string, wanted: number, returned = 0, perMinute = 100) => ({
  owner,
  class: 'write' as const,
  perMinute,
  wanted,
  returned,
});
const buckets = () => sharedBuckets(service.deps.db.prepared);
/** Moves the time of the buckets forward; negative seconds stop the refill for that long. */
const passSeconds = (owner: string, seconds: number) =>
  service.deps.db.system.execute(
    `update rate_limits set filled_at = filled_at - make_interval(secs => $2) where owner_id = $1::uuid`,
    [owner, seconds],
  );
/** A bucket that does not leak. */
const heldBucket = async (): Promise<string> => {
  const owner = newId();
  await buckets()([claim(owner, 0)]);
  await passSeconds(owner, -3600);
  return owner;
};

test('claims are granted until the bucket is empty', async () => {
  const owner = await heldBucket();
  const granted = [];
  for (let i = 0; i < 3; i++) granted.push((await buckets()([claim(owner, 45)]))[0]?.granted);
  expect(granted).toEqual([45, 45, 10]);
});

test('a bucket refills evenly and never beyond its limit', async () => {
  const owner = newId();
  await buckets()([claim(owner, 100)]);
  await passSeconds(owner, 30);
  const half = (await buckets()([claim(owner, 100)]))[0]?.granted;
  expect(half).toBeGreaterThanOrEqual(50);
  expect(half).toBeLessThan(100);
  await passSeconds(owner, 3600);
  expect((await buckets()([claim(owner, 100)]))[0]?.granted).toBe(100);
});

test('a returned allowance can be claimed again', async () => {
  const owner = await heldBucket();
  await buckets()([claim(owner, 100)]);
  expect((await buckets()([claim(owner, 30, 20)]))[0]?.granted).toBe(20);
});

test('concurrent claims of many owners, in any order, are granted once each', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, heldBucket));
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      buckets()((i % 2 === 0 ? owners : [...owners].reverse()).map((owner) => claim(owner, 7))),
    ),
  );
  expect(all.flat().reduce((sum, { granted }) => sum + granted, 0)).toBe(8 * 100);
});
