import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ownEnvironment } from './support/own-environment';

const run = promisify(execFile);
const directory = mkdtempSync(path.join(tmpdir(), 'tieout-bench-test-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('npm run bench starts the service and its reference, measures, and ends', async () => {
  const { stdout } = await run(
    process.execPath,
    ['scripts/bench.mjs', '--only', 'd', '--size', '1k', '--rounds', '1'],
    { cwd: path.join(__dirname, '..'), env: ownEnvironment(directory) },
  );
  expect(stdout).toMatch(/POST to completed .* 1\.50 s/);
  expect(stdout).toMatch(/\d of 2 goals met/);
});
