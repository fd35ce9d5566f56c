import { tableWaiter } from '@tieout/testing';
import { createMaintenanceHandlers, defaultRetention, deleteDataset } from '../..';
import { useFileBench } from '../../../testing/file-bench';
import { sweepFiles } from './sweep';

const bench = useFileBench();

const sql = (text: string, ...parameters: (string | number)[]): Promise<number> =>
  bench.scope.db.execute(text, [bench.scope.tenantId, ...parameters]);

/** Sets the path of a file; the storage cannot remove one that is a directory. */
const setPath = (fileId: string, path: string): Promise<number> =>
  sql('update data_source_files set file_path = $3 where tenant_id = $1::uuid and id = $2::uuid', fileId, path);

/** Ingests a file and makes it `days` old. */
async function oldFile(days: number): Promise<{ id: string; filePath: string }> {
  const { id, filePath } = await bench.ingested(`a\n${days}\n`);
  await sql(
    `update data_source_files set processed_at = now() - make_interval(days => $3::int)
      where tenant_id = $1::uuid and id = $2::uuid`,
    id,
    days,
  );
  return { id, filePath };
}

const expired = async (id: string): Promise<boolean> =>
  (await bench.scope.db.orm.dataSourceFile.findFirst({ where: { id } }))?.expiredAt != null;

function warnings(): unknown[] {
  const lines: unknown[] = [];
  jest.spyOn(bench.service.deps.logger, 'warn').mockImplementation((line: unknown) => void lines.push(line));
  return lines;
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('a file that cannot be removed is logged and retried later, and the others are removed', async () => {
  const lines = warnings();
  const { tenantId } = bench.scope;
  const [held, other] = [await oldFile(100), await oldFile(95)];
  await setPath(held.id, tenantId);
  const retention = createMaintenanceHandlers(bench.service.deps, { keyIds: [] }, defaultRetention)[
    'maintenance.retention'
  ];
  await expect(retention()).rejects.toThrow(/^files: 1 file could not be removed/);
  expect(lines).toEqual([
    { tenantId, fileId: held.id, reason: expect.stringMatching(/(EISDIR|EPERM): .* unlink/) as string },
  ]);
  expect([await expired(held.id), await expired(other.id)]).toEqual([false, true]);
  await setPath(held.id, held.filePath);
  await retention();
  expect(await expired(held.id)).toBe(true);
});

test('a file is not expired while another process deletes its rejected rows', async () => {
  const { scope, service } = bench;
  const { id } = await oldFile(100);
  await sql(
    `insert into file_rejections (tenant_id, file_id, position, line, code, message, raw)
     select $1::uuid, $2::uuid, no, no, 'type', 'is no number', 'x' from generate_series(1, 6000) no`,
    id,
  );
  const retention = createMaintenanceHandlers(service.deps, { keyIds: [] }, defaultRetention)['maintenance.retention'];
  const waiting = await scope.transaction(async ({ db, tenantId }) => {
    await db.execute(
      'delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid and position <= 5000',
      [tenantId, id],
    );
    const run = retention();
    await tableWaiter(service.deps.db.system, 'file_rejections');
    return [run];
  });
  await Promise.all(waiting);
  const left = await scope.db.query(
    'select count(*)::int as left from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid',
    [scope.tenantId, id],
  );
  expect([left, await expired(id)]).toEqual([[{ left: 0 }], true]);
});

test('a run gives up after many failures, and the next one continues behind them', async () => {
  const lines = warnings();
  const { tenantId } = bench.scope;
  const held = await oldFile(200);
  const other = await oldFile(95);
  await sql(
    `insert into data_source_files
     select (jsonb_populate_record(
               f, jsonb_build_object('id', gen_random_uuid(), 'file_path', $1::text, 'content_hash', null))).*
       from data_source_files f, generate_series(1, 39) where f.tenant_id = $1::uuid and f.id = $2::uuid`,
    held.id,
  );
  await setPath(held.id, tenantId);
  const retention = createMaintenanceHandlers(bench.service.deps, { keyIds: [] }, defaultRetention)[
    'maintenance.retention'
  ];
  const runs = [];
  for (let run = 0; run < 4; run++) {
    const outcome = await retention().then(
      () => 'well',
      () => 'failed',
    );
    runs.push([outcome, lines.splice(0).length, await expired(other.id)]);
  }
  expect(runs).toEqual([
    ['failed', 20, false],
    ['failed', 20, false],
    ['well', 0, true],
    ['failed', 20, true],
  ]);
  await sql('delete from data_source_files where tenant_id = $1::uuid');
});

test('a file of a deleted dataset that cannot be removed does not block the removal or reading of others', async () => {
  const lines = warnings();
  const { tenantId } = bench.scope;
  const { id, datasetId } = await bench.upload('a\n1\n');
  const other = await bench.upload('a\n2\n');
  await deleteDataset(bench.scope, datasetId);
  await setPath(id, tenantId);
  const { id: lost } = await bench.upload('a\n3\n', { dataset: 'lost' });
  await sql(`update data_source_files set updated_at = now() - interval '2 minutes' where tenant_id = $1::uuid`);
  await bench.scope.db.execute(
    `update data_source_files set updated_at = now() - interval '3 minutes'
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id],
  );
  await expect(sweepFiles(bench.service.deps)).rejects.toThrow('1 file could not be removed');
  expect(lines).toMatchObject([{ tenantId, fileId: id }]);
  const left = await bench.scope.db.orm.dataSourceFile.findMany({ select: { id: true } });
  expect(left.map((file) => file.id).sort()).toEqual([id, lost].sort());
  await expect(bench.scope.storage.open(other.filePath)).rejects.toThrow('holds nothing');
  expect(await bench.service.deps.queue.stateOf('file.ingest', `file-${lost}-0`)).toBe('waiting');
});
