import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const inRoot = (file: string): string => JSON.stringify(path.join(__dirname, '..', '..', file));

let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-service-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

/**
 * Runs code beside a service that is ready at once. `kill` ends the service, `said` waits until the launcher has said
 * something new, and `registered` has the ids of processes in the file.
 */
function beside(code: string): { status: number | null; stdout: string; stderr: string } {
  const script = `
    import fs from 'node:fs';
    import path from 'node:path';
    import { childRegister } from ${inRoot('scripts/lib/data-directory.mjs')};
    import { ServiceProcess } from ${inRoot('tools/service-process.mjs')};
    import { waitFor } from ${inRoot('tools/wait.mjs')};
    const directory = ${JSON.stringify(directory)};
    const inDirectory = (...names) => path.join(directory, ...names);
    fs.writeFileSync(inDirectory('service.js'), \`
      console.log(JSON.stringify({ msg: 'ready', pid: process.pid }));
      process.on('disconnect', process.exit);
      process.on('SIGTERM', process.exit);\`);
    const lines = [];
    const say = (line) => void lines.push(line);
    const [file, logFile] = [inDirectory('service.js'), inDirectory('logs', 'api.log')];
    const register = childRegister(directory);
    const service = new ServiceProcess({ name: 'api', file, env: {}, logFile, register, say });
    const registered = () => JSON.parse(fs.readFileSync(inDirectory('children.json'), 'utf8')).map(({ pid }) => pid);
    const said = async (text) => {
      const found = await waitFor(() => lines.some((line) => line.includes(text)), { timeoutMs: 20_000 });
      if (!found) throw new Error('it never said ' + text + ', but ' + lines.join(' | '));
      lines.length = 0;
    };
    const { pid } = await service.start(20_000);
    const kill = (pid) => process.kill(pid, 'SIGKILL');
    ${code}
    await service.stop(5_000);
    process.exit();`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000 });
}

/** A disk that is always full, which Linux alone has. */
const withFullDisk = process.platform === 'linux' ? test : test.skip;

withFullDisk(
  'a service is started again while the disk is full, which is told once; with room, what runs is kept again',
  () => {
    const { status, stdout, stderr } = beside(`
    const draft = inDirectory('children.json.new');
    fs.symlinkSync('/dev/full', draft);
    kill(pid);
    await said('api is running again');
    console.log(String(registered()) === String([pid]));
    fs.rmSync(draft);
    kill(JSON.parse(fs.readFileSync(inDirectory('logs', 'api.log'), 'utf8').trimEnd().split('\\n').at(-1)).pid);
    await said('api is running again');
    console.log(registered().length, registered().includes(pid));`);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'true\n1 false\n',
      stderr: expect.stringMatching(/^\S+children\.json cannot be written: ENOSPC[^\n]*\n$/) as string,
    });
  },
);

test('a service restarts though its log was emptied, ends within a line or is gone', () => {
  const { status, stderr } = beside(`
    fs.truncateSync(inDirectory('logs', 'api.log'));
    kill(pid);
    await said('api is running again');
    fs.appendFileSync(inDirectory('logs', 'api.log'), '{"msg":"cut o');
    kill(registered()[0]);
    await said('api is running again');
    fs.rmSync(inDirectory('logs'), { recursive: true });
    kill(registered()[0]);
    await said('api could not be started: ENOENT');
    fs.mkdirSync(inDirectory('logs'));
    await said('api is running again');`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
