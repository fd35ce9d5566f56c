import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '..');

/** A folder that every user can enter: the database does not run as root. */
const directory = mkdtempSync(path.join(tmpdir(), 'tieout bank '));
chmodSync(directory, 0o755);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function demo(): Promise<{ code: number | null; output: string }> {
  const own = [
    'PORT',
    'DASHBOARD_PORT',
    'DATABASE_URL',
    'QUEUE_URL',
    'PLATFORM_API_KEY',
    'DASHBOARD_PASSWORD',
    'SECRETS_KEY',
    'NODE_ENV',
  ];
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !own.includes(name) && !name.startsWith('npm_')),
  );
  const child = spawn(process.execPath, ['scripts/demo-bank.mjs'], {
    cwd: root,
    env: { ...inherited, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test('npm run demo:bank reconciles bills from the login on, shows events as they come, leaves nothing', async () => {
  const { code, output } = await demo();
  const eventsInOrder = [
    'ITEM_CREATED',
    'ITEM_WAITING_USER_INPUT',
    'ITEM_LOGIN_SUCCEEDED',
    'TRANSACTIONS_CREATED',
    'ITEM_UPDATED',
    'COMPOSITE_MATCH_CREATED',
    'MATCHING_JOB_COMPLETED',
    'TRANSACTIONS_UPDATED',
  ];
  expect(output).toMatch(new RegExp(`${eventsInOrder.map((name) => `→ ${name} `).join('[^]*')}[^]*`));
  expect(output).toMatch(/Card bills composed {4}(\d+) of \1\n {2}Payments matched {7}\1 of \1\n/);
  expect(output).toMatch(/Events received {8}(\d+) of \1\n/);
  expect(output).toContain('Done: a bank feed from the login to the reconciled card bills.');
  expect(code).toBe(0);
  expect(existsSync(path.join(directory, 'bank-demo'))).toBe(false);
}, 180_000);
