import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve, type Answer } from '../../../client/testing/server';
import { runCommandIn } from '../../testing/run';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-places-'));
  await writeFile(
    path.join(directory, 'r.yaml'),
    'name: R\nleft: ours\nright: theirs\njsonataExpr: "true"\nparams: {Tmatch: 1, Tpossible: 1}\n',
  );
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const listOf = (...items: object[]): Answer => ({ json: { items, next_cursor: null, total: 1, page: 1, limit: 100 } });
const books = listOf({ id: 'n1', name: 'Bank' });
const ruleSets = listOf({ id: 'r1', name: 'R', left_dataset_id: 'd1', right_dataset_id: 'd2', params: {} });
const datasets = listOf({ id: 'd1', name: 'ours' }, { id: 'd2', name: 'theirs' });
const [one, other] = ['01994e70-2b30-7c51-9c11-2f4e6a8b0c3d', '01994e70-2b30-7c51-9c11-2f4e6a8b0c3e'];

interface Case {
  args: string[];
  /** The answers of the service before it refuses. */
  before: Answer[];
  fault: [path: string, message: string];
  told: string;
}

const cases: [string, Case][] = [
  [
    'a rule set of a new reconciliation',
    {
      args: ['reconciliations', 'create', 'Bank', '--rules', 'R'],
      before: [ruleSets],
      fault: ['/ruleSetIds/0', 'rule set R (r1): params.assignment must be one_to_one'],
      told: '--rules R: rule set R (r1): params.assignment must be one_to_one',
    },
  ],
  [
    'its key',
    {
      args: ['reconciliations', 'create', 'Bank', '--rules', 'R', '--amount-left', 'sum'],
      before: [ruleSets],
      fault: ['/amountKeyRight', 'must be given for both sides'],
      told: '--amount-right: must be given for both sides',
    },
  ],
  [
    'a record to match',
    {
      args: ['match', 'Bank', '--left', `${one}=5.00`, '--right', other],
      before: [books],
      fault: ['/left/0/amount', 'is more than remains'],
      told: `--left ${one}=5.00: is more than remains`,
    },
  ],
  [
    'a whole side',
    {
      args: ['match', 'Bank', '--left', one, '--right', other],
      before: [books],
      fault: ['/right', 'has too many records'],
      told: '--right: has too many records',
    },
  ],
  [
    'a reason',
    {
      args: ['release', one, '--reason', 'nonsense'],
      before: [],
      fault: ['/reasonCode', 'is not known'],
      told: '--reason: is not known',
    },
  ],
  [
    'a balance',
    {
      args: ['balance', 'Bank', '12.00', '--side', 'left', '--date', '2026-02-31'],
      before: [books],
      fault: ['/date', 'must be a day'],
      told: '--date: must be a day',
    },
  ],
  [
    'a month',
    {
      args: ['close', 'Bank', '2026-13'],
      before: [books],
      fault: ['/path/period', 'must be a month'],
      told: '<month>: must be a month',
    },
  ],
  [
    'a period',
    {
      args: ['summary', 'Bank', '--period', 'March'],
      before: [books],
      fault: ['/query/period', 'must be a month'],
      told: '--period: must be a month',
    },
  ],
  [
    'a part of a rule file',
    {
      args: ['rules', 'preview', 'r.yaml'],
      before: [datasets],
      fault: ['/ruleSet/params/Tmatch', 'must be less'],
      told: 'r.yaml: /params/Tmatch: must be less',
    },
  ],
  [
    'a dataset of a rule file',
    {
      args: ['rules', 'push', 'r.yaml'],
      before: [listOf(), datasets],
      fault: ['/leftDatasetId', 'is not a dataset of the left side'],
      told: 'r.yaml: /left: is not a dataset of the left side',
    },
  ],
];

interface Refusal {
  before: Answer[];
  message: string;
  errors: Answer['json'];
}

/** Runs a command whose last request the service refuses. Returns its exit code and what it says. */
async function runRefused(args: string[], { before, message, errors }: Refusal): Promise<[number, string]> {
  const json = { status: 'error', code: 'validation_error', message, request_id: 'r', errors };
  const service = await serve(...before, { status: 400, json });
  const env = { TIEOUT_URL: service.url, TIEOUT_KEY: 'k', TIEOUT_PROFILES: '/none.json' };
  const { code, err } = await runCommandIn(env, ...args).finally(service.close);
  return [code, err];
}

test.each(cases)('a refusal names what the person has given: %s', async (_what, { args, before, fault, told }) => {
  const [at, message] = fault;
  const given = args.map((arg) => (arg === 'r.yaml' ? path.join(directory, arg) : arg));
  const errors = [{ path: at, code: 'x', message }];
  const [code, err] = await runRefused(given, { before, message: `${at}: ${message}`, errors });
  expect([code, err.replaceAll(`${directory}/`, '')]).toEqual([2, `tieout: ${told}\n`]);
});

test('each of several faults is named', async () => {
  const errors = [
    { path: '/ruleSetIds/1', code: 'x', message: 'is given twice' },
    { path: '/timezone', code: 'x', message: 'is none' },
  ];
  const args = ['reconciliations', 'create', 'Bank', '--rules', 'R', 'r1'];
  const message = '/ruleSetIds/1: is given twice';
  const [, err] = await runRefused(args, { before: [ruleSets, ruleSets], message, errors });
  expect(err).toBe('tieout: --rules r1: is given twice\n  --rules r1 is given twice\n  /timezone is none\n');
});
