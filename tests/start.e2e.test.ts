import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { listenOn, newInstallation, ready, stopDeadlineMs, type Launcher } from './support/launcher';
import { isAlive } from './support/processes';

describe('npm start', () => {
  const own = newInstallation();
  let current: Launcher;

  afterAll(async () => {
    current.child.kill('SIGTERM');
    await current.exited;
    fs.rmSync(own.directory, { recursive: true, force: true });
  });

  test('refuses a PORT that another program uses, with a reason', async () => {
    const other = await listenOn(0);
    const { port } = other.address() as AddressInfo;
    current = own.launch({ PORT: String(port) });
    expect((await current.exited).code).toBe(1);
    expect(current.output()).toContain(`Port ${port} is taken by another program`);
    await new Promise((resolve) => other.close(resolve));
  });

  test.each([
    ['PLATFORM_API_KEY', 'k'.repeat(31), 'PLATFORM_API_KEY is shorter than 32 characters\n'],
    ['DASHBOARD_PASSWORD', 'p'.repeat(11), 'DASHBOARD_PASSWORD is shorter than 12 characters\n'],
    ['SECRETS_KEY', 'ab'.repeat(31), 'SECRETS_KEY is not 32 bytes in base64 or hex\n'],
  ])('refuses a short %s in one line, before it starts anything', async (name, value, message) => {
    current = own.launch({ [name]: value });
    expect((await current.exited).code).toBe(1);
    expect(current.output()).toBe(message);
  });

  test('starts on an empty directory, serves, and keeps secrets, logs and lock private to their owner', async () => {
    current = own.launch();
    await ready(current);
    expect((await own.call('POST', '/v1/tenants', { name: 'Kept' })).status).toBe(201);
    const logs = fs.readdirSync(path.join(own.directory, 'logs')).map((name) => path.join('logs', name));
    const files = ['platform-key', 'dashboard-password', 'secrets-key', 'database-password', 'lock.json', ...logs];
    expect(files.filter((name) => (fs.statSync(path.join(own.directory, name)).mode & 0o777) !== 0o600)).toEqual([]);
  });

  test('the database requires the password, which is not shown', async () => {
    const shown = /postgresql:\/\/\S+/.exec(current.output())?.[0] ?? '';
    const password = own.secret('database-password');
    const connect = async (changes: { password: string }): Promise<string> => {
      const client = new Client({ connectionString: Object.assign(new URL(shown), changes).href });
      try {
        await client.connect();
        return 'let in';
      } catch (error) {
        return (error as Error).message;
      } finally {
        await client.end();
      }
    };
    expect(current.output()).not.toContain(password);
    expect(await connect({ password })).toBe('let in');
    expect(await connect({ password: 'guessed' })).toMatch('password authentication failed');
  });

  test('a second start over the same data is refused and does not disturb the first one', async () => {
    const second = own.launch();
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain('already runs over');
    expect(await own.tenantNames()).toEqual(['Kept']);
  });

  test('SIGTERM, even twice, ends everything within 10 s', async () => {
    const all = [...own.serviceProcesses(), own.databaseProcess()];
    const since = Date.now();
    current.child.kill('SIGTERM');
    current.child.kill('SIGTERM');
    expect((await current.exited).code).toBe(0);
    expect(Date.now() - since).toBeLessThan(stopDeadlineMs);
    expect(all.filter(isAlive)).toEqual([]);
  });
});
