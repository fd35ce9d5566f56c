import { Readable } from 'node:stream';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createDataSource } from '../data/data-sources';
import { beginUpload, getFile, ingestFile, type FileOptions, type FileView } from '../data/files';
import { normaliseInPlace, type NormaliseRecords } from '../data/records';
import { tenantScope, type TenantScope } from '../kernel/scope';

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

/** Files of a tenant that every test has for itself, read in this process. */
export interface FileBench {
  readonly service: TestService;
  readonly scope: TenantScope;
  /** A data source of the tenant. */
  readonly source: string;
  upload(content: string, options?: UploadOptions, as?: TenantScope): Promise<FileView>;
  ingest(id: string, normalise?: NormaliseRecords, as?: TenantScope): Promise<void>;
  /** Both, and what has become of the file. */
  ingested(content: string, options?: UploadOptions): Promise<FileView>;
  fileOf(id: string): Promise<FileView>;
  records(dataset?: string): Promise<StoredRow[]>;
}

/** To be called at the top of a test file: it brings the service up and down. */
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

/** Enough rows for several transactions. */
export const many = 12_000;
const padding = 'x'.repeat(60);

export const csv = (rows: number, idOf = (i: number): number => i): string =>
  `id,amount,note\n${Array.from({ length: rows }, (_, i) => `${idOf(i)},${i}.50,${padding}`).join('\n')}\n`;

/** Fails in its nth call: a process that dies while a chunk is in its hands, and another one perhaps on its way to the database. */
export function dying(call: number): NormaliseRecords {
  let calls = 0;
  return (fields, rows) => (++calls === call ? Promise.reject(new Error('killed')) : normaliseInPlace(fields, rows));
}
