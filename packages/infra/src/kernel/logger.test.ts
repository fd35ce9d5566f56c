import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist'));

/** A disk that is always full, which only Linux has. */
const withFullDisk = process.platform === 'linux' ? test : test.skip;

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-logger-'));
afterAll(() => fs.rmSync(directory, { recursive: true }));

/** Runs code in a process whose stdout takes nothing; `outputTo` gives it another one. */
function onFullDisk(code: string): { status: number | null; stderr: string } {
  const script = `
    const fs = require('node:fs');
    const { createLogger, ConfigError, runService, readSettingsOrExit, withContext } = require(${infra});
    const outputTo = (file) => { fs.closeSync(1); if (fs.openSync(file, 'a') !== 1) throw new Error('not stdout'); };
    const logger = createLogger('test', 'info');
    ${code}`;
  const full = fs.openSync('/dev/full', 'w');
  try {
    return spawnSync(process.execPath, ['-e', script], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
      timeout: 20_000,
    });
  } finally {
    fs.closeSync(full);
  }
}

const linesOf = (file: string): { msg: string }[] =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });

withFullDisk('a line that cannot be written does no harm, and is written with the next one that can be', () => {
  const file = path.join(directory, 'few');
  const { status, stderr } = onFullDisk(`
    logger.info('one');
    logger.error('two');
    outputTo(${JSON.stringify(file)});
    logger.info('three');`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(file).map(({ msg }) => msg)).toEqual(['one', 'two', 'three']);
});

withFullDisk(
  'while lines cannot be written, the first are kept; then the number of lost lines is logged, and the log continues',
  () => {
    const file = path.join(directory, 'many');
    const { status, stderr } = onFullDisk(`
    const log = (n) => logger.info({ filler: 'x'.repeat(100_000) }, 'line ' + n);
    for (let n = 0; n < 20; n++) log(n);
    outputTo(${JSON.stringify(file)});
    withContext({ requestId: 'r' }, () => log(20));
    setImmediate(() => logger.info('after'));`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = linesOf(file);
    const kept = lines.slice(0, -2);
    expect(kept.map(({ msg }) => msg)).toEqual(kept.map((_line, n) => `line ${n}`));
    expect(kept.length).toBeGreaterThan(0);
    const lostLine = {
      level: 'warn',
      time: expect.any(String) as string,
      app: 'test',
      pid: expect.any(Number) as number,
      lines: 21 - kept.length,
      msg: 'lines of this log could not be written',
    };
    expect(lines.slice(-2)).toEqual([lostLine, expect.objectContaining({ msg: 'after' })]);
  },
);

withFullDisk.each([
  ['faulty settings', `readSettingsOrExit('test', () => { throw new ConfigError('PORT is required'); })`],
  ['a start that fails', `runService(logger, () => Promise.reject(new Error('no start')))`],
  ['an uncaught error', `runService(logger, async () => setImmediate(() => { throw new Error('uncaught'); }))`],
])('%s ends a process that cannot write its log as ever', (_what, code) => {
  expect(onFullDisk(`setInterval(() => undefined, 1_000); void ${code};`)).toMatchObject({ status: 1, stderr: '' });
});

withFullDisk('a process that cannot write its log ends with 0 when it is asked to', () => {
  expect(
    onFullDisk(
      `void runService(logger, async () => process.kill(process.pid, 'SIGTERM')); setInterval(() => undefined, 1_000);`,
    ),
  ).toMatchObject({ status: 0, stderr: '' });
});
