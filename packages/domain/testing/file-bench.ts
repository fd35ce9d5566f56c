import { Readable } from 'node:stream';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createDataSource } from '../src/data/data-sources';
import { beginUpload, getFile, ingestFile, type FileOptions, type FileView } from '../src/data/files';
import { normaliseInPlace, type NormaliseRecords } from '../src/data/records';
import { tenantScope, type TenantScope } from '../src/kernel/scope';

export interface StoredRow {
  id: string;
  externalId: string | null;
  status: string;
  revision: number;
  data: Record<string, string>;
  fields: Record<string, unknown> | null;
}

export interface UploadOptions extends FileOptions {
  dataset?: string;
  replaces?: string;
}

/** Uploads and reads files in this process, for a new tenant in each test. */
export interface FileBench {
  readonly service: TestService;
  readonly scope: TenantScope;
  /** Id of a data source of the tenant. */
  readonly source: string;
  upload(content: string | Buffer, options?: UploadOptions, as?: TenantScope): Promise<FileView>;
  ingest(id: string, normalise?: NormaliseRecords, as?: TenantScope): Promise<void>;
  /** Uploads and ingests; returns the file afterwards. */
  ingested(content: string, options?: UploadOptions): Promise<FileView>;
  fileOf(id: string): Promise<FileView>;
  records(dataset?: string): Promise<StoredRow[]>;
}

/** Sets up a bench for a test file. */
export function useFileBench(): FileBench {
  let service: TestService;
  let scope: TenantScope;
  let source: string;
  beforeAll(async () => {
    service = await createTestService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const id = newId();
    await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [id, 'Acme']);
    scope = tenantScope(service.deps, id);
    source = (await createDataSource(scope, { name: 'Bank', kind: 'bank' })).id;
  });
  const bench: FileBench = {
    get service() {
      return service;
    },
    get scope() {
      return scope;
    },
    get source() {
      return source;
    },
    upload: async (content, { dataset = 'lines', replaces, ...options } = {}, as = scope) => {
      const begun = await beginUpload(as, source);
      const stored = await begun.store(Readable.from([Buffer.from(content)]));
      return begun.finish(as, {
        stored,
        originalName: 'lines.csv',
        dataset,
        options,
        ...(replaces === undefined ? {} : { replaces }),
      });
    },
    ingest: (id, normalise = normaliseInPlace, as = scope) =>
      ingestFile(as, id, { normalise, othersWait: () => Promise.resolve(false) }),
    ingested: async (content, options) => {
      const { id } = await bench.upload(content, options);
      await bench.ingest(id);
      return bench.fileOf(id);
    },
    fileOf: (id) => getFile(scope, source, id),
    records: (dataset = 'lines') =>
      scope.db.query<StoredRow>(
        `select r.id::text as id, r.external_id as "externalId", r.status, r.revision, r.data, r.fields from records r
           join datasets d on d.id = r.dataset_id and d.name = $2 where r.tenant_id = $1::uuid order by r.id`,
        [scope.tenantId, dataset],
      ),
  };
  return bench;
}

/** Number of rows that take four transactions, one more than those after which workers die. */
export const many = 7_000;
const padding = 'x'.repeat(60);

export const csv = (rows: number, idOf = (i: number): number => i): string =>
  `id,amount,note\n${Array.from({ length: rows }, (_, i) => `${idOf(i)},${i}.50,${padding}`).join('\n')}\n`;

/** Fails in its nth call, like a process that is killed while it normalises one chunk and may be writing another. */
export function dying(call: number): NormaliseRecords {
  let calls = 0;
  return (fields, rows) => (++calls === call ? Promise.reject(new Error('killed')) : normaliseInPlace(fields, rows));
}
