import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The addresses of the servers that `npm test` or `node scripts/test-server.mjs` started. */
export interface TestServers {
  /** A database server with the template that every test file copies. */
  databaseUrl: string;
  /** Set: queues live in Redis. Else in the test's own database. */
  redisUrl: string | undefined;
  logLevel: string;
}

export function testServers(): TestServers {
  const { TEST_DATABASE_URL: databaseUrl, QUEUE_BACKEND: backend, TEST_REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl) {
    throw new Error('Set TEST_DATABASE_URL to what `node scripts/test-server.mjs` prints, or run `npm test`');
  }
  if (backend === 'redis' && !redisUrl) throw new Error('QUEUE_BACKEND=redis needs TEST_REDIS_URL');
  return {
    databaseUrl,
    redisUrl: backend === 'redis' ? redisUrl : undefined,
    logLevel: process.env.TEST_LOG_LEVEL ?? 'silent',
  };
}

const template = 'tieout_template';
const serviceUser = 'tieout_service';

export interface TestDatabase {
  /** Connects as an administrator of the server, whom nothing restricts. */
  url: string;
  /** Connects as the user whom a deployment gives to the service (`scripts/lib/test-database.mjs`). */
  serviceUrl: string;
  name: string;
  /** Drops the database, also while clients are connected. */
  close(): Promise<void>;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Creates an empty, migrated database. */
export async function createTestDatabase(serverUrl = testServers().databaseUrl): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    serviceUrl: Object.assign(new URL(url), { username: serviceUser, password: `secret-${serviceUser}` }).toString(),
    name,
    close: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
