import { readFile, stat, writeFile } from 'node:fs/promises';
import { createClient } from '@tieout/client';
import { fillItems, tenantScope } from '@tieout/domain';
import { eventually } from '../apps/api/testing';
import { runCommandIn } from '../packages/cli/testing/run';
import { useCommandLine } from './support/command-line';

const line = useCommandLine();
const { at, run, logIn } = line;

async function uploadBoth(): Promise<void> {
  await writeFile(at('ours.csv'), 'no,amount\n1,10.00\n2,20.00\n');
  await writeFile(at('theirs.csv'), 'no,amount\n1,10.00\n3,30.00\n');
  expect((await run('upload', at('ours.csv'), at('theirs.csv'))).code).toBe(0);
  await line.api.runIngest();
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
  const { code, err } = await run('login', '--url', line.api.url, '--key', 'nonsense');
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

test('a file that is uploaded again is stored once, unless that is asked for', async () => {
  await logIn();
  await writeFile(at('ours.csv'), 'no,amount\n1,10.00\n');
  const ids = [];
  for (const args of [[], [], ['--again']]) {
    const { out } = await run('upload', at('ours.csv'), '--json', ...args);
    ids.push((JSON.parse(out) as { id: string }[])[0]?.id);
  }
  expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false]);
});

test('an upload that is watched says why rows are refused and how many, and ends with 1', async () => {
  await logIn();
  const ragged = Array.from({ length: 7 }, (_, no) => `${no},1,2`);
  const whole = Array.from({ length: 30 }, (_, no) => `${100 + no},5.00`);
  await writeFile(at('ragged.csv'), ['no,amount', ...whole, ...ragged].join('\n'));
  expect((await run('upload', at('ragged.csv'))).code).toBe(0);
  await line.api.runIngest();
  const { out, code } = await run('upload', at('ragged.csv'), '--watch');
  const lines = out.trimEnd().split('\n').slice(2);
  expect(code).toBe(1);
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/^ragged\.csv: line 32: .+ \(too_many_columns\)$/);
  expect(lines[5]).toBe('ragged.csv: refused rows not shown: 2');
  const [file] = JSON.parse((await run('upload', at('ragged.csv'), '--watch', '--json')).out) as { errors: object[] }[];
  expect(file?.errors).toHaveLength(5);
});

test('an upload says how the option is given that settles what a file leaves in doubt', async () => {
  await logIn();
  await writeFile(at('days.csv'), 'no,day,amount\n1,01/02/2026,10.00\n2,03/04/2026,20.00\n');
  await run('upload', at('days.csv'));
  await line.api.runIngest();
  const { out } = await run('upload', at('days.csv'), '--watch');
  const told = 'It is read as no date. If that is wrong, add --read dateFormat=DD/MM/YYYY or dateFormat=MM/DD/YYYY';
  expect(out).toMatch(/^days\.csv: "01\/02\/2026" /m);
  expect(out).toContain(told);
  expect((await run('upload', at('days.csv'), '--read', 'dateFormat=DD/MM/YYYY')).code).toBe(0);
  await line.api.runIngest();
  expect((await run('upload', at('days.csv'), '--read', 'dateFormat=DD/MM/YYYY', '--watch')).out).not.toContain(
    '--read',
  );
  const wrong = await run('upload', at('days.csv'), '--read', 'replaces=yesterday');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^tieout: --read replaces: /)]);
});

test('a watched upload whose key ends on the way says that the file has arrived', async () => {
  await line.api.stopIngest();
  const { key } = await line.api.newTenant();
  await run('login', '--url', line.api.url, '--key', key);
  const tieout = createClient({ baseUrl: line.api.url, apiKey: key });
  await writeFile(at('ours.csv'), 'no,amount\n1,10.00\n');
  const watched = run('upload', at('ours.csv'), '--watch');
  const isThere = ({ length }: { length: number }): boolean => length > 0;
  const sources = await eventually(async () => (await tieout.listDataSources({})).items, isThere);
  const path = { id: sources[0]?.id ?? '' };
  await eventually(() => tieout.listFiles({ path }), isThere);
  await tieout.revokeApiKey({ path: { id: (await tieout.listApiKeys({})).items[0]?.id ?? '' } });
  const { err } = await watched;
  expect(err).toMatch(/ours\.csv was uploaded, but its progress cannot be read: .*tieout login/);
});

