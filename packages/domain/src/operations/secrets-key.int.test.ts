import { createCipher, createLogger, newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { requireSecretsKey } from './secrets-key';

const [old, current, other] = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32)) as [string, string, string];
const idOf = (key: string): string => createCipher(key).keyIds[0] as string;
const logger = createLogger('test', 'silent');

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());
afterEach(() => service.deps.db.system.execute(`truncate webhooks, items cascade`));

const check = (keys: string, lostKeys?: string): Promise<string | undefined> =>
  requireSecretsKey({ db: service.deps.db.system, cipher: createCipher(keys), lostKeys, logger }).then(
    () => undefined,
    (error: Error) => error.message,
  );

async function storeWebhook(key: string): Promise<void> {
  const [tenantId, id] = [newId(), newId()];
  const secret = createCipher(key).encrypt('s', { tenantId, purpose: 'webhooks.secret', rowId: id });
  const { system } = service.deps.db;
  await system.execute('insert into tenants (id, name) values ($1::uuid, $1)', [tenantId]);
  await system.execute(
    `insert into webhooks (id, tenant_id, url, secret)
     values ($1::uuid, $2::uuid, 'https://receiver.example', $3)`,
    [id, tenantId, secret],
  );
}

test('any key is taken while the database holds no secret', async () => {
  expect(await check(current)).toBeUndefined();
});

test('a key that opens none of the secrets is refused with the ids of the keys and what to do', async () => {
  await storeWebhook(old);
  const message = await check(current);
  expect(message).toContain(`encrypted with ${idOf(old)}, and SECRETS_KEY has only ${idOf(current)}`);
  expect(message).toContain(`set SECRETS_LOST_KEYS=${idOf(old)}`);
  expect(message).not.toContain(current);
});

test('the right key, or the right one among others, is taken', async () => {
  await storeWebhook(old);
  expect([await check(old), await check(`${current},${old}`)]).toEqual([undefined, undefined]);
});

test('a key that opens some of the secrets is taken: the others wait for theirs', async () => {
  await storeWebhook(old);
  await storeWebhook(current);
  expect(await check(current)).toBeUndefined();
});

test('a new key is taken when every key in use is given up, and only then', async () => {
  await storeWebhook(old);
  await storeWebhook(other);
  expect(await check(current, `${idOf(old)},${idOf(other)}`)).toBeUndefined();
  expect(await check(current, idOf(old))).toContain(`encrypted with ${idOf(other)},`);
});
