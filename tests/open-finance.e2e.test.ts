import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { root } from './support/architecture/load';

test('npm run sandbox serves providers’ interface until it is told to stop', async () => {
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts/open-finance-sandbox.mjs'), '--port', '0', '--credential', 'secret'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const base = line.replace('OPENFINANCE_BASE_URL=', '');
  const connectors = (credential: string) =>
    fetch(`${base}/connectors`, { headers: { authorization: `Bearer ${credential}` } });
  expect((await connectors('other')).status).toBe(401);
  expect(await (await connectors('secret')).json()).toMatchObject({ results: [{ id: 'sandbox' }] });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
