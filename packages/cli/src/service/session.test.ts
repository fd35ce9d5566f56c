import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TieoutError } from '@tieout/client';
import { serve, type Answer, type AnsweringServer } from '../../../client/testing/server';
import { runCommandIn, type CommandRun } from '../../testing/run';
import { explained } from './session';

const run = (url: string, ...args: string[]): Promise<CommandRun> =>
  runCommandIn({ TIEOUT_URL: url, TIEOUT_KEY: 'k', TIEOUT_PROFILES: '/none.json' }, ...args);

describe('a service that starts again', () => {
  let service: AnsweringServer;

  /** It answers as a proxy before it does: seven times that it is away. */
  beforeEach(async () => {
    const away = { status: 503, headers: { 'retry-after': '0' } };
    service = await serve(...Array.from({ length: 7 }, () => away), { json: { items: [] } });
  });

  afterEach(() => service.close());

  test.each([
    ['which is said once', [], /^tieout: http:\S+ answered 503; trying again, Ctrl-C ends it\n$/],
    ['which is not said beside JSON', ['--json'], /^$/],
  ])('is waited for, %s', async (_what, args, told) => {
    const { code, err } = await run(service.url, 'datasets', ...args);
    expect([code, err]).toEqual([0, expect.stringMatching(told)]);
  });

  test('is not waited for by the status', async () => {
    const { code } = await run(service.url, 'status');
    expect([code, service.received.length]).toEqual([2, 2]);
  });
});

test('without a service the address is named', async () => {
  const { code, err } = await run('http://127.0.0.1:9', 'status');
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /\ntieout: No answer from http:\S+: .+[^.]\. Is the service running, and --url its address\?\n$/,
    ),
  ]);
});

test('a server that is not Tieout is told with the option that gives another one', async () => {
  const service = await serve({ status: 404, json: {} });
  const { err } = await run(service.url, 'datasets').finally(service.close);
  expect(err).toMatch(/ is the address right\? Give the address of the service with --url\n$/);
});

const refused: Answer = {
  status: 401,
  json: { status: 'error', code: 'invalid_api_key', message: 'The API key expired at 12:00', request_id: 'r1' },
};

describe('a key that is refused', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tieout-key-'));
    for (const name of ['a.csv', 'b.csv']) await writeFile(at(name), 'no\n1\n');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each<[string, Record<string, string>, string[], string]>([
    ['the environment', { TIEOUT_KEY: 'k' }, [], 'It is that of TIEOUT_KEY; set that to another one'],
    ['the default profile', {}, [], 'It is that of the profile "default"; run tieout login with another one'],
    [
      'a profile',
      { TIEOUT_KEY: 'k' },
      ['--profile', 'uk'],
      'It is that of the profile "uk"; run tieout login --profile uk with another one',
    ],
  ])('is told with what mends it: the one of %s', async (_what, env, args, remedy) => {
    const service = await serve(refused);
    const profile = { url: service.url, key: 'k' };
    await writeFile(at('profiles.json'), JSON.stringify({ default: profile, uk: profile }));
    const told = { TIEOUT_URL: service.url, TIEOUT_PROFILES: at('profiles.json'), ...env };
    const { code, err } = await runCommandIn(told, 'datasets', ...args).finally(service.close);
    expect([code, err]).toEqual([2, `tieout: The API key expired at 12:00. ${remedy}\n`]);
  });

  test.each<[string, string[], (asked: string) => boolean, RegExp]>([
    [
      'an upload says what was uploaded before',
      ['upload', 'a.csv', 'b.csv'],
      (() => {
        let uploads = 0;
        return (asked) => asked.startsWith('POST /v1/data-sources/x1/files') && ++uploads > 1;
      })(),
      /^tieout: \S+b\.csv: The API key expired.*TIEOUT_KEY.*\n {2}a\.csv was uploaded before\n$/,
    ],
    [
      'a run says that it goes on',
      ['reconcile', 'Bank'],
      (asked) => asked.startsWith('GET /v1/matching-jobs'),
      /^tieout: The run x1 is begun and goes on, but its progress cannot be read: The API key expired.*TIEOUT_KEY/,
    ],
    [
      'a run says that it is completed',
      ['reconcile', 'Bank'],
      (asked) => asked.includes('/open-items'),
      /^tieout: The run is completed, but what is open cannot be read: The API key expired/,
    ],
    [
      'a new reconciliation says that it is made',
      ['reconciliations', 'create', 'Bank', '--rules', 'Bank'],
      (asked) => asked.startsWith('GET /v1/reconciliations/x1'),
      /^tieout: Bank is made and takes its records, but its progress cannot be read: The API key expired/,
    ],
  ])('in the middle of %s', async (_what, args, isRefused, told) => {
    const one = { id: 'x1', name: 'Bank', status: 'completed', originalName: 'a.csv', decision_counts: {} };
    const service = await serve(({ method, url }) => {
      const asked = `${method} ${url}`;
      if (isRefused(asked)) return refused;
      return { json: /^GET \/v1\/[a-z-]+(\?|$)/.test(asked) ? { items: [one] } : one };
    });
    const placed = args.map((arg) => (arg.endsWith('.csv') ? at(arg) : arg));
    const { code, err } = await run(service.url, ...placed).finally(service.close);
    expect([code, err]).toEqual([2, expect.stringMatching(told)]);
  });
});

