import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownEnvironment } from './support/own-environment';

const root = path.join(__dirname, '..');

/** A folder that every user can enter: the database does not run as root. */
const directory = mkdtempSync(path.join(tmpdir(), 'tieout demo '));
chmodSync(directory, 0o755);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function demo(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: ownEnvironment(directory),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test('npm run demo:bank reconciles bills from the login on, shows events as they come, leaves nothing', async () => {
  const { code, output } = await demo('scripts/demo-bank.mjs');
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
});

test('npm run demo:months carries open items from month to month, and proves and closes each', async () => {
  const { code, output } = await demo('scripts/demo-months.mjs');
  const inOrder = [
    'Confirmed: I-103',
    'By hand: B-4 478.50 = I-102 480.00, bank_fee 1.50',
    'books  I-104  2026-01-28     3  Bergmann AG',
    'Unexplained                             -12.00',
    '2026-02',
    'B-7 -12.00 = R-203 -12.00',
    'B-11 300.00 = I-103 300.00',
    'B-9 220.00 + B-10 -220.00',
    'I-105 corrected to 651.00: B-12 651.00 = I-105 651.00',
    'books  I-106  2026-02-05    23  Müller KG',
    'Unexplained                               0.00',
    '2026-03',
    'B-13 220.00 = I-106 220.00',
    'By hand: B-14 603.90 = I-107 410.00 + I-108 200.00, discount 6.10',
    'Unexplained                               0.00',
    'Done: three months, each proved and closed.',
  ];
  const escaped = inOrder.map((text) => text.replace(/[.+]/g, '\\$&'));
  expect(output).toMatch(new RegExp(escaped.join('[^]*')));
  expect(code).toBe(0);
  expect(existsSync(path.join(directory, 'months-demo'))).toBe(false);
});
