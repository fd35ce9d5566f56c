import { newId, writeId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { tenantScope, type TenantScope } from '../..';
import { readUnmatched, removeUnmatched, unmatchedReasons, writeUnmatched, type UnmatchedEntry } from '.';

/** More than two blocks. */
const count = 10_000;

let service: TestService;
let scope: TenantScope;
let jobId: string;
/** Newest first. */
let listed: UnmatchedEntry[];

beforeAll(async () => {
  service = await createTestService();
});

afterAll(async () => {
  await service.close();
});

beforeEach(async () => {
  const tenantId = newId();
  jobId = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
  await service.deps.db.system.execute(
    `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id)
     values ($1::uuid, $2::uuid, $1::uuid, 'd', $1::uuid)`,
    [jobId, tenantId],
  );
  scope = tenantScope(service.deps, tenantId);
  const ids = Array.from({ length: count }, () => newId());
  const reasons = Buffer.from(ids.map((_, i) => (i * 7919) % unmatchedReasons.length));
  const bytes = Buffer.alloc(count * 16);
  ids.forEach((id, place) => writeId(bytes, place * 16, id));
  await scope.db.session((client) => writeUnmatched(client, { tenantId, jobId, side: 1 }, { ids: bytes, reasons }));
  listed = ids
    .map((recordId, i) => ({ recordId, reason: unmatchedReasons[reasons[i] as number] as UnmatchedEntry['reason'] }))
    .reverse();
});

const read = (
  reasons: readonly UnmatchedEntry['reason'][],
  slice: { skip?: number; take: number; beforeId?: string },
) =>
  readUnmatched(
    scope.db,
    { tenantId: scope.tenantId, jobId, side: 1, reasons },
    { skip: slice.skip ?? 0, take: slice.take, beforeId: slice.beforeId },
  );

const withReasons = (reasons: readonly UnmatchedEntry['reason'][]): UnmatchedEntry[] =>
  listed.filter(({ reason }) => reasons.includes(reason));

test.each([
  [0, 5],
  [4_000, 600],
  [9_990, 100],
  [20_000, 10],
])('a page that skips %i and takes %i is that part of the list', async (skip, take) => {
  const { total, entries } = await read(unmatchedReasons, { skip, take });
  expect(total).toBe(count);
  expect(entries).toEqual(listed.slice(skip, skip + take));
});

test('only records with the given reasons are listed and counted', async () => {
  const shown = ['ambiguous', 'failed'] as const;
  const expected = withReasons(shown);
  const { total, entries } = await read(shown, { skip: 1_000, take: 1_500 });
  expect(total).toBe(expected.length);
  expect(entries).toEqual(expected.slice(1_000, 2_500));
});

test('a list continues after the id of its last entry, across blocks', async () => {
  const seen: UnmatchedEntry[] = [];
  for (;;) {
    const last = seen.at(-1);
    const { entries } = await read(['no_candidate'], { take: 333, ...(last ? { beforeId: last.recordId } : {}) });
    if (entries.length === 0) break;
    seen.push(...entries);
  }
  expect(seen).toEqual(withReasons(['no_candidate']));
});

test('removed records are neither listed nor counted', async () => {
  const gone = listed.filter((_, i) => i % 3 === 0 || i < 5_000).map(({ recordId }) => recordId);
  await scope.db.transaction((tx) => removeUnmatched(tx, scope.tenantId, gone));
  const rest = listed.filter(({ recordId }) => !gone.includes(recordId));
  expect(await read(unmatchedReasons, { take: count })).toEqual({ total: rest.length, entries: rest });
});

test('when all records are removed nothing is kept', async () => {
  await scope.db.transaction((tx) =>
    removeUnmatched(
      tx,
      scope.tenantId,
      listed.map(({ recordId }) => recordId),
    ),
  );
  const rows = await scope.db.query('select 1 from unmatched_blocks where tenant_id = $1::uuid', [scope.tenantId]);
  expect(rows).toEqual([]);
});

test('another tenant can neither read nor remove', async () => {
  const other = newId();
  await scope.db.transaction((tx) =>
    removeUnmatched(
      tx,
      other,
      listed.map(({ recordId }) => recordId),
    ),
  );
  expect((await read(unmatchedReasons, { take: 1 })).total).toBe(count);
  const foreign = await readUnmatched(
    scope.db,
    { tenantId: other, jobId, side: 1, reasons: unmatchedReasons },
    { skip: 0, take: 5, beforeId: undefined },
  );
  expect(foreign).toEqual({ total: 0, entries: [] });
});
