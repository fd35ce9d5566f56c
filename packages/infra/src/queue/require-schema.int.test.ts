import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { createDb } from '../db/db';
import { createLogger } from '../kernel/logger';
import { requireQueueSchema } from './require-schema';

const logger = createLogger('test', 'silent');
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.close());

const required = (url: string): Promise<void> => requireQueueSchema({ url, prefix: 'test' }, logger);

async function change(sql: string): Promise<void> {
  const db = createDb({ url: database.url, poolSize: 1, applicationName: 'test', logger });
  await db.system.execute(sql);
  await db.close();
}

test('a database that is migrated with its queues is accepted', async () => {
  await expect(required(database.url)).resolves.toBeUndefined();
});

test('a database that was migrated for queues elsewhere is refused with the command to run', async () => {
  await change('drop schema bullmq cascade');
  await expect(required(database.url)).rejects.toThrow(
    new RegExp(
      '^The database of the queues \\(QUEUE_URL, or DATABASE_URL without one\\) lacks their tables\\. ' +
        'Run `npm run db:deploy` .*with the same QUEUE_URL',
    ),
  );
});

test('queues of a later version are accepted, those of an earlier one are refused', async () => {
  await change(`insert into bullmq.migration (version, name, min_client_version) values (9999, 'later', 1)`);
  await expect(required(database.url)).resolves.toBeUndefined();
  await change('delete from bullmq.migration where version > 1');
  await expect(required(database.url)).rejects.toThrow(
    /has their tables in version 1, not \d+\. Run `npm run db:deploy`/,
  );
});

test('a database that does not answer does not prevent the start', async () => {
  await expect(required('postgresql://nobody@127.0.0.1:1/none')).resolves.toBeUndefined();
});

test('Redis has no tables', async () => {
  await expect(required('redis://127.0.0.1:1')).resolves.toBeUndefined();
});
