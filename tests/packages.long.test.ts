import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { build } from 'esbuild';
import { runCommand } from '../packages/cli/testing/run';
import { serve, type AnsweringServer } from '../packages/client/testing/server';
import { root } from './support/architecture/load';
import { eventually } from './support/stack';

const run = promisify(execFile);

/** An empty folder elsewhere, with what is published installed in it. */
let folder: string;
let server: AnsweringServer;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'tieout-packages-'));
  server = await serve(({ method }) => ({ json: method === 'GET' ? { items: [] } : { id: 'f1' } }));
  // The packages of others come from this checkout, so that nothing is downloaded.
  const packed = [
    'packages/client',
    'packages/cli',
    'node_modules/openapi-fetch',
    'node_modules/openapi-typescript-helpers',
  ];
  const { stdout } = await npm('pack', '--json', '--ignore-scripts', ...packed.map((one) => path.join(root, one)));
  const files = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  write('package.json', '{ "name": "elsewhere", "private": true }');
  await npm('install', '--offline', '--no-audit', '--no-fund', ...files);
});

afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);

const npm = (...args: string[]) =>
  run('npm', args, { cwd: folder, env: { ...process.env, npm_config_cache: path.join(folder, '.npm') } });

/** Lists datasets and uploads a file by its path; says what came of both. */
const program = (imports: string): string => `
  ${imports}
  const tieout = createClient({ baseUrl: ${JSON.stringify(server.url)}, apiKey: 'k' });
  (async () => {
    const all = [];
    for await (const dataset of paginate(tieout.listDatasets)) all.push(dataset);
    const upload = tieout.files.upload('a.csv', { dataSourceId: 's1' });
    done(JSON.stringify([all, await upload.then(({ id }) => id, ({ message }) => message)]));
  })();
`;
const esm = "import { createClient, paginate } from '@tieout/client';";
const toConsole = 'const done = console.log;';

test.each([
  ['an ES module', 'a.mjs', `${esm}${toConsole}`, []],
  ['an ES module of Bun', 'a.mjs', `${esm}${toConsole}`, ['--conditions=bun']],
  ['a CommonJS module', 'a.cjs', `const { createClient, paginate } = require('@tieout/client');${toConsole}`, []],
])('the installed client works in %s', async (_what, name, imports, options) => {
  write('a.csv', 'no\n1\n');
  write(name, program(imports));
  const { stdout, stderr } = await run(process.execPath, [...options, name], { cwd: folder });
  expect([stdout, stderr]).toEqual(['[[],"f1"]\n', '']);
});

