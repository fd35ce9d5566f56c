import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from '../scripts/build.mjs';
import { migrate } from '../scripts/migrate.mjs';
import { apiClient } from '../scripts/lib/api-client.mjs';
import { inRoot } from '../scripts/lib/paths.mjs';
import { choosePort } from '../scripts/lib/ports.mjs';
import { ensureDatabase, startPostgres } from '../scripts/lib/postgres.mjs';
import { ServiceProcess } from '../scripts/lib/service-process.mjs';

const platformKey = `platform-${'b'.repeat(40)}`;

/**
 * A whole service of its own, with durable PostgreSQL as in production, and one tenant.
 *
 * @param {{ say: (line: string) => void }} options
 */
export async function startService({ say }) {
  await build(say);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  fs.chmodSync(directory, 0o755);
  const server = await startPostgres({ directory });
  await ensureDatabase(server, 'tieout');
  const databaseUrl = server.url('tieout');
  await migrate(databaseUrl);
  const { port } = await choosePort({ name: 'PORT', preferred: 3900, host: '127.0.0.1' });
  const pids = new Set();
  const register = { add: (pid) => pids.add(pid), remove: (pid) => pids.delete(pid) };
  const env = { DATABASE_URL: databaseUrl, QUEUE_URL: databaseUrl, HOST: '127.0.0.1', HEALTH_PORT: '0', PORT: String(port), PLATFORM_API_KEY: platformKey, LOG_LEVEL: 'warn' };
  // The "ready" line is of level info.
  const processes = ['api', 'ingest-worker', 'matching-worker', 'webhook-worker'].map(
    (name) => new ServiceProcess({ name, env: { ...env, LOG_LEVEL: 'info' }, register, say, file: inRoot('apps', name, 'dist', 'main.js'), logFile: path.join(directory, `${name}.log`) }),
  );
  await Promise.all(processes.map((process) => process.start(30_000)));
  const baseUrl = `http://127.0.0.1:${port}`;
  const platform = apiClient({ baseUrl, headers: { 'x-api-key': platformKey } });
  const tenant = await platform.post('/v1/tenants', { name: 'Bench' });
  return {
    databaseUrl,
    tenantId: tenant.id,
    client: apiClient({ baseUrl, headers: { 'x-api-key': platformKey, 'x-tenant-id': tenant.id } }),
    peakMemory: () => peakMemory([...pids]),
    async stop() {
      await Promise.all(processes.map((process) => process.stop(8_000)));
      await server.stop();
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The largest resident set, in MiB, that any of these processes and their children has had. Linux only. */
function peakMemory(pids) {
  if (process.platform !== 'linux') return null;
  const children = (pid) => {
    const file = `/proc/${pid}/task/${pid}/children`;
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  };
  const all = pids.flatMap((pid) => [pid, ...children(pid)]);
  const peaks = all.map((pid) => {
    const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  });
  return Math.round(Math.max(...peaks));
}
