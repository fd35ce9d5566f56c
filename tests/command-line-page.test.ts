import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../packages/cli/testing/run';
import { root } from './support/architecture/load';

const page = fs.readFileSync(path.join(root, 'docs/how-to/command-line.md'), 'utf8');

let directory: string;

/** The first lines of a sample file have all that its commands find; the rest only takes longer. */
const maxLines = 800;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-page-'));
  await mkdir(path.join(directory, 'sample'));
  for (const name of fs.readdirSync(path.join(root, 'sample')).filter((file) => /\.(csv|json|yaml)$/.test(file))) {
    const text = fs.readFileSync(path.join(root, 'sample', name), 'utf8');
    const part = name.endsWith('.csv') ? text.split('\n').slice(0, maxLines).join('\n') : text;
    await writeFile(path.join(directory, 'sample', name), part);
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const commands = [...page.matchAll(/^npx tieout (compare .*)$/gm)].map(([, command = '']) => command);

test.each(commands)('the page’s command gives a result: %s', async (command) => {
  const placed = (arg: string): string => {
    const isFile = arg.startsWith('sample/') || /^\w+\.(yaml|xlsx)$/.test(arg);
    return isFile ? path.join(directory, arg) : arg;
  };
  const args = command.split(' ').map(placed);
  const { code, err } = await runCommand(...args);
  expect([code, err]).toEqual([1, '']);
});

test('the page’s rule file is one', async () => {
  const file = path.join(directory, 'page.yaml');
  await writeFile(file, /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(await runCommand('rules', 'check', file)).toMatchObject({ code: 0, err: '' });
});
