import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..');
const load = (args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['scripts/load.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

test.each([
  ['an option that does not exist', ['--fast'], "Unknown option '--fast'"],
  ['a part that does not exist', ['--only', 'post,write'], 'there is no "write"'],
  ['a backend that does not exist', ['--backend', 'mysql'], 'there is no "mysql"'],
  ['an invalid number of connections', ['--connections', '0'], '"0" is not a whole number'],
  ['a URL that is none', ['--url', 'localhost:3000'], '"localhost:3000" is not an http URL'],
])('%s ends the load test with exit code 2 and a reason', (_what, args, reason) => {
  const { status, stderr } = load(args);
  expect({ status, told: stderr.includes(reason) }).toEqual({ status: 2, told: true });
});

test('the help names every option and exits with 0', () => {
  const { status, stdout } = load(['--help']);
  const options = ['--only', '--seconds', '--connections', '--size', '--backend', '--url', '--write-results', '--help'];
  expect({ status, missing: options.filter((option) => !stdout.includes(option)) }).toEqual({ status: 0, missing: [] });
});
