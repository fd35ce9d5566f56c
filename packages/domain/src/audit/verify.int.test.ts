import { canonicalJson, newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { tenantScope, type TenantScope } from '../kernel/scope';
import { firstPrevHash, hashOfEntry, type AuditEntry } from './chain';
import { verifyAudit } from './verify';

let service: TestService;
let scope: TenantScope;

const entries = 20_000;
const states = [null, { a: [{ b: 'é"\\\u0001', c: null }], B: 1.5e21, ä: -0, '': {} }, { left: [] }];

/** Appends a chain of many entries, as one statement each would. */
async function appendChain({ db, tenantId }: TenantScope): Promise<void> {
  const chain: AuditEntry[] = [];
  for (let seq = 1, prevHash = firstPrevHash; seq <= entries; seq++) {
    const entry = {
      seq,
      at: new Date(1_700_000_000_000 + seq * 7),
      actor: { type: 'key', id: tenantId, label: seq % 3 === 0 ? 'Zoë "Z"' : null } as const,
      action: 'match_group.hold',
      object: { type: 'match_group', id: `${seq}` },
      before: states[seq % 2] ?? null,
      after: states[seq % 3] ?? null,
      reason: seq % 5 === 0 ? 'a\nb' : null,
      requestId: null,
      prevHash,
    };
    chain.push({ ...entry, hash: (prevHash = hashOfEntry(entry)) });
  }
  await db.execute(
    `insert into audit_entries (tenant_id, seq, at, actor, action, object_type, object_id, before, after, reason,
                                prev_hash, hash)
     select $1::uuid, e.* from unnest($2::bigint[], $3::timestamptz[], $4::jsonb[], $5::text[], $6::text[], $7::text[],
                                      $8::jsonb[], $9::jsonb[], $10::text[], $11::text[], $12::text[]) e`,
    [
      tenantId,
      chain.map(({ seq }) => seq),
      chain.map(({ at }) => at.toISOString()),
      chain.map(({ actor }) => JSON.stringify(actor)),
      chain.map(({ action }) => action),
      chain.map(({ object }) => object.type),
      chain.map(({ object }) => object.id),
      chain.map(({ before }) => before && JSON.stringify(before)),
      chain.map(({ after }) => after && JSON.stringify(after)),
      chain.map(({ reason }) => reason),
      chain.map(({ prevHash }) => prevHash),
      chain.map(({ hash }) => hash),
    ],
  );
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