test('the installed client works in a bundle for browsers, which has nothing of Node', async () => {
  write('browser.mjs', program(esm));
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['browser.mjs'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const { fetch, Request, Response, Headers, FormData, Blob, ReadableStream, TextEncoder, URL } = globalThis;
  const { URLSearchParams, AbortController, crypto, performance, setTimeout, clearTimeout } = globalThis;
  const web = { fetch, Request, Response, Headers, FormData, Blob, ReadableStream, TextEncoder, URL, URLSearchParams };
  const text = await new Promise((done) => {
    vm.runInNewContext(outputFiles[0]?.text ?? '', {
      ...web,
      ...{ AbortController, crypto, performance, setTimeout, clearTimeout, done },
    });
  });
  expect(text).toBe('[[],"There is no file system here to read a.csv from: pass a File or a stream."]');
});

const typed = `
const tieout: Tieout = createClient({ baseUrl: 'http://localhost:3000' });
export async function total(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of paginate(tieout.listDatasets, { query: { limit: 5 } })) names.push(name);
  for await (const { id } of paginate(tieout.listMatchGroups, { query: { status: 'pending' } })) names.push(id);
  // @ts-expect-error There is no such status.
  paginate(tieout.listMatchGroups, { query: { status: 'open' } });
  const job = await tieout.waitForJob('j', { onProgress: ({ status }) => names.push(status) });
  const decided: number = job.pairs_processed;
  const sent = await tieout.records.bulk([{ externalId: '1', body: { no: decided } }], { dataset: 'a' });
  // @ts-expect-error The body lacks its name.
  await tieout.createDataset({ body: { nam: 'a' } });
  // @ts-expect-error There is no such operation.
  await tieout.createNothing();
  return [...names, ...sent.errors.map(({ message }) => message)];
}
`;

/** Pages about the client, each with what its program takes for granted. */
const pages: Readonly<Record<string, { page: string; given: string }>> = {
  'page.ts': {
    page: 'docs/how-to/typescript-client.md',
    given: `declare const id: string;
      declare const invoices: AsyncIterable<{ externalId: string; body: { amount: number } }>;`,
  },
  'tutorial.ts': { page: 'docs/tutorials/typescript.md', given: '' },
  'readme.ts': { page: 'packages/client/README.md', given: '' },
};

function programOf({ page, given }: { page: string; given: string }): string {
  const text = fs.readFileSync(path.join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  return `declare const process: { env: Record<string, string | undefined> };\n${given}\n${blocks.join('')}`;
}

test.each(['node16', 'bundler'])('the types of the installed client hold under strict: %s', async (resolution) => {
  const source = `import { createClient, paginate, type Tieout } from '@tieout/client';${typed}`;
  const files = resolution === 'node16' ? ['typed.mts', 'typed.cts'] : ['typed.ts', ...Object.keys(pages)];
  for (const file of files) {
    const page = pages[file];
    write(file, page === undefined ? source : programOf(page));
  }
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], skipLibCheck: false },
    ...{ module: resolution === 'node16' ? 'node16' : 'esnext', moduleResolution: resolution },
  };
  write(`tsconfig.${resolution}.json`, JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const found = run(process.execPath, [tsc, '-p', `tsconfig.${resolution}.json`], { cwd: folder });
  expect((await found.catch((error: unknown) => error as { stdout: string })).stdout).toBe('');
});

test('the installed command line compares files', async () => {
  write('left.csv', 'no,amount\n1,10.00\n2,20.00\n');
  write('right.csv', 'no;amount\n2;20,00\n1;10,00\n');
  write('rules.yaml', 'jsonataExpr: left.no = right.no\nparams: { Tmatch: 1, Tpossible: 1 }\n');
  const { stdout, stderr } = await run(
    'npx',
    ['--offline', 'tieout', 'compare', 'left.csv', 'right.csv', '--rules', 'rules.yaml'],
    { cwd: folder },
  );
  expect([stdout, stderr]).toEqual([expect.stringContaining('Tied: nothing is open.'), '']);
});

test.each(['--out', '--suggest'])(
  '%s into a folder that may not be written is refused with its remedy',
  async (option) => {
    const locked = fs.mkdtempSync(path.join(folder, 'locked-'));
    fs.chmodSync(folder, 0o755);
    fs.chmodSync(locked, 0o555);
    write('left.csv', 'no,amount\n1,10.00\n');
    write('right.csv', 'no,amount\n1,10.00\n');
    // The superuser may write into every folder.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const args = ['compare', 'left.csv', 'right.csv', option, path.join(locked, 'result.csv')];
    const failed = await run(path.join(folder, 'node_modules/.bin/tieout'), args, { cwd: folder, ...user }).catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    const told: unknown = expect.stringContaining(`you may not write into the folder ${locked}; name another`);
    expect(failed).toMatchObject({ code: 2, stderr: told });
  },
);

