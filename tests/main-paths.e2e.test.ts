import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@tieout/client';
import type { AxiosError } from 'axios';
import axios from 'axios';
import { build } from 'esbuild';
import { startStack, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

const root = path.join(__dirname, '..');
const page = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const blocks = (language: string, text: string): string =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((m) => m[1]).join('');
const madeUrl = 'http://localhost:3000';
const shellIsThere = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let stack: Stack;
let folder: string;

beforeAll(async () => {
  // One installation for all: its processes take longer to start than most of what is tried on them.
  stack = await startStack({ MATCHING_STALL_MS: '2000', EVALUATION_TIMEOUT_MS: '2000' }, undefined, [
    'api',
    'ingest-worker',
    'matching-worker',
    'background-worker',
  ]);
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

const rules = {
  engine: 'jsonata',
  jsonataExpr: 'left.number = right.memo ? 1 : 0.5',
  params: { Tmatch: 1, Tpossible: 0.5, blocking: { amountKey: 'amount' } },
};

/** The whole path of one tenant; `own` marks its data. */
async function reconcile(own: string): Promise<{ tenant: TenantClient; jobId: string }> {
  const tenant = await TenantClient.create(stack, 'Acme');
  await tenant.bulk(
    'invoices',
    [1, 2, 3].map((i) => ({ externalId: `i${i}`, body: { amount: 10 * i, number: `N${i}`, own } })),
  );
  await tenant.bulk(
    'bank',
    [1, 2].map((i) => ({ externalId: `b${i}`, body: { amount: 10 * i, memo: `N${i}`, own } })),
  );
  await Promise.all([tenant.settled('invoices', 3), tenant.settled('bank', 2)]);
  await tenant.ruleSet('invoices', 'bank', rules);
  return { tenant, jobId: await tenant.startJob('invoices') };
}

test('records go in, a job runs on the workers, matches and unmatched records come out', async () => {
  const { tenant, jobId } = await reconcile('one');
  const job = await tenant.ended(jobId);
  expect(job).toMatchObject({ status: 'completed', records_total: 5, pairs_total: 2, pairs_processed: 2 });
  expect(
    (await tenant.result(jobId, 'invoices', 'bank')).map(([pair, score, decision]) => [pair, score, decision]),
  ).toEqual([
    ['i1|b1', 1, 'MATCH'],
    ['i2|b2', 1, 'MATCH'],
  ]);
  const { data } = await tenant.http.get<{ items: { record: { external_id: string }; reason: string }[] }>(
    `/v1/matching-jobs/${jobId}/unmatched?side=left`,
  );
  expect(data.items.map((u) => [u.record.external_id, u.reason])).toEqual([['i3', 'no_candidate']]);
});

test('two tenants with equal names, external ids and rule sets never see each other’s data', async () => {
  const [one, two] = await Promise.all([reconcile('one'), reconcile('two')]);
  await Promise.all([one.tenant.ended(one.jobId), two.tenant.ended(two.jobId)]);
  for (const [mine, theirs, own] of [
    [one, two, 'one'],
    [two, one, 'two'],
  ] as const) {
    const { data } = await mine.tenant.http.get<{ items: { id: string; data: { own: string } }[]; total: number }>(
      '/v1/records',
    );
    expect(data.total).toBe(5);
    expect(new Set(data.items.map((r) => r.data.own))).toEqual(new Set([own]));
    const matches = await mine.tenant.http.get<{ total: number; items: { id: string }[] }>('/v1/matches');
    expect(matches.data.total).toBe(2);
    const foreign = await Promise.all(
      [`/v1/matching-jobs/${theirs.jobId}`, `/v1/matching-jobs/${theirs.jobId}/unmatched`].map((path) =>
        mine.tenant.http.get(path).catch((error: AxiosError) => error.response?.status),
      ),
    );
    expect(foreign).toEqual([404, 404]);
  }
});

test('a record that is sent alone is normalised and readable within seconds', async () => {
  const tenant = await TenantClient.create(stack);
  const { data } = await tenant.http.post<{ id: string; status: string }>('/v1/records', {
    externalId: 't1',
    body: { amount: 5 },
  });
  await tenant.settled('transactions', 1);
  const record = await tenant.http.get<{ status: string; data: object }>(`/v1/records/${data.id}`);
  expect(record.data).toMatchObject({
    status: 'ready',
    data: { amount: 5 },
    dataset_name: 'transactions',
    external_id: 't1',
  });
});

/** Runs until its steps are used up. */
const endlessExpression = '($f := function($n) { $f($n + 1) }; $f(left.n))';

test('an expression that never ends in a preview is cut off, and the API answers others meanwhile', async () => {
  const tenant = await TenantClient.create(stack);
  const endless = tenant.http
    .post('/v1/rule-sets/preview', {
      ruleSet: { engine: 'jsonata', jsonataExpr: endlessExpression, params: { Tmatch: 1, Tpossible: 1 } },
      pairs: Array.from({ length: 500 }, (_, n) => ({ left: { n }, right: {} })),
    })
    .then(
      () => 'answered',
      (error: AxiosError<{ code: string }>) => error.response?.data.code,
    );
  const startedMs = Date.now();
  await axios.get(`${stack.url}/healthz`);
  expect(Date.now() - startedMs).toBeLessThan(2_000);
  expect(await endless).toBe('evaluation_timeout');
});

test('a job whose expression never ends fails with a reason, and the next job runs', async () => {
  const hostile = await TenantClient.create(stack);
  await hostile.bulk(
    'left',
    [1, 2, 3].map((n) => ({ externalId: `l${n}`, body: { n } })),
  );
  await hostile.bulk('right', [{ externalId: 'r', body: {} }]);
  await Promise.all([hostile.settled('left', 3), hostile.settled('right', 1)]);
  await hostile.ruleSet('left', 'right', { jsonataExpr: endlessExpression, params: { Tmatch: 1, Tpossible: 1 } });
  const stuck = await hostile.startJob('left');
  const { tenant, jobId } = await reconcile('one');
  expect(await tenant.ended(jobId)).toMatchObject({ status: 'completed' });
  expect(await hostile.ended(stuck)).toMatchObject({ status: 'failed', error: { code: 'expression_timeout' } });
});
