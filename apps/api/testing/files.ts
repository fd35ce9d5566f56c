import type { ListBody } from './reconciliation';
import type { KeyedApi } from './test-api';

/** A data source file as the API answers it. */
export interface FileBody {
  id: string;
  originalName: string;
  status: string;
  rowCount: number;
  headers: string[];
  errorMessage: string | null;
  metadata: {
    dataset: string;
    datasetId: string;
    ready: number;
    failed: number;
    rejected: number;
    repeated: number;
    duplicateOf: string | null;
    replaces: string | null;
    replacedBy: string | null;
    errorCode: string | null;
    warnings: { code: string; column: string | null; message: string }[];
  };
}

/** Uploads a file and gives the answer. */
export async function uploadTo(
  api: KeyedApi,
  dataSourceId: string,
  content: string | Buffer,
  fields: Record<string, string>,
  filename: string,
): Promise<FileBody> {
  let call = api.post(`/v1/data-sources/${dataSourceId}/files`);
  for (const [name, value] of Object.entries(fields)) call = call.field(name, value);
  const { body } = await call.attach('file', Buffer.from(content), { filename }).expect(202);
  return body as FileBody;
}

/** Makes a data source and gives its id. */
export async function newSource(api: KeyedApi): Promise<string> {
  const { body } = await api.post('/v1/data-sources', { name: 'Bank', kind: 'bank' }).expect(201);
  return (body as { id: string }).id;
}

/** A record of a file as the API lists it. */
export interface ReadRecord {
  data: object;
  fields: object;
  status: string;
  external_id: string | null;
}

/** Lists the records of a dataset. */
export async function recordsIn(api: KeyedApi, dataset: string): Promise<ReadRecord[]> {
  const { body } = await api.get(`/v1/records?dataset=${dataset}&limit=100`).expect(200);
  return (body as ListBody<ReadRecord>).items;
}
