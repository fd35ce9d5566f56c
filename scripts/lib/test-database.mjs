import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../tools/migrations.mjs';
import { makeRoles } from '../../tools/postgres/roles.mjs';
import { ensureDatabase, startPostgres } from '../../tools/postgres/server.mjs';

export const templateDatabase = 'tieout_template';

const memoryFiles = '/dev/shm';
const plentyBytes = 8 * 1024 ** 3;

/** Gives a folder in memory, where there is plenty: most of the work for databases that live for seconds is files. */
function serverFolder(durable) {
  if (durable || !fs.existsSync(memoryFiles)) return os.tmpdir();
  const { bsize, bavail } = fs.statfsSync(memoryFiles);
  return bsize * bavail < plentyBytes ? os.tmpdir() : memoryFiles;
}

/** Makes tables as a deployment does: they belong to one user, and the service connects as another one. */
async function migrateTemplate(adminUrl) {
  const as = (user) => Object.assign(new URL(adminUrl), { username: user, password: `secret-${user}` }).href;
  const ownerUrl = as('tieout_owner');
  await makeRoles({ adminUrl, ownerUrl, serviceUrl: as('tieout_service') });
  await migrate(ownerUrl);
}

/**
 * Starts a throwaway server with a migrated template database, which each test file copies; durable where a crash is
 * part of the test. The template takes no connections: PostgreSQL copies a database only while it has none.
 */
export async function startTestServer(say = () => {}, { durable = false } = {}) {
  const directory = fs.mkdtempSync(path.join(serverFolder(durable), 'tieout-test-'));
  fs.chmodSync(directory, 0o755);
  const server = await startPostgres({ directory, durable, maxConnections: 400, say });
  const stop = async () => {
    await server.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ensureDatabase(server, templateDatabase);
    await migrateTemplate(server.url(templateDatabase));
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query(`alter database ${templateDatabase} is_template true allow_connections false`);
    await client.end();
  } catch (error) {
    await stop();
    throw error;
  }
  const restart = async ({ mode = 'fast', downMs = 0 } = {}) => {
    await server.stop(8_000, mode);
    await sleep(downMs);
    await server.restart();
  };
  return { url: server.url('postgres'), port: server.port, restart, stop };
}
