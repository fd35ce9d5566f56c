import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { listenOn, newInstallation, printed, ready, stopDeadlineMs, type Launcher } from './support/launcher';
import { isAlive } from './support/processes';

const own = newInstallation();
let current: Launcher;

/** Returns the command line of a process. */
const commandOf = (pid: number): string => execFileSync('ps', ['-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' });

/** Resolves when none of the processes runs any more, with the time that took. */
async function gone(pids: number[]): Promise<number> {
  const since = Date.now();
  while (pids.some(isAlive)) {
    if (Date.now() - since > stopDeadlineMs) throw new Error(`still running: ${pids.filter(isAlive).join(', ')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Date.now() - since;
}

beforeAll(async () => {
  current = own.launch();
  await ready(current);
  await own.call('POST', '/v1/tenants', { name: 'Kept' });
});

afterAll(async () => {
  current.child.kill('SIGTERM');
  await current.exited;
  fs.rmSync(own.directory, { recursive: true, force: true });
});

test('a killed launcher leaves no service running, and the next start adopts its database', async () => {
  const services = own.serviceProcesses();
  expect(services).toHaveLength(6);
  current.child.kill('SIGKILL');
  expect(await gone(services)).toBeLessThan(stopDeadlineMs);
  current = own.launch();
  await ready(current);
  expect(await own.tenantNames()).toEqual(['Kept']);
});

test('reports why a dead service cannot be restarted, and restarts it once it can', async () => {
  const port = Number(new URL(own.apiUrl()).port);
  const api = own.serviceProcesses().find((pid) => commandOf(pid).includes(path.join('apps', 'api'))) as number;
  // A launcher that sleeps does not start the API again before its port is taken.
  current.child.kill('SIGSTOP');
  process.kill(api, 'SIGKILL');
  const thief = await listenOn(port);
  current.child.kill('SIGCONT');
  await printed(current, /api ended unexpectedly with code 1 \(.*EADDRINUSE.*\); starting it again/);
  await new Promise((resolve) => thief.close(resolve));
  await printed(current, /api is running again/);
  expect(await own.tenantNames()).toEqual(['Kept']);
});

test('recovers without help after everything was killed at once', async () => {
  const all = [current.child.pid ?? 0, ...own.serviceProcesses(), own.databaseProcess()];
  for (const pid of all) process.kill(pid, 'SIGKILL');
  await current.exited;
  current = own.launch();
  await ready(current);
  expect(await own.tenantNames()).toEqual(['Kept']);
});

test('two starts at the same moment take different ports', async () => {
  const other = newInstallation();
  const third = newInstallation();
  const started = [other, third].map((installation) => ({ installation, launcher: installation.launch() }));
  try {
    await Promise.all(started.map(({ launcher }) => ready(launcher)));
    const urls = [own, other, third].map((installation) => installation.apiUrl());
    expect(new Set(urls).size).toBe(3);
    expect(await Promise.all([other, third].map((installation) => installation.tenantNames()))).toEqual([[], []]);
  } finally {
    for (const { installation, launcher } of started) {
      launcher.child.kill('SIGTERM');
      await launcher.exited;
      fs.rmSync(installation.directory, { recursive: true, force: true });
    }
  }
});
