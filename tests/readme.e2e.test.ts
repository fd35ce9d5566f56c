import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@tieout/client';
import { build } from 'esbuild';
import { startStack, type Stack } from './support/stack';

const root = path.join(__dirname, '..');
const page = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const blocks = (language: string, text: string): string =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((m) => m[1]).join('');
const madeUrl = 'http://localhost:3000';
const shellIsThere = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let stack: Stack;
let folder: string;

beforeAll(async () => {
  stack = await startStack();
  folder = mkdtempSync(path.join(tmpdir(), 'tieout-readme-'));
  mkdirSync(path.join(folder, '.data'));
  writeFileSync(path.join(folder, '.data', 'platform-key'), stack.platformKey);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stack.close();
});

/** Runs a program of a page in the folder and returns its standard output. */
function printed(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) =>
      // Rows of a CSV end with CR LF, which no page shows.
      code === 0
        ? resolve(output.replaceAll('\r\n', '\n'))
        : reject(new Error(`the page ended with ${code}:\n${output}`)),
    );
  });
}

async function newKey(): Promise<string> {
  const { platformKey: apiKey } = stack;
  const tenant = await createClient({ baseUrl: stack.url, apiKey }).createTenant({ body: { name: 'Reader' } });
  const platform = createClient({ baseUrl: stack.url, apiKey, tenantId: tenant.id });
  return (await platform.createApiKey({ body: { label: 'reader' } })).key;
}

// A machine without bash and curl has Tieout, but not the tour.
const inShell = shellIsThere ? test : test.skip;

inShell('the commands of the README’s tour and of the tutorial print what these show', async () => {
  // The tutorial goes on from the README, in one shell.
  const pages = `${page('README.md')}\n${page('docs/tutorials/first-month.md')}`;
  const script = blocks('sh', pages).replace(madeUrl, stack.url);
  expect(await printed('bash', ['-euo', 'pipefail', '-c', script])).toBe(blocks('text', pages));
});

inShell('the tutorial on the command line prints what it shows', async () => {
  const text = page('docs/tutorials/command-line.md');
  const program = `"${process.execPath}" "${path.join(root, 'packages/cli/bin/tieout.mjs')}"`;
  const script = blocks('sh', text).replaceAll('npx tieout', program).replace(madeUrl, stack.url);
  const env = { KEY: await newKey(), TIEOUT_PROFILES: path.join(folder, 'profiles.json') };
  expect(await printed('bash', ['-uc', script], env)).toBe(blocks('text', text));
});

inShell('the tutorial in TypeScript prints what it shows', async () => {
  const text = page('docs/tutorials/typescript.md');
  const contents = blocks('ts', text).replace(madeUrl, stack.url);
  const stdin = { contents, loader: 'ts' as const, resolveDir: root };
  const outfile = path.join(folder, 'tour.mjs');
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  expect(await printed(process.execPath, [outfile], { TIEOUT_KEY: await newKey() })).toBe(blocks('text', text));
});

test('an agent starts the server as its page says, and reads what is there', async () => {
  const [, config = ''] = /```json\n([^]*?)```/.exec(page('docs/how-to/agents.md')) ?? [];
  const { mcpServers } = JSON.parse(config) as { mcpServers: { tieout: { command: string; args: string[] } } };
  const args = mcpServers.tieout.args.map((arg) => arg.replace('/path/to/tieout', root));
  const clientInfo = { name: 'reader', version: '1' };
  const requests = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'describe_workspace', arguments: {} } },
  ];
  const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('');
  const env = { ...process.env, TIEOUT_URL: stack.url, TIEOUT_KEY: await newKey() };
  const { stdout, stderr } = spawnSync(mcpServers.tieout.command, args, { input, env, encoding: 'utf8' });
  const answers = stdout.split('\n').filter((line) => line !== '');
  expect([stderr, answers.map((line) => JSON.parse(line) as unknown)]).toMatchObject([
    '',
    [
      { id: 1, result: { serverInfo: { name: 'tieout' } } },
      { id: 2, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'run' })]) as unknown } },
      { id: 3, result: { structuredContent: { commits: false, reconciliations: [] } } },
    ],
  ]);
});
