import { canonicalJson, newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { tenantScope, type TenantScope } from '../kernel/scope';
import { appendParameters, appendSql } from './chain';
import { verifyAudit } from './verify';

let service: TestService;
let scope: TenantScope;

const entries = 20_000;
const states = [null, { a: [{ b: 'é"\\\u0001\u007f\u2028', c: null }], B: 1.5e21, ä: -0, '': {} }, { left: [] }];
const labels = [null, 'Zoë "Z"'];
const reasons = [null, 'a\n\tb'];

/** Appends many entries of all these kinds. */
async function appendChain({ db, ...scope }: TenantScope): Promise<void> {
  const perStatement = 20;
  for (let i = 0; i < entries / perStatement; i++) {
    const [before = null, after = null, label = null, reason = null] = [
      states[i % 3],
      states[(i + 1) % 3],
      labels[i % 2],
      reasons[(i + 1) % 2],
    ];
    const origin = { actor: { type: 'key', id: scope.tenantId, label } as const, requestId: null };
    const done = { action: 'match_group.hold', object: { type: 'match_group', id: `${i}` }, before, after, reason };
    await db.prepared.execute(
      `select ${appendSql} from generate_series(1, ${perStatement})`,
      appendParameters({ ...scope, origin }, done),
    );
  }
}

beforeAll(async () => {
  service = await createTestService();
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
  await appendChain(scope);
});

afterAll(() => service.close());

test('a changed byte in a chain of 20,000 entries is found, and the chain is whole without it', async () => {
  await expect(verifyAudit(scope)).resolves.toMatchObject({ entries, broken: null });
  await service.deps.db.system.transaction(async (tx) => {
    await tx.execute('alter table audit_entries disable trigger user');
    await tx.execute(`update audit_entries set reason = 'a' || chr(11) || 'b' where seq = 17770`);
    await tx.execute('alter table audit_entries enable trigger user');
  });
  await expect(verifyAudit(scope)).resolves.toMatchObject({
    entries: 17_769,
    head: { seq: 17_769 },
    broken: { seq: 17_770, reason: 'hash' },
  });
});

test('an entry is hashed as its canonical JSON', async () => {
  const [row] = await scope.db.query<{ entry: object; prevHash: string; hash: string }>(
    `select jsonb_build_object(
              'seq', seq, 'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'actor', actor,
              'action', action, 'object', jsonb_build_object('type', object_type, 'id', object_id), 'before', before,
              'after', after, 'reason', reason, 'request_id', request_id, 'prev_hash', prev_hash) as entry,
            prev_hash as "prevHash", hash
       from audit_entries where tenant_id = $1::uuid and seq = 25`,
    [scope.tenantId],
  );
  const bytes = new TextEncoder().encode((row?.prevHash ?? '') + canonicalJson(row?.entry));
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  expect(digest).toBe(row?.hash);
});
