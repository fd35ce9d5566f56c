import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createStorage, queueClasses } from '@tieout/infra';
import { beginUpload, deleteDataset, normaliseInPlace, sweepFiles, tenantScope } from '../..';
import { csv, many, useFileBench } from '../../../testing/file-bench';

const bench = useFileBench();
const { upload, ingest, fileOf } = bench;

const age = (id: string, seconds: number): Promise<number> =>
  bench.scope.db.execute(
    `update data_source_files set updated_at = now() - make_interval(secs => $3::int)
      where tenant_id = $1::uuid and id = $2::uuid`,
    [bench.scope.tenantId, id, seconds],
  );

async function receivingFile(): Promise<{ id: string; path: string; ageSeconds: number }> {
  const [row] = await bench.scope.db.query<{ id: string; path: string; ageSeconds: number }>(
    `select id, file_path as path, extract(epoch from now() - updated_at)::float8 as "ageSeconds"
       from data_source_files where tenant_id = $1::uuid and status = 'receiving'`,
    [bench.scope.tenantId],
  );
  if (!row) throw new Error('no file is being received');
  return row;
}

test('the bytes of an aborted upload are removed after some minutes', async () => {
  const begun = await beginUpload(bench.scope, bench.source);
  await begun.store(Readable.from([Buffer.from('a')]));
  const { id, path } = await receivingFile();
  await age(id, 11 * 60);
  await sweepFiles(bench.service.deps);
  expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
  await expect(bench.scope.storage.open(path)).rejects.toThrow('holds nothing');
  await begun.discard();
});

test('an upload that the disk refuses is to be sent again, and leaves nothing', async () => {
  const noDirectory = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-uploads-')), 'file');
  fs.writeFileSync(noDirectory, '');
  const begun = await beginUpload(
    tenantScope({ ...bench.service.deps, storage: createStorage(`file:${noDirectory}`) }, bench.scope.tenantId),
    bench.source,
  );
  await expect(begun.store(Readable.from([Buffer.from('a')]))).rejects.toMatchObject({
    code: 'service_unavailable',
    message: 'Files cannot be stored at the moment: send it again later',
  });
  await bench.scope.db.orm.dataSourceFile.deleteMany({ where: { status: 'receiving' } });
  await begun.discard();
  expect(fs.statSync(noDirectory).isFile()).toBe(true);
  fs.rmSync(path.dirname(noDirectory), { recursive: true });
});

test('a running upload is kept, however long it takes', async () => {
  const begun = await beginUpload(bench.scope, bench.source, 5);
  const { id } = await receivingFile();
  await age(id, 3 * 3600);
  while ((await receivingFile()).ageSeconds > 60);
  await sweepFiles(bench.service.deps);
  expect((await receivingFile()).id).toBe(id);
  await begun.discard();
});

test('the files of a deleted dataset are gone at once, and their bytes after the next sweep', async () => {
  const { id, filePath, datasetId } = await upload(csv(3));
  await ingest(id);
  await deleteDataset(bench.scope, datasetId);
  await expect(fileOf(id)).rejects.toMatchObject({ code: 'data_source_file_not_found' });
  await sweepFiles(bench.service.deps);
  await expect(bench.scope.storage.open(filePath)).rejects.toThrow('holds nothing');
  expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
});

test('a file that was uploaded while its dataset was deleted is removed as well', async () => {
  const { id, filePath, datasetId } = await upload(csv(3));
  // The order of a concurrent upload: the deletion has already marked the files of the dataset.
  await bench.scope.db.orm.dataset.deleteMany({ where: { id: datasetId } });
  await ingest(id);
  await age(id, 120);
  await sweepFiles(bench.service.deps);
  await expect(bench.scope.storage.open(filePath)).rejects.toThrow('holds nothing');
  expect(await bench.scope.db.orm.dataSourceFile.count()).toBe(0);
});

test('a dataset that is deleted while a file is read ends the reading', async () => {
  const { id, datasetId } = await upload(csv(many));
  let calls = 0;
  await ingest(id, async (fields, rows) => {
    if (++calls === 2) await deleteDataset(bench.scope, datasetId);
    return normaliseInPlace(fields, rows);
  });
  const [left] = await bench.scope.db.query<{ count: number }>(
    'select count(*)::int as count from records where tenant_id = $1::uuid',
    [bench.scope.tenantId],
  );
  expect(left?.count).toBe(0);
});

test('a file whose queue job is lost is enqueued again', async () => {
  const { id } = await upload(csv(3));
  const queue = queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue('ingest');
  await queue.waitUntilReady();
  await queue.obliterate({ force: true });
  await age(id, 120);
  await sweepFiles(bench.service.deps);
  expect((await queue.getJobs()).map((job) => job.id)).toEqual([`file-${id}-0`]);
  await queue.close();
});
