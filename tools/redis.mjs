import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answers, freePort } from './ports.mjs';
import { waitFor } from './wait.mjs';

/** A private, empty Redis that keeps nothing on disk, or null when none is installed. */
export async function startTestRedis() {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return null;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-redis-'));
  const port = await freePort();
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir: directory,
    'maxmemory-policy': 'noeviction',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const redis = spawn('redis-server', options, { stdio: 'ignore', detached: true });
  const exited = new Promise((resolve) => redis.once('exit', resolve));
  const stop = async () => {
    redis.kill('SIGTERM');
    await exited;
    fs.rmSync(directory, { recursive: true, force: true });
  };
  if (!(await waitFor(() => answers(port, '127.0.0.1'), { timeoutMs: 10_000 }))) {
    await stop();
    throw new Error('redis-server did not start');
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}
