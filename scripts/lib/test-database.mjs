import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../migrate.mjs';
import { ensureDatabase, startPostgres } from './postgres.mjs';

export const templateDatabase = 'tieout_template';

/**
 * A throwaway server with the migrated template database, from which each test file makes its own. The template takes no
 * connections: PostgreSQL copies a database only while nobody is connected to it.
 */
export async function startTestServer(say = () => {}) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-test-'));
  fs.chmodSync(directory, 0o755);
  const server = await startPostgres({ directory, durable: false, maxConnections: 400, say });
  const stop = async () => {
    await server.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ensureDatabase(server, templateDatabase);
    await migrate(server.url(templateDatabase));
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query(`alter database ${templateDatabase} is_template true allow_connections false`);
    await client.end();
  } catch (error) {
    await stop();
    throw error;
  }
  const restart = async () => {
    await server.stop();
    await server.restart();
  };
  return { url: server.url('postgres'), restart, stop };
}
