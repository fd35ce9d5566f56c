import { createTestDatabase, testServers } from '@tieout/testing';
import { postgresOf, queueClasses } from './connection';

const onPostgres = testServers().redisUrl === undefined ? test : test.skip;

onPostgres('a queue in PostgreSQL does not wait for the disk, whatever the server is set to', async () => {
  const database = await createTestDatabase();
  const queue = queueClasses({ url: database.url, prefix: '{disk}' }, { role: 'producer' }).openQueue('work');
  // The database goes while the last connections are being closed.
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
    const settings = await postgresOf(queue)?.query(
      `select setting, source from pg_settings where name = 'synchronous_commit'`,
    );
    expect(settings?.rows).toEqual([{ setting: 'off', source: 'client' }]);
  } finally {
    await queue.close();
    await database.close();
  }
});
