import { newId, queueClasses } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import {
  createDataset,
  createField,
  ingestRecord,
  tenantScope,
  type CreateField,
  type JsonObject,
  type TenantScope,
} from '../src';

/** A service, its ingest queue, and a new tenant for each test. */
export interface RecordBench {
  service: TestService;
  queue: ReturnType<ReturnType<typeof queueClasses>['openQueue']>;
  scope: TenantScope;
  newTenant(): Promise<TenantScope>;
  /** Creates a dataset with a unique name. */
  newDataset(...fields: CreateField[]): Promise<{ id: string; name: string }>;
  /** Ingests a record; returns its id. */
  post(dataset: string, body: JsonObject, externalId?: string): Promise<string>;
}

/** Sets up a bench for a test file. */
export function useRecordBench(): RecordBench {
  const bench = {
    newTenant: async () => {
      const id = newId();
      await bench.service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [id, 'Acme']);
      return tenantScope(bench.service.deps, id);
    },
    newDataset: async (...fields: CreateField[]): Promise<{ id: string; name: string }> => {
      const dataset = await createDataset(bench.scope, { name: `ledger ${newId()}` });
      for (const field of fields) await createField(bench.scope, dataset.id, field);
      return dataset;
    },
    post: async (dataset: string, body: JsonObject, externalId?: string) => {
      const input = { dataset, body, ...(externalId === undefined ? {} : { externalId }) };
      return (await ingestRecord(bench.scope, input)).id;
    },
  } as RecordBench;
  beforeAll(async () => {
    bench.service = await createTestService();
    bench.queue = queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue('ingest');
  });
  afterAll(async () => {
    await bench.queue.close();
    await bench.service.close();
  });
  beforeEach(async () => {
    bench.scope = await bench.newTenant();
  });
  return bench;
}
