import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..');
const node = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

test.each([
  ['an option that does not exist', ['--fast'], "Unknown option '--fast'"],
  ['an argument that belongs to no option', ['10k'], "Unexpected argument '10k'"],
  ['a part that does not exist', ['--only', 'a,z'], 'there is no "z"'],
  ['an invalid size', ['--size', '10k,many'], '"many" is not a number of records'],
  ['a size that is too small to say anything', ['--size', '10'], '"10" is not a number of records'],
  ['an invalid number of rounds', ['--rounds', '0'], '"0" is not a whole number'],
])('%s ends the benchmark with exit code 2 and a reason', (_what, args, reason) => {
  const { status, stderr } = node('scripts/bench.mjs', ...args);
  expect({ status, told: stderr.includes(reason) }).toEqual({ status: 2, told: true });
});

test('the help names every option and exits with 0', () => {
  const { status, stdout } = node('scripts/bench.mjs', '--help');
  const options = ['--quick', '--size', '--only', '--rounds', '--write-results', '--help'];
  expect({ status, missing: options.filter((option) => !stdout.includes(option)) }).toEqual({ status: 0, missing: [] });
});

test('a size means the same records on every machine, so that results can be compared', () => {
  const digest = `
    import crypto from 'node:crypto';
    import { records } from './bench/workload.mjs';
    const hash = crypto.createHash('sha256');
    for (const record of records(10_000)) hash.update(JSON.stringify(record));
    console.log(hash.digest('hex'));`;
  const { stdout } = node('--input-type=module', '--eval', digest);
  expect(stdout.trim()).toBe('750b1714cc2098a9d4f868af8709b51d76234e488ed4d56a0a139d278723a393');
});