test('rules that somebody has changed meanwhile are not overwritten', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tieout-rules-'));
  const file = path.join(folder, 'rules.yaml');
  const rules = ['name: Bank', 'left: Bank', 'right: Bank', 'jsonataExpr: left.no = right.no'];
  await writeFile(file, [...rules, 'params: { Tmatch: 1, Tpossible: 1 }'].join('\n'));
  const sides = { left_dataset_id: 'x1', right_dataset_id: 'x1', jsonata_expr: 'true', logic_json: null };
  const stored = { id: 'x1', name: 'Bank', version: 3, engine: 'jsonata', params: {}, ...sides };
  const conflict = { status: 409, json: { code: 'conflict', message: 'The rule set is at version 4, not 3' } };
  const service = await serve(({ method, url }) =>
    method === 'PATCH' ? conflict : { json: /s(\?|$)/.test(url) ? { items: [stored] } : stored },
  );
  const { code, err } = await run(service.url, 'rules', 'push', file).finally(service.close);
  await rm(folder, { recursive: true });
  expect([code, err]).toEqual([2, expect.stringContaining('somebody has changed "Bank" meanwhile; tieout rules diff')]);
  expect(JSON.parse(service.received.at(-1)?.body ?? '')).toMatchObject({ version: 3 });
});

test('a report that breaks off is told, and an earlier one stays', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tieout-report-'));
  const file = path.join(folder, 'report.csv');
  await writeFile(file, 'before');
  const service = await serve({ json: { items: [{ id: 'x1', name: 'Bank' }] } }, { breaksOff: true });
  const { code, err } = await run(service.url, 'report', 'Bank', '--out', file).finally(service.close);
  const told: unknown = expect.stringMatching(
    /^tieout: The report broke off before its end .*: run the command again\n$/,
  );
  expect([code, err, await readFile(file, 'utf8')]).toEqual([2, told, 'before']);
  await rm(folder, { recursive: true });
});

test('names that others have given send no commands to a terminal', async () => {
  const items = [{ name: 'red \u001b[31m and \u202ereversed', version: 1, engine: 'jsonata', id: 'r1' }];
  const service = await serve({ json: { items } });
  const { out } = await run(service.url, 'rules', 'list').finally(service.close);
  expect(out.split('\n')[1]).toMatch(/^red {2}\[31m and {2}reversed +1 {2}jsonata {2}r1$/);
});

test('a refusal names the command that lists the codes, not the request', () => {
  const message = '/reasonCode: is not a reason code: GET /v1/reason-codes lists them';
  expect(explained(new TieoutError(message, { status: 400, code: 'validation_error' })).message).toBe(
    '/reasonCode: is not a reason code: tieout reason-codes lists them',
  );
});
