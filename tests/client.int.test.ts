import { createClient, paginate, TieoutError, type NewRecord, type Tieout } from '@tieout/client';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi } from '../apps/api/testing';

let api: TestApi;
let tieout: Tieout;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  const { key } = await api.newTenant();
  tieout = createClient({ baseUrl: api.url, apiKey: key });
});

const invoices = function* (count: number): Generator<NewRecord> {
  for (let no = 1; no <= count; no++) yield { externalId: `I${no}`, body: { no, amount: no / 100 } };
};

test('two datasets are filled, compared and read', async () => {
  for (const name of ['invoices', 'bank']) {
    const sent = await tieout.records.bulk(invoices(25), { dataset: name, chunkRows: 10 });
    expect(sent).toEqual({ accepted: 25, rejected: 0, errors: [] });
  }
  await api.runIngest();
  const ids = new Map<string, string>();
  for await (const { name, id } of paginate(tieout.listDatasets, { query: { limit: 1 } })) ids.set(name, id);
  expect(ids.size).toBe(2);
  const idOf = (name: string): string => ids.get(name) ?? '';
  const ruleSet = await tieout.createRuleSet({
    body: {
      name: 'by number',
      leftDatasetId: idOf('invoices'),
      rightDatasetId: idOf('bank'),
      engine: 'jsonata',
      jsonataExpr: 'left.no = right.no',
      params: { Tmatch: 1, Tpossible: 1 },
    },
  });
  const started = await tieout.startMatchingJob({ body: { dataset: 'invoices' } });
  await api.startMatching();
  const seen: string[] = [];
  const job = await tieout.waitForJob('id' in started ? started.id : '', {
    onProgress: ({ status }) => seen.push(status),
  });
  await api.stopMatching();
  expect([job.status, seen.at(-1)]).toEqual(['completed', 'completed']);
  const matches = [];
  for await (const match of paginate(tieout.listMatches, { query: { ruleSetId: ruleSet.id, limit: 10 } }))
    matches.push(match.decision);
  expect(matches).toEqual(Array(25).fill('MATCH'));
});

test('rejected records are named by their number in the source', async () => {
  const records = [{ body: { a: 1 } }, { body: 7 as never }, { body: { a: 3 } }];
  const { accepted, rejected, errors } = await tieout.records.bulk(records, { dataset: 'd', chunkRows: 1 });
  expect({ accepted, rejected, lines: errors.map(({ line }) => line) }).toEqual({
    accepted: 2,
    rejected: 1,
    lines: [2],
  });
});

describe('a file', () => {
  let directory: string;
  let dataSourceId: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tieout-client-'));
    dataSourceId = (await tieout.createDataSource({ body: { name: 'files', kind: 'files' } })).id;
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const readBack = async (fileId: string) => {
    await api.runIngest();
    const { status, originalName, rowCount } = await tieout.getFile({ path: { id: dataSourceId, fileId } });
    return { status, originalName, rowCount };
  };

  test('is uploaded by its path, with its progress', async () => {
    const file = path.join(directory, 'bank "1".csv');
    await writeFile(file, 'no;amount\n1;10,00\n2;20,00\n');
    const sent: number[] = [];
    const { id } = await tieout.files.upload(file, {
      dataSourceId,
      dataset: 'bank',
      onProgress: ({ sentBytes, totalBytes }) => sent.push(sentBytes, totalBytes ?? 0),
    });
    expect(sent).toEqual([26, 26]);
    expect(await readBack(id)).toEqual({ status: 'ready', originalName: 'bank "1".csv', rowCount: 2 });
  });

  test('is uploaded as its bytes and as a stream of them', async () => {
    const text = 'no,amount\n1,10.00\n';
    async function* stream() {
      yield Buffer.from(text.slice(0, 7));
      yield Buffer.from(text.slice(7));
    }
    for (const source of [new Blob([text]), stream()]) {
      const { id } = await tieout.files.upload(source, { dataSourceId, fileName: 'a.csv', dataset: 'a' });
      expect(await readBack(id)).toEqual({ status: 'ready', originalName: 'a.csv', rowCount: 1 });
    }
  });

  test('that the service refuses ends with its error', async () => {
    const refused = tieout.files.upload(new Blob(['a\n1\n']), { dataSourceId, delimiter: 'abc' });
    await expect(refused).rejects.toBeInstanceOf(TieoutError);
  });
});
