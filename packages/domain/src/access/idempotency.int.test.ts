import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { answerOnce, deleteExpiredAnswers } from './idempotency';

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

const request = (key: string) => ({ tenantId: newId(), operation: 'test', key, fingerprint: 'f', keptDays: 1 });
const once = (repeated: ReturnType<typeof request>, work: () => Promise<{ status: number; body: string }>) =>
  service.deps.db.system.transaction((tx) => answerOnce(tx, repeated, work));
const answer = (body: string) => () => Promise.resolve({ status: 201, body });

test('a second run gets the answer of the first', async () => {
  const same = request('a');
  expect(await once(same, answer('one'))).toEqual({ status: 201, body: 'one', replayed: false });
  expect(await once(same, answer('two'))).toEqual({ status: 201, body: 'one', replayed: true });
});

test('a failed run leaves no trace', async () => {
  const same = request('b');
  await expect(once(same, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await once(same, answer('two'))).toMatchObject({ body: 'two', replayed: false });
});

test('another fingerprint is refused while the answer is kept', async () => {
  const same = request('c');
  await once(same, answer('one'));
  await expect(once({ ...same, fingerprint: 'g' }, answer('two'))).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('one of several concurrent runs works, and none sees a half-written answer', async () => {
  const same = request('d');
  let worked = 0;
  const runs = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      once(same, () => {
        worked++;
        return Promise.resolve({ status: 201, body: 'one' });
      }),
    ),
  );
  expect(worked).toBe(1);
  for (const run of runs) {
    if (run.status === 'fulfilled') expect(run.value.body).toBe('one');
    else expect(run.reason).toMatchObject({ code: 'idempotency_key_in_use', retryAfterSeconds: 1 });
  }
});

test('a sweep removes only answers that are no longer replayed', async () => {
  const { system } = service.deps.db;
  const [old, recent] = [request('old'), request('recent')];
  await once(old, answer('one'));
  await once(recent, answer('one'));
  await system.execute(`update idempotency_keys set expires_at = now() where key = 'old'`);
  await deleteExpiredAnswers(system);
  expect(await once(recent, answer('two'))).toMatchObject({ replayed: true });
});
