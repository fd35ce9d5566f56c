import { usePairJobs } from '../../testing/pair-jobs';
import { recordPages, recordsOf } from './sample';

const jobs = usePairJobs();

const maxPageBytes = 4 << 20;

/** Short records, and then long ones, whose texts add up to more than a page may have. */
const rows = Array.from({ length: 700 }, (_, at) => ({ at, text: 'x'.repeat(at < 300 ? 10 : 30_000) }));

async function readAll(pages: AsyncIterable<object[]>): Promise<{ found: unknown[]; largest: number }> {
  const found: unknown[] = [];
  let largest = 0;
  for await (const page of pages) {
    largest = Math.max(largest, JSON.stringify(page).length);
    found.push(...page.map((record) => (record as { at: number }).at));
  }
  return { found: found.sort((one, other) => Number(one) - Number(other)), largest };
}

test('pages of long records keep to a limit of bytes, and lose no record', async () => {
  const { scope } = jobs;
  const datasetId = await jobs.newDataset('long', rows);
  const all = await readAll(recordPages(scope, datasetId));
  expect(all.found).toEqual(rows.map(({ at }) => at));
  expect(all.largest).toBeLessThanOrEqual(maxPageBytes);
  const ids = await scope.db.query<{ id: string }>(
    'select id::text as id from records where tenant_id = $1::uuid and dataset_id = $2::uuid',
    [scope.tenantId, datasetId],
  );
  const gone = '00000000-0000-7000-8000-000000000000';
  const named = await readAll(recordsOf(scope, [gone, ...ids.map(({ id }) => id)]));
  expect(named).toEqual({ found: all.found, largest: expect.any(Number) as number });
  expect(named.largest).toBeLessThanOrEqual(maxPageBytes);
});
