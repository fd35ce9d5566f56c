import { tableWaiter } from '@tieout/testing';
import { createMaintenanceHandlers, defaultRetention, deleteDataset } from '../..';
import { useFileBench } from '../../testing/file-bench';
import { sweepFiles } from './sweep';

const bench = useFileBench();

const sql = (text: string, ...parameters: (string | number)[]): Promise<number> =>
  bench.scope.db.execute(text, [bench.scope.tenantId, ...parameters]);

/** Where the storage has a directory it removes no file. */
const make = (fileId: string, path: string): Promise<number> =>
  sql('update data_source_files set file_path = $3 where tenant_id = $1::uuid and id = $2::uuid', fileId, path);

/** A file that was read so many days ago. */
async function oldFile(days: number): Promise<{ id: string; filePath: string }> {
  const { id, filePath } = await bench.ingested(`a\n${days}\n`);
  await sql(
    'update data_source_files set processed_at = now() - make_interval(days => $3::int) where tenant_id = $1::uuid and id = $2::uuid',
    id,
    days,
  );
  return { id, filePath };
}

const expired = async (id: string): Promise<boolean> =>
  (await bench.scope.db.orm.dataSourceFile.findFirst({ where: { id } }))?.expiredAt != null;

function told(): unknown[] {
  const lines: unknown[] = [];
  jest.spyOn(bench.service.deps.logger, 'warn').mockImplementation((line: unknown) => void lines.push(line));
  return lines;
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('a file that cannot be removed is logged with its cause and tried again later, and the others go', async () => {
  const lines = told();
  const { tenantId } = bench.scope;
  const [held, other] = [await oldFile(100), await oldFile(95)];
  await make(held.id, tenantId);
  const retention = createMaintenanceHandlers(bench.service.deps, { keyIds: [] }, defaultRetention)[
    'maintenance.retention'
  ];
  await expect(retention()).rejects.toThrow(/^files: 1 file could not be removed/);
  expect(lines).toEqual([
    { tenantId, fileId: held.id, reason: expect.stringMatching(/(EISDIR|EPERM): .* unlink/) as string },
  ]);
  expect([await expired(held.id), await expired(other.id)]).toEqual([false, true]);
  await make(held.id, held.filePath);
  await retention();
  expect(await expired(held.id)).toBe(true);
});

test('of rejected rows that somebody else is deleting none is left when their file counts as expired', async () => {
  const { scope, service } = bench;
  const { id } = await oldFile(100);
  await sql(
    `insert into file_rejections (tenant_id, file_id, position, line, code, message, raw)
     select $1::uuid, $2::uuid, no, no, 'type', 'is no number', 'x' from generate_series(1, 6000) no`,
    id,
  );
  const retention = createMaintenanceHandlers(service.deps, { keyIds: [] }, defaultRetention)['maintenance.retention'];
  const looking = await scope.transaction(async ({ db, tenantId }) => {
    await db.execute(
      'delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid and position <= 5000',
      [tenantId, id],
    );
    const look = retention();
    await tableWaiter(service.deps.db.system, 'file_rejections');
    return [look];
  });
  await Promise.all(looking);
  const left = await scope.db.query(
    'select count(*)::int as left from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid',
    [scope.tenantId, id],
  );
  expect([left, await expired(id)]).toEqual([[{ left: 0 }], true]);
});

test('where many cannot be removed a look gives up, and the next one goes on behind them, until all have been tried again', async () => {
  const lines = told();
  const { tenantId } = bench.scope;
  const held = await oldFile(200);
  const other = await oldFile(95);
  await sql(
    `insert into data_source_files select (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), 'file_path', $1::text, 'content_hash', null))).*
       from data_source_files f, generate_series(1, 39) where f.tenant_id = $1::uuid and f.id = $2::uuid`,
    held.id,
  );
  await make(held.id, tenantId);
  const retention = createMaintenanceHandlers(bench.service.deps, { keyIds: [] }, defaultRetention)[
    'maintenance.retention'
  ];
  const looks = [];
  for (let look = 0; look < 4; look++) {
    const outcome = await retention().then(
      () => 'well',
      () => 'failed',
    );
    looks.push([outcome, lines.splice(0).length, await expired(other.id)]);
  }
  expect(looks).toEqual([
    ['failed', 20, false],
    ['failed', 20, false],
    ['well', 0, true],
    ['failed', 20, true],
  ]);
  await sql('delete from data_source_files where tenant_id = $1::uuid');
});

test('a file of a deleted dataset that cannot be removed keeps no other one from being removed or read', async () => {
  const lines = told();
  const { tenantId } = bench.scope;
  const { id, datasetId } = await bench.upload('a\n1\n');
  const other = await bench.upload('a\n2\n');
  await deleteDataset(bench.scope, datasetId);
  await make(id, tenantId);
  const { id: lost } = await bench.upload('a\n3\n', { dataset: 'lost' });
  await sql(`update data_source_files set updated_at = now() - interval '2 minutes' where tenant_id = $1::uuid`);
  await bench.scope.db.execute(
    `update data_source_files set updated_at = now() - interval '3 minutes' where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id],
  );
  await expect(sweepFiles(bench.service.deps)).rejects.toThrow('1 file could not be removed');
  expect(lines).toMatchObject([{ tenantId, fileId: id }]);
  const left = await bench.scope.db.orm.dataSourceFile.findMany({ select: { id: true } });
  expect(left.map((file) => file.id).sort()).toEqual([id, lost].sort());
  await expect(bench.scope.storage.open(other.filePath)).rejects.toThrow('holds nothing');
  expect(await bench.service.deps.queue.stateOf('file.ingest', `file-${lost}-0`)).toBe('waiting');
});