test('webhooks are removed where the reader of their events leaves', async () => {
  const hooks = await serve(({ method }) => ({
    status: method === 'DELETE' ? 204 : 200,
    json: method === 'GET' ? { data: { webhooks: [] } } : { data: { id: 'w1', signingSecret: 'whsec_eA==' } },
  }));
  const listen = ['webhooks', 'listen', '--public-url', 'https://hooks.example.com', '--port', '0'];
  const listening = spawn(path.join(folder, 'node_modules/.bin/tieout'), listen, {
    env: { ...process.env, TIEOUT_URL: hooks.url, TIEOUT_KEY: 'k', TIEOUT_PROFILES: path.join(folder, 'none.json') },
  });
  const ended = new Promise((resolve) => listening.on('exit', resolve));
  let told = '';
  for await (const chunk of listening.stderr.setEncoding('utf8')) {
    told += chunk as string;
    if (told.includes('Ready')) break;
  }
  listening.stdout.destroy();
  const address = /http:\S+:\d+/.exec(told)?.[0] ?? '';
  const { status } = await fetch(address, { method: 'POST', body: 'unsigned' });
  expect([status, await ended]).toEqual([401, 141]);
  await hooks.close();
  expect(hooks.received.map(({ method, url }) => `${method} ${url}`).at(-1)).toBe('DELETE /v1/webhooks/w1');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a comparison that waits for a pipe', async (signal) => {
  const pipe = path.join(folder, `${signal}.pipe`);
  await run('mkfifo', [pipe]);
  const room = fs.mkdtempSync(path.join(folder, 'room-'));
  write('left.csv', 'no\n1\n');
  const waiting = spawn(path.join(folder, 'node_modules/.bin/tieout'), ['compare', pipe, 'left.csv'], {
    cwd: folder,
    env: { ...process.env, TMPDIR: room },
  });
  const ended = new Promise((resolve) => waiting.on('exit', (_code, by) => resolve(by)));
  await eventually('the copy is begun', () => Promise.resolve(fs.readdirSync(room)[0]));
  waiting.kill(signal);
  expect([await ended, fs.readdirSync(room)]).toEqual([signal, []]);
});

test('two threads find what one finds', async () => {
  const rows = 45_000;
  const pad = 'x'.repeat(90);
  const line = (no: number): string => `${(no * 7919) % rows},${no % 3000},2026-0${1 + (no % 9)}-1${no % 10},${pad}`;
  const csv = (step: number): string =>
    ['no,amount,date,text', ...Array.from({ length: rows }, (_, at) => line((at * step) % rows))].join('\n');
  write('large-left.csv', csv(1));
  write('large-right.csv', csv(7));
  const params = {
    ...{ Tmatch: 1, Tpossible: 0.4, maxPossiblePerRecord: 2, blocking: { amountKey: 'amount', dateKey: 'date' } },
    matchers: [
      { id: 'no', expr: 'left.no = right.no', weight: 0.5 },
      { id: 'fails', expr: '$number(left.no) % 5000 = 0 ? $error("wrong") : true', weight: 0.5 },
    ],
  };
  write('large.json', JSON.stringify({ engine: 'jsonata-batch', params }));
  const at = (name: string): string => path.join(folder, name);
  const args = ['compare', at('large-left.csv'), at('large-right.csv'), '--rules', at('large.json'), '--json'];
  const result = at('result.json');
  const installed = path.join(folder, 'node_modules/.bin/tieout');
  const code = await new Promise((resolve) => {
    const out = fs.openSync(result, 'w');
    spawn(installed, args, { stdio: ['ignore', out, 'inherit'] }).on('exit', resolve);
  });
  const one = await runCommand(...args);
  expect([code, one.code]).toEqual([1, 1]);
  const { summary } = JSON.parse(one.out) as { summary: { decisions: Record<string, number> } };
  expect(Object.values(summary.decisions).filter((count) => count > 0).length).toBeGreaterThan(2);
  expect(fs.readFileSync(result, 'utf8') === one.out).toBe(true);
});

test('the command line is that of its package, which asks for no other one', async () => {
  const installed = path.join(folder, 'node_modules/tieout/package.json');
  const { version, dependencies } = JSON.parse(fs.readFileSync(installed, 'utf8')) as Record<string, unknown>;
  const { stdout } = await run('npx', ['--offline', 'tieout', '--version'], { cwd: folder });
  expect([stdout, dependencies]).toEqual([`${version as string}\n`, undefined]);
});
