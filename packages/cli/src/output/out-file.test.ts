import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeOutFile } from './out-file';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-out-'));
  await writeFile(at('result.csv'), 'before');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string): string => path.join(directory, name);

test('an earlier result stays whole where a new one fails in the middle, and nothing is left beside it', async () => {
  function* halfWritten(): Generator<string> {
    yield 'half';
    throw new Error('it ends here');
  }
  await expect(writeOutFile(at('result.csv'), halfWritten())).rejects.toThrow('it ends here');
  expect([await readFile(at('result.csv'), 'utf8'), await readdir(directory)]).toEqual(['before', ['result.csv']]);
});

test('a result is written through a link to its file', async () => {
  await symlink('result.csv', at('link.csv'));
  await writeOutFile(at('link.csv'), ['after']);
  expect([await readFile(at('result.csv'), 'utf8'), await readdir(directory)]).toEqual([
    'after',
    ['link.csv', 'result.csv'],
  ]);
});

test('what is no file is written as it is', async () => {
  await expect(writeOutFile('/dev/null', ['anything'])).resolves.toBeUndefined();
});
