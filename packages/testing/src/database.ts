import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testServers } from './environment';

const template = 'tieout_template';

export interface TestDatabase {
  url: string;
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
  await onServer(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    name,
    close: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