/** Stores a reconciliation of the uploaded files. */
async function reconcileBoth(name: string, keys: object = {}): Promise<string> {
  const { key } = (JSON.parse(await readFile(at('profiles.json'), 'utf8')) as { default: { key: string } }).default;
  const tieout = createClient({ baseUrl: line.api.url, apiKey: key });
  const datasets = (await tieout.listDatasets()).items;
  const idsOf = (dataset: string) => datasets.filter((one) => one.name === dataset).map(({ id }) => id);
  const ruleSetIds = (await tieout.listRuleSets()).items.map(({ id }) => id);
  const sides = { leftDatasetIds: idsOf('ours'), rightDatasetIds: idsOf('theirs') };
  return (await tieout.createReconciliation({ body: { name, ruleSetIds, ...sides, ...keys } })).id;
}

test('a report has the format that its file names, and says why it cannot be written', async () => {
  await logIn();
  await uploadBoth();
  await writeFile(at('rules.yaml'), `${rules}  assignment: one_to_one\n`);
  await run('rules', 'push', at('rules.yaml'));
  await reconcileBoth('Bank');
  const report = async (name: string, ...args: string[]) => run('report', 'Bank', '--out', at(name), ...args);
  const written: [string, string[], RegExp][] = [
    ['report.csv', [], /^[^P{][^{]/],
    ['report.JSON', [], /^\{/],
    ['report.xlsx', [], /^PK/],
    ['report.txt', ['--format', 'json'], /^\{/],
  ];
  for (const [name, args, start] of written) {
    expect(await report(name, ...args)).toMatchObject({ code: 0, out: `${at(name)}: written\n` });
    expect(await readFile(at(name), 'latin1')).toMatch(start);
  }
  const refused = [
    ['report.doc', 'use .csv, .xlsx or .json, or add --format'],
    ['none/report.xlsx', 'report.xlsx: cannot be written (there is no folder'],
  ] as const;
  for (const [name, message] of refused)
    expect(await report(name)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('a reconciliation is made of its rules, and what its run leaves is tied by hand with the reason', async () => {
  const scope = tenantScope(line.api.service.deps, await logIn());
  await uploadBoth();
  await writeFile(at('rules.yaml'), `${rules}  assignment: one_to_one\n`);
  await run('rules', 'push', at('rules.yaml'));
  const making = run('reconciliations', 'create', 'Bank', '--rules', 'by number', '--date-right', 'booked');
  const list = () => run('reconciliations', 'list');
  const { out: filling } = await eventually(list, ({ out }) => out.includes('filling'));
  await fillItems(scope, /\S+$/.exec(filling.trimEnd())?.[0] ?? '');
  expect((await making).out).toContain('run it with tieout reconcile');
  expect((await list()).out).toMatch(/\nBank {2}ready {3}none /);
  const [bank] = JSON.parse((await run('reconciliations', 'list', '--json')).out) as object[];
  expect(bank).toMatchObject({ amount_key_right: 'amount', date_key_left: 'date', date_key_right: 'booked' });
  const { out, code } = await run('open-items', 'Bank', '--json');
  const items = JSON.parse(out) as { record_id: string; record: { no: string } }[];
  const idOf = (no: string): string => items.find(({ record }) => record.no === no)?.record_id ?? '';
  expect([code, items.length]).toEqual([1, 4]);
  const ids = ['--left', `${idOf('2')}=15`, '--right', idOf('3')];
  const wrong = await run('match', 'Bank', ...ids, '--adjust', 'bank_fee');
  expect([wrong.code, wrong.err]).toEqual([
    2,
    'tieout: --adjust: "bank_fee" does not end with an amount; write it like bank_fee=1.50\n',
  ]);
  const named = await run('match', 'Bank', '--left', '2', '--right', '3');
  expect([named.code, named.err]).toEqual([
    2,
    'tieout: --left: "2" is no id of a record; tieout open-items lists them\n',
  ]);
  const open = await run('match', 'Bank', ...ids);
  expect([open.code, open.err]).toEqual([2, expect.stringContaining('Add an adjustment of 15')]);
  const matched = await run('match', 'Bank', ...ids, '--adjust', 'bank_fee=16.50', '--adjust', 'rounding=-1.50');
  expect([matched.err, matched.out]).toEqual(['', expect.stringMatching(/^Match group .+: difference 0\n$/)]);
  expect((await run('open-items', 'Bank', '--side', 'left')).out).toMatch(/ 5 .* 2 20$/m);
  expect((await run('reason-codes')).out).toMatch(/^bank_fee +Bank fee$/im);
});

test('a month is proved by its balances, closed with them, and opened again', async () => {
  const scope = tenantScope(line.api.service.deps, await logIn());
  await writeFile(at('ours.csv'), 'no,amount,date\n1,10.00,2026-03-02\n2,20.00,2026-03-03\n');
  await writeFile(at('theirs.csv'), 'no,amount,date\n1,10.00,2026-03-02\n');
  await run('upload', at('ours.csv'), at('theirs.csv'));
  await line.api.runIngest();
  await writeFile(at('rules.yaml'), `${rules}  assignment: one_to_one\n`);
  await run('rules', 'push', at('rules.yaml'));
  await fillItems(scope, await reconcileBoth('Bank', { dateKeyLeft: 'date', dateKeyRight: 'date' }));
  await line.api.startMatching();
  expect((await run('reconcile', 'Bank')).out).toMatch(/^MATCH +1$/m);
  expect((await run('summary', 'Bank', '--period', '2026-03')).out).toContain(
    'Not proved: no balance of the left side',
  );
  const balance = (side: string, amount: string, ...args: string[]) =>
    run('balance', 'Bank', amount, '--side', side, '--date', '2026-03-31', ...args);
  expect((await balance('left', 'much')).code).toBe(2);
  expect((await balance('left', '130')).out).toBe('The balance of the left side on 2026-03-31 is 130\n');
  await balance('right', '105');
  const open = await run('summary', 'Bank', '--period', '2026-03');
  expect([open.code, open.out]).toEqual([1, expect.stringMatching(/^open +left +1 +20$[^]*, 5 unexplained$/m)]);
  await balance('right', '110');
  const closed = await run('close', 'Bank', '2026-03', '--note', 'March');
  expect([closed.err, closed.out]).toEqual([
    '',
    expect.stringMatching(/^2026-03 is closed: certificate \S+\n\nProved: balances of 130 and 110 until 2026-03-31, 0/),
  ]);
  expect((await run('close', 'Bank', '2026-03')).code).toBe(2);
  expect((await run('reopen', 'Bank', '2026-03', '--reason', 'late')).out).toBe('Open again: 2026-03\n');
});

test('the status says for whom the service answers, to people and as JSON', async () => {
  const { tenantId: id, key } = await line.api.newTenant();
  const asked = { ...line.env, TIEOUT_URL: line.api.url };
  const { out } = await runCommandIn({ ...asked, TIEOUT_KEY: key }, 'status');
  expect(out).toMatch(new RegExp(`^${line.api.url} answers\\nkey .+\\ntenant .+ \\(${id}\\)\\nscopes  all that `));
  const json = await runCommandIn({ ...asked, TIEOUT_KEY: key }, 'status', '--json');
  expect(JSON.parse(json.out)).toMatchObject({ url: line.api.url, me: { kind: 'key', tenant: { id } } });
});

test('the platform key names the tenant, once for a profile or for a command', async () => {
  const { tenantId: id } = await line.api.newTenant();
  const key = line.api.platformKey;
  const { code, err } = await run('login', '--url', line.api.url, '--key', key);
  expect([code, err]).toEqual([2, expect.stringContaining('give its id with --tenant')]);
  expect((await run('login', '--url', line.api.url, '--key', key, '--tenant', id)).code).toBe(0);
  expect((await run('status')).out).toContain(`(${id})`);
  const asked = { ...line.env, TIEOUT_URL: line.api.url, TIEOUT_KEY: key, TIEOUT_PROFILE: 'none' };
  expect((await runCommandIn(asked, 'datasets', '--tenant', id)).code).toBe(0);
  expect((await runCommandIn({ ...asked, TIEOUT_TENANT: id }, 'datasets')).code).toBe(0);
});

test.each([
  ['', 'There is no key: run tieout login'],
  ['ключ', 'The API key cannot be sent: no header can hold its character 1'],
])('the key %j of the environment is told as what it is', async (key, message) => {
  const { code, err } = await runCommandIn({ ...line.env, TIEOUT_URL: line.api.url, TIEOUT_KEY: key }, 'datasets');
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('a key that no longer works is told with its remedy', async () => {
  const { key } = await line.api.newTenant();
  const settings = { ...line.env, TIEOUT_URL: line.api.url, TIEOUT_KEY: `${key.slice(0, -4)}0000` };
  const { code, err } = await runCommandIn(settings, 'datasets');
  expect([code, err]).toEqual([2, expect.stringContaining('It is that of TIEOUT_KEY; set that to another one')]);
  const json = await runCommandIn(settings, 'datasets', '--json');
  const told = { status: 401, code: 'invalid_api_key', request_id: expect.stringMatching(/./) as string };
  expect(JSON.parse(json.err)).toMatchObject({ error: told });
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
  const own = `# mine\n${rules.replace('engine: jsonata\n', '')}`;
  await writeFile(at('pulled.yaml'), own);
  const same = await run('rules', 'pull', 'by number', at('pulled.yaml'));
  expect([same.out, await readFile(at('pulled.yaml'), 'utf8')]).toEqual([`${at('pulled.yaml')}: No difference\n`, own]);
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
});

test('rules without datasets, which only compare can use, have no difference to show', async () => {
  await logIn();
  await writeFile(at('rules.yaml'), rules.replace(/^(left|right): .*\n/gm, ''));
  for (const args of [['diff'], ['push'], ['push', '--dry-run']])
    expect(await run('rules', ...args, at('rules.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('/left and /right are required') as string,
    });
});

test('a preview shows the best pairs first by what they hold, and why pairs fail', async () => {
  await logIn();
  await uploadBoth();
  await writeFile(at('rules.yaml'), rules);
  const preview = (...args: string[]) => run('rules', 'preview', at('rules.yaml'), ...args);
  const { out } = await preview('--limit', '2');
  expect(out.split('\n').slice(0, 5)).toEqual([
    'decision  score  left  right',
    'MATCH     1.000  1 10  1 10',
    expect.stringMatching(/^NO_MATCH {2}0\.000 {2}\d \d/),
    '',
    'Scored 4 pairs: 1 MATCH, 3 NO_MATCH',
  ]);
  expect((JSON.parse((await preview('--json')).out) as { results: unknown[] }).results).toHaveLength(4);
  await writeFile(at('rules.yaml'), rules.replace('left.no =', '$error("no number") ='));
  expect((await preview()).out).toMatch(/\nFailed on 4 pairs: jsonataExpr: no number\n$/);
});

test('a name that nothing has is answered with those that are like it', async () => {
  await logIn();
  await uploadBoth();
  const { code, err } = await run('records', 'our');
  expect([code, err]).toEqual([2, expect.stringContaining('there is "ours"')]);
});
