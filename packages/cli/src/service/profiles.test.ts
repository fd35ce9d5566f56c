import { mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readProfiles, writeProfile } from './profiles';

const profile = { url: 'http://127.0.0.1:3000', key: 'key' };

let file: string;

beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(os.tmpdir(), 'tieout-profiles-')), 'profiles.json');
});

test('profiles that are written at the same time are all kept', async () => {
  const names = Array.from({ length: 8 }, (_, at) => `p${at}`);
  await Promise.all(names.map((name) => writeProfile(file, name, profile)));
  expect(Object.keys(await readProfiles(file)).sort()).toEqual(names);
  expect(await readdir(path.dirname(file))).toEqual(['profiles.json']);
});

test('the lock of a process that was killed does not stop the next one', async () => {
  await writeFile(`${file}.lock`, '');
  await utimes(`${file}.lock`, 1, 1);
  await writeProfile(file, 'uk', profile);
  expect(await readProfiles(file)).toEqual({ uk: profile });
});
