import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCipher, newId, type CipherContext } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';

const run = promisify(execFile);
const root = path.join(__dirname, '..');
const [old, current] = ['0a'.repeat(32), '0b'.repeat(32)];

let service: TestService;
let tenantId: string;

beforeAll(async () => {
  service = await createTestService();
  tenantId = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
});

afterAll(() => service.close());

const rotate = (keys: string) =>
  run(process.execPath, ['scripts/secrets-rotate.mjs'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: service.database.url, SECRETS_KEY: keys },
  });

const placeOf = (id: string): CipherContext => ({ tenantId, purpose: 'webhooks.secret', rowId: id });

async function addWebhook(secret: string, keys: string): Promise<string> {
  const id = newId();
  await service.deps.db.system.execute(
    'insert into webhooks (id, tenant_id, url, secret) values ($1::uuid, $2::uuid, $3, $4)',
    [id, tenantId, 'https://receiver.invalid/', createCipher(keys).encrypt(secret, placeOf(id))],
  );
  return id;
}

async function openedWith(keys: string): Promise<string[]> {
  const rows = await service.deps.db.system.query<{ id: string; secret: string }>(
    'select id::text as id, secret from webhooks order by created_at',
  );
  return rows.map(({ id, secret }) => createCipher(keys).decrypt(secret, placeOf(id)));
}

test('after a rotation the new key alone opens every secret, and a second run has nothing to do', async () => {
  await addWebhook('first', old);
  await addWebhook('second', `${current},${old}`);
  expect((await rotate(`${current},${old}`)).stdout).toContain('webhooks.secret: 1 encrypted again');
  expect((await openedWith(current)).sort()).toEqual(['first', 'second']);
  expect((await rotate(current)).stdout).toContain('webhooks.secret: 0 encrypted again');
});

test('signing secrets are encrypted again, present and old ones', async () => {
  const id = await addWebhook('fifth', current);
  const columns = ['signing_secret', 'old_signing_secret'];
  const place = (column: string): CipherContext => ({ tenantId, purpose: `webhooks.${column}`, rowId: id });
  const { system } = service.deps.db;
  for (const column of columns)
    await system.execute(`update webhooks set ${column} = $2 where id = $1::uuid`, [
      id,
      createCipher(old).encrypt(column, place(column)),
    ]);
  expect((await rotate(`${current},${old}`)).stdout).toMatch(
    /webhooks.signing_secret: 1 encrypted again\nwebhooks.old_signing_secret: 1 encrypted again/,
  );
  const [row] = await system.query<Record<string, string>>('select * from webhooks where id = $1::uuid', [id]);
  expect(columns.map((column) => createCipher(current).decrypt(row?.[column] ?? '', place(column)))).toEqual(columns);
  await system.execute('delete from webhooks where id = $1::uuid', [id]);
});

test('an unreadable secret stays and is reported with its key, while all others are encrypted again', async () => {
  const lost = '0c'.repeat(32);
  const deleted = await addWebhook('', old);
  await service.deps.db.system.execute(`update webhooks set deleted_at = now(), secret = '' where id = $1::uuid`, [
    deleted,
  ]);
  const unreadable = await addWebhook('third', lost);
  await addWebhook('fourth', old);
  const itemId = newId();
  const placeOfItem: CipherContext = { tenantId, purpose: 'items.parameters', rowId: itemId };
  await service.deps.db.system.execute(
    `insert into items (id, tenant_id, connector_id, origin, status, execution_status, step,
      parameters) values ($1::uuid, $2::uuid, 'x', 'x', 'UPDATED', 'SUCCESS', 'refresh', $3)`,
    [itemId, tenantId, createCipher(old).encrypt('{}', placeOfItem)],
  );
  await expect(rotate(`${current},${old}`)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /webhooks.secret: 1 encrypted again\n(.*\n){2}items.parameters: 1 encrypted again/,
    ) as string,
    stderr: expect.stringMatching(
      new RegExp(
        `^webhooks.secret: 1 left as they are, the first one of id ${unreadable}: ` +
          'the key [0-9a-f]{8} of an encrypted webhooks.secret is not in SECRETS_KEY.*\\n$',
      ),
    ) as string,
  });
  await service.deps.db.system.execute('delete from webhooks where id = any($1::uuid[])', [[deleted, unreadable]]);
  expect((await openedWith(current)).sort()).toEqual(['first', 'fourth', 'second']);
  const [item] = await service.deps.db.system.query<{ parameters: string }>(
    'select parameters from items where id = $1::uuid',
    [itemId],
  );
  expect(createCipher(current).decrypt(item?.parameters ?? '', placeOfItem)).toBe('{}');
});
