import { bulkRecords, type NewRecord } from './bulk-records';
import type { Operations } from './generated/operations';

interface Sent {
  query?: { dataset?: string };
  body: string;
}

/** A service that rejects every record whose `a` is 0. */
function service() {
  const sent: Sent[] = [];
  const createRecords = (input: Sent) => {
    sent.push(input);
    const lines = input.body.split('\n').map((line) => JSON.parse(line) as NewRecord);
    const errors = lines.flatMap(({ body }, index) =>
      body['a'] === 0 ? [{ line: index + 1, code: 'invalid', message: 'is 0' }] : [],
    );
    return Promise.resolve({ accepted: lines.length - errors.length, rejected: errors.length, errors });
  };
  return { sent, client: { createRecords } as unknown as Pick<Operations, 'createRecords'> };
}

const records = (...values: number[]): NewRecord[] => values.map((a) => ({ body: { a } }));

test('errors of all chunks have the numbers of the source', async () => {
  const { client, sent } = service();
  const result = await bulkRecords(client, records(0, 1, 2, 0, 4, 5, 0), { chunkRows: 3, dataset: 'bank' });
  expect(result).toMatchObject({ accepted: 4, rejected: 3 });
  expect(result.errors.map(({ line }) => line)).toEqual([1, 4, 7]);
  expect(sent.map(({ body, query }) => [body.split('\n').length, query])).toEqual([
    [3, { dataset: 'bank' }],
    [3, { dataset: 'bank' }],
    [1, { dataset: 'bank' }],
  ]);
});

test('the source is read no faster than its chunks are taken', async () => {
  let read = 0;
  async function* source(): AsyncGenerator<NewRecord> {
    for (let a = 1; a <= 10; a++) {
      read = a;
      yield { body: { a } };
    }
  }
  const readAtSend: number[] = [];
  const createRecords = ({ body }: Sent) => {
    readAtSend.push(read);
    return Promise.resolve({ accepted: body.split('\n').length, rejected: 0, errors: [] });
  };
  await bulkRecords({ createRecords } as unknown as Pick<Operations, 'createRecords'>, source(), { chunkRows: 2 });
  expect(readAtSend).toEqual([3, 5, 7, 9, 10]);
});

test('an empty source sends nothing', async () => {
  const { client, sent } = service();
  expect(await bulkRecords(client, [])).toEqual({ accepted: 0, rejected: 0, errors: [] });
  expect(sent).toEqual([]);
});

test('a record that JSON cannot hold is named by its number', async () => {
  const { client } = service();
  const source = [...records(1), { body: { a: 1n } }];
  await expect(bulkRecords(client, source)).rejects.toMatchObject({
    code: 'not_json',
    message: expect.stringMatching(/^Record 2 cannot be sent as JSON: /) as string,
  });
});
