import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi } from '../apps/api/testing';
import { runCommandIn, type CommandRun } from '../packages/cli/testing/run';

let api: TestApi;
let directory: string;
let env: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-command-'));
  env = { TIEOUT_PROFILES: at('profiles.json') };
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string): string => path.join(directory, name);
const run = (...args: string[]): Promise<CommandRun> => runCommandIn(env, ...args);

async function logIn(): Promise<void> {
  const { key } = await api.newTenant();
  expect((await run('login', '--url', api.url, '--key', key)).code).toBe(0);
}

async function uploadBoth(): Promise<void> {
  await writeFile(at('ours.csv'), 'no,amount\n1,10.00\n2,20.00\n');
  await writeFile(at('theirs.csv'), 'no,amount\n1,10.00\n3,30.00\n');
  expect((await run('upload', at('ours.csv'), at('theirs.csv'))).code).toBe(0);
  await api.runIngest();
}

const rules = `name: by number
left: ours
right: theirs
engine: jsonata
jsonataExpr: |-
  left.no = right.no
  and left.amount = right.amount
params:
  Tmatch: 1
  Tpossible: 1
`;

test('a key is kept in a file that only its owner reads', async () => {
  await logIn();
  expect((await stat(at('profiles.json'))).mode & 0o777).toBe(0o600);
  expect((await run('datasets', '--json')).out).toBe('[]\n');
});

test('a key that does not work is not kept, and the remedy is named', async () => {
  const { code, err } = await run('login', '--url', api.url, '--key', 'nonsense');
  expect([code, err]).toEqual([2, expect.stringContaining('run tieout login with another one')]);
  await expect(stat(at('profiles.json'))).rejects.toThrow('ENOENT');
});

test('files are uploaded, and their records listed', async () => {
  await logIn();
  await uploadBoth();
  const { out } = await run('records', 'ours', '--json');
  expect((JSON.parse(out) as { data: object }[]).map(({ data }) => data)).toEqual([
    { no: '2', amount: '20.00' },
    { no: '1', amount: '10.00' },
  ]);
});

test('a rule set is pushed, is then without difference, and is pulled as it was', async () => {
  await logIn();
  await uploadBoth();
  await writeFile(at('rules.yaml'), rules);
  expect((await run('rules', 'diff', at('rules.yaml'))).code).toBe(1);
  expect((await run('rules', 'push', at('rules.yaml'))).out).toMatch(/^by number: version 1 /);
  expect((await run('rules', 'diff', at('rules.yaml'))).code).toBe(0);
  expect((await run('rules', 'pull', 'by number', at('pulled.yaml'))).code).toBe(0);
  expect(await readFile(at('pulled.yaml'), 'utf8')).toBe(rules);
  const unreadable = await run('rules', 'pull', 'by number', at('pulled.yaml/rules.yaml'));
  expect([unreadable.code, unreadable.err]).toEqual([2, expect.stringContaining('it cannot be read (ENOTDIR)')]);
  await writeFile(
    at('rules.yaml'),
    rules.replace('Tmatch: 1', 'Tmatch: 0.9').replace('Tpossible: 1', 'Tpossible: 0.5'),
  );
  expect((await run('rules', 'diff', at('rules.yaml'))).out).toBe(
    '- /params/Tmatch: 1\n+ /params/Tmatch: 0.9\n- /params/Tpossible: 1\n+ /params/Tpossible: 0.5\n',
  );
  expect((await run('rules', 'push', at('rules.yaml'))).out).toMatch(/^by number: version 2 /);
  const preview = JSON.parse((await run('rules', 'preview', at('rules.yaml'), '--json')).out) as { results: unknown[] };
  expect(preview.results.length).toBeGreaterThan(0);
});

test('a name that nothing has is answered with those that are like it', async () => {
  await logIn();
  await uploadBoth();
  const { code, err } = await run('records', 'our');
  expect([code, err]).toEqual([2, expect.stringContaining('there is "ours"')]);
});

test('without a service the address is named', async () => {
  const { code, err } = await runCommandIn({ ...env, TIEOUT_KEY: 'k', TIEOUT_URL: 'http://127.0.0.1:9' }, 'datasets');
  expect([code, err]).toEqual([2, expect.stringContaining('is the service running')]);
});
