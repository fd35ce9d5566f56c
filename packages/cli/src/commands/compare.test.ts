import { link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand, runCommandIn, runCommandWith } from '../../testing/run';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-cli-'));
  await writeFile(at('left.csv'), 'no,amount\n1,10.00\n2,20.00\n');
  await writeFile(at('same.csv'), 'no;amount\n2;20,00\n1;10,00\n');
  await writeFile(at('other.csv'), 'no,amount\n1,10.00\n3,\u001b[31m=1+1\n');
  await link(at('left.csv'), at('link.csv'));
  await writeFile(at('empty.csv'), '');
  await writeFile(at('rules.yaml'), 'jsonataExpr: left.no = right.no\nparams: { Tmatch: 1, Tpossible: 1 }\n');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string): string => path.join(directory, name);
const compare = (left: string, right: string, ...args: string[]) =>
  runCommand('compare', at(left), at(right), '--rules', at('rules.yaml'), ...args);

test('the exit code is 0 where everything is tied', async () => {
  const { code, out } = await compare('left.csv', 'same.csv');
  expect([code, out]).toEqual([0, expect.stringContaining('Tied: nothing is open.')]);
});

test('the exit code is 1 where something is open, and what is open is shown', async () => {
  const { code, out } = await compare('left.csv', 'other.csv');
  expect([code, out]).toEqual([1, expect.stringContaining('Open in')]);
});

test('without rules and without records of a side, all of the other is open', async () => {
  await writeFile(at('header.csv'), 'no,amount\n');
  await writeFile(at('none.csv'), 'number,total\n');
  const run = (...names: string[]) => runCommand('compare', ...names.map(at), '--format', 'csv');
  expect(await run('header.csv', 'left.csv')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^open,,,no_candidate,,2,[^]*^open,,,no_candidate,,3,/m) as string,
  });
  expect((await run('left.csv', 'header.csv')).code).toBe(1);
  expect((await run('header.csv', 'none.csv')).code).toBe(0);
  const { out } = await runCommand('compare', at('header.csv'), at('left.csv'));
  expect(out).toContain('Rules  none, as header.csv has no records');
  const kept = await runCommand('compare', at('header.csv'), at('left.csv'), '--suggest', at('learnt.yaml'));
  expect([kept.code, kept.err]).toEqual([2, expect.stringContaining('leave it out')]);
});

test('when there are many columns, those in which the open records differ are shown', async () => {
  const fixed = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const row = (no: number): string => [...fixed.map(() => 'same'), '', no, `text ${no}`].join(',');
  await writeFile(at('wide.csv'), [[...fixed, 'empty', 'no', 'text'].join(','), row(7), row(8)].join('\n'));
  const { out } = await compare('left.csv', 'wide.csv');
  expect(out).toMatch(/^line +reason +a +b +c +d +no +text$/m);
});

test('of one open record, the fields that the rules read are shown, whatever comes before them', async () => {
  const fixed = ['a', 'b', 'c', 'd', 'e', 'f'];
  const row = [...fixed, 7, 5].join(',');
  await writeFile(at('wide.csv'), [[...fixed.map((name) => `${name}1`), 'no', 'amount'].join(','), row].join('\n'));
  const { out } = await compare('left.csv', 'wide.csv');
  expect(out).toMatch(/^line +reason +a1 +b1 +c1 +d1 +no +amount$/m);
});

test('of open bank transactions, what learnt rules read is shown before what tells nothing of them', async () => {
  const lines = Array.from({ length: 60 }, (_, no) => [`INV-${1000 + no * 7}`, `${(no * 13) % 97}.${10 + (no % 80)}`]);
  const head = ['account', 'bank', 'booked', 'status', 'batch', 'number', 'total', 'text'];
  const rows = lines.map(([no, total], at) => [
    'DE1',
    'B',
    `2026-03-0${1 + (at % 9)}`,
    'BOOK',
    `N${at}`,
    at,
    total,
    no,
  ]);
  await writeFile(at('bank.csv'), [head, ...rows].map((row) => row.join()).join('\n'));
  await writeFile(at('ours.csv'), ['no,amount', ...lines.slice(1).map((row) => row.join())].join('\n'));
  const { out } = await runCommand('compare', at('ours.csv'), at('bank.csv'));
  expect(out).toMatch(/^Open in .*bank\.csv\nline +reason .* total +text$/m);
});

test('a format that contradicts the extension of the output file is refused', async () => {
  const { code, err } = await compare('left.csv', 'other.csv', '--out', at('result.xlsx'), '--json');
  expect([code, err]).toEqual([2, expect.stringContaining('name a file that ends in .json')]);
  await compare('left.csv', 'other.csv', '--out', at('result.txt'), '--json');
  expect(JSON.parse(await readFile(at('result.txt'), 'utf8'))).toHaveProperty('summary');
});

test('a file that --suggest has taken for its own is named where one is missing', async () => {
  const { code, err } = await runCommand('compare', '--suggest', 'left.csv', 'other.csv');
  expect([code, err]).toEqual([2, expect.stringContaining('--suggest took left.csv as the file for the rules')]);
});

test.each([
  [
    'of few records no share of right matches is promised',
    12,
    'note: A side has 12 records',
    'of the matches to be right',
  ],
  ['of many, none of all', 400, 'over 99.9 % of the right ones to be found', ' 100.0 %'],
])('%s', async (_what, count, told, untold) => {
  const rowsOf = (names: string, text: string): string =>
    [
      names,
      ...Array.from({ length: count }, (_, no) => `INV-${7000 + 13 * no},${(no * 17.31 + 5).toFixed(2)},${text}`),
    ].join('\n');
  await writeFile(at('ours.csv'), rowsOf('number,total,what', 'invoice'));
  await writeFile(at('theirs.csv'), rowsOf('reference,amount,how', 'payment'));
  const { out } = await runCommand('compare', at('ours.csv'), at('theirs.csv'));
  expect(out).toContain(told);
  expect(out).not.toContain(untold);
});

test('what a file leaves in doubt is told with the option that settles it', async () => {
  await writeFile(at('titled.csv'), 'Account:,DE12\nFrom:,2025\n\nno,amount,text\n1,10.00,a\n2,20.00,b\n3,30.00,c\n');
  const { out } = await compare('left.csv', 'titled.csv');
  expect(out).toContain('as the names of the columns. If that is wrong, add --right-read headerRow=…');
  expect(out).not.toMatch(/upload/i);
});

test('texts of records send no commands to a terminal', async () => {
  const { out } = await compare('left.csv', 'other.csv');
  expect(out).not.toContain('\u001b');
});

test('a file comes from the standard input', async () => {
  const input = 'no;amount\n2;20,00\n1;10,00\n';
  const args = ['compare', at('left.csv'), '-', '--rules', at('rules.yaml')];
  const { code, out } = await runCommandWith({ input }, ...args);
  expect([code, out]).toEqual([0, expect.stringContaining('Right  standard input (csv, 2 records)')]);
});

test.each([
  ['a reader that leaves', 'EPIPE', 141, ''],
  ['a full disk', 'ENOSPC', 2, 'tieout: the output cannot be written (ENOSPC)\n'],
])('%s gives no exit code of a result, and no stack', async (_what, outFault, code, err) => {
  for (const format of ['table', 'csv', 'json'])
    for (const right of ['same.csv', 'other.csv']) {
      const args = ['compare', at('left.csv'), at(right), '--rules', at('rules.yaml'), '--format', format];
      expect(await runCommandWith({ outFault }, ...args)).toMatchObject({ code, err });
    }
});

test('with --json a full disk is told as JSON', async () => {
  const args = ['compare', at('left.csv'), at('same.csv'), '--rules', at('rules.yaml'), '--json'];
  const { code, err } = await runCommandWith({ outFault: 'ENOSPC' }, ...args);
  const error = { message: 'the output cannot be written (ENOSPC)', details: [] };
  expect([code, JSON.parse(err)]).toEqual([2, { error }]);
});

test('with --json an error is JSON too', async () => {
  const { code, err } = await runCommand('compare', at('none.csv'), at('left.csv'), '--json');
  const message: unknown = expect.stringContaining('there is no such file');
  expect([code, JSON.parse(err)]).toEqual([2, { error: { message, details: [] } }]);
});

test.each([
  [['compare', 'left.csv'], "missing required argument 'right'"],
  [['compare', 'left.csv', 'same.csv', '--format', 'pdf'], "argument 'pdf' is invalid"],
  [['compar'], "unknown command 'compar'"],
])('with --json a line that is not understood is told as JSON: %j', async (args, message) => {
  const { code, err } = await runCommand(...args, '--json');
  const { error } = JSON.parse(err) as { error: { message: string } };
  expect([code, error.message]).toEqual([2, expect.stringContaining(message)]);
});

test.each(['csv', 'xlsx', 'json'])('the whole result is written as %s', async (format) => {
  const file = at(`result.${format}`);
  expect((await compare('left.csv', 'other.csv', '--out', file)).code).toBe(1);
  const bytes = await readFile(file);
  if (format === 'xlsx') expect(bytes.subarray(0, 2).toString()).toBe('PK');
  if (format === 'json') expect((JSON.parse(bytes.toString()) as { matches: unknown[] }).matches).toHaveLength(1);
  if (format === 'csv')
    expect(bytes.toString().split('\r\n')).toEqual([
      'status,group,score,note,left_line,right_line,left.no,left.amount,right.no,right.amount',
      'match,,1,,2,2,1,10,1,10.00',
      'open,,,below_threshold,3,,2,20,,',
      expect.stringMatching(/^open,,,below_threshold,,3,,,3,/),
      '',
    ]);
});

test('where the standard input has no room for its copy, the folder is named', async () => {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = at('none');
  try {
    const { code, err } = await runCommandWith({ input: 'no,amount\n1,1\n' }, 'compare', at('left.csv'), '-');
    expect([code, err]).toEqual([2, expect.stringContaining(`its copy in ${at('none')} cannot be written (ENOENT)`)]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test.each(['csv', 'json', 'table'])('--out - writes %s to the standard output', async (format) => {
  const printed = await compare('left.csv', 'other.csv', '--format', format);
  expect(await compare('left.csv', 'other.csv', '--format', format, '--out', '-')).toEqual(printed);
});

test('an amount that does not fit the decimals of the others is open with its reason', async () => {
  await writeFile(at('large.csv'), 'no,amount\n1,90071992547409.91\n');
  await writeFile(at('fine.csv'), 'no,amount\n1,0.001\n');
  await writeFile(
    at('rules.yaml'),
    'jsonataExpr: "true"\nparams: { Tmatch: 1, Tpossible: 1, blocking: { amountKey: amount } }\n',
  );
  const { out } = await compare('large.csv', 'fine.csv', '--format', 'csv');
  expect(out).toContain('open,,,unblocked: amount_out_of_range,2,');
});

test('rules are learnt where there are none, kept where that is asked for, and give the same again', async () => {
  const lines = Array.from({ length: 60 }, (_, no) => `INV-${1000 + no * 7},${(no * 13) % 97}.${10 + (no % 80)}`);
  await writeFile(at('a.csv'), ['number,amount', ...lines].join('\n'));
  await writeFile(at('b.csv'), ['reference,total', ...lines.reverse()].join('\n'));
  const learnt = await runCommand('compare', at('a.csv'), at('b.csv'), '--suggest', at('learnt.yaml'), '--json');
  const again = await runCommand('compare', at('a.csv'), at('b.csv'), '--rules', at('learnt.yaml'), '--json');
  const decisions = (text: string): unknown =>
    (JSON.parse(text) as { summary: { decisions: unknown } }).summary.decisions;
  expect(decisions(again.out)).toEqual(decisions(learnt.out));
  expect((await runCommand('compare', at('a.csv'), at('b.csv'), '--suggest', at('learnt.yaml'))).err).toContain(
    'is kept',
  );
});

test('a column says once what it says, however its header is written', async () => {
  const lines = Array.from({ length: 60 }, (_, no) => `INV-${1000 + no * 7},${(no * 13) % 97}.${10 + (no % 80)}`);
  await writeFile(at('b.csv'), ['reference,total', ...lines].join('\n'));
  const learnt = async (header: string): Promise<unknown> => {
    await writeFile(at('a.csv'), [header, ...lines].join('\n'));
    const { out } = await runCommand('compare', at('a.csv'), at('b.csv'), '--json');
    return (JSON.parse(out) as { rules: { ruleSet: unknown } }).rules.ruleSet;
  };
  expect(await learnt('Number,Amount')).toEqual(await learnt('number,amount'));
});

describe('files that teach nothing', () => {
  const write = async (name: string, ...lines: string[]): Promise<string> => {
    await writeFile(at(name), lines.join('\n'));
    return at(name);
  };

  test('are paired by equal amounts while they are small, which is said and can be kept', async () => {
    const left = await write('bank.csv', 'day,amount,text', '2026-03-03,12.00,NORDWIND', '2026-03-10,47.50,CAFE');
    const right = await write('ledger.csv', 'due,total,customer', '2026-03-05,48.00,Lumière', '2026-03-01,12.00,Nord');
    const { code, out } = await runCommand('compare', left, right, '--suggest', at('plain.yaml'));
    expect([code, out]).toEqual([1, expect.stringContaining('pairs of equal amounts, left.amount and right.total: ')]);
    expect(out).toContain('1 pair matched');
    const again = await runCommand('compare', left, right, '--rules', at('plain.yaml'));
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('1 pair matched')]);
  });

  test('and whose rules would be wrong more often than right tie nothing by them', async () => {
    const left = await write('sold.csv', 'number,customer,total', 'INV-1,Nordwind,1200.50', 'INV-2,Lumière,89.90');
    const right = await write('other.csv', 'a,b', '1,x', '2,y');
    expect(await runCommand('compare', left, right)).toMatchObject({
      code: 2,
      err: expect.stringContaining('wrong more often than right') as string,
    });
  });

  test('and have no amounts are answered with a rule file that works', async () => {
    const left = await write('towns.csv', 'town', 'Oslo', 'Rome');
    const right = await write('lands.csv', 'my land', 'Norway', 'Italy');
    const { code, err } = await runCommand('compare', left, right);
    expect([code, err]).toEqual([2, expect.stringContaining('No rules can be learnt from these files')]);
    const shown = [...err.matchAll(/^ {4}(\w+: .*)$/gm)].map(([, line = '']) => line);
    const rules = await write('shown.yaml', ...shown);
    expect(await runCommand('compare', left, right, '--rules', rules)).toMatchObject({ code: 1, err: '' });
  });
});

test.each<[string, string[], string | RegExp]>([
  ['a missing file', ['compare', 'none.csv', 'left.csv'], 'there is no such file'],
  ['an unknown option of reading', ['compare', 'left.csv', 'same.csv', '--read', 'x=1'], 'write option=value'],
  ['a wrong value of an option', ['compare', 'left.csv', 'same.csv', '--read', 'delimiter=ab'], 'give one character'],
  [
    'rules and suggested ones',
    ['compare', 'left.csv', 'same.csv', '--rules', 'rules.yaml', '--suggest'],
    'one of the two',
  ],
  ['a result over a source', ['compare', 'left.csv', 'same.csv', '--out', 'left.csv'], 'name another file for --out'],
  [
    'a result over a source by its second name',
    ['compare', 'left.csv', 'same.csv', '--out', 'link.csv'],
    'name another file for --out',
  ],
  [
    'a result over the rules that are kept',
    ['compare', 'left.csv', 'same.csv', '--out', 'both.csv', '--suggest', 'both.csv'],
    'name another file for --suggest',
  ],
  [
    'a result that is a folder',
    ['compare', 'left.csv', 'same.csv', '--rules', 'rules.yaml', '--format', 'csv', '--out', '.'],
    'it is a folder; name a file in it',
  ],
  [
    'a result in a missing folder',
    ['compare', 'left.csv', 'same.csv', '--rules', 'rules.yaml', '--out', 'no/a.csv'],
    /a\.csv: cannot be written \(there is no folder .*no; make it, or name another\)/,
  ],
  [
    'suggested rules in a missing folder',
    ['compare', 'left.csv', 'same.csv', '--suggest', 'no/r.yaml'],
    /r\.yaml: cannot be written \(there is no folder/,
  ],
  ['suggested rules on the output', ['compare', 'left.csv', 'same.csv', '--suggest', '-'], '- is not a file'],
  ['an unknown ending', ['compare', 'left.csv', 'same.csv', '--out', 'result.txt'], 'use .csv, .xlsx or .json'],
  ['one file twice', ['compare', 'left.csv', 'left.csv'], 'are one file'],
  ['one file by two names', ['compare', 'left.csv', 'link.csv'], 'are one file'],
  ['the standard input twice', ['compare', '-', '-'], 'Only one of LEFT and RIGHT'],
  ['an empty file', ['compare', 'left.csv', 'empty.csv'], 'empty.csv: The file is empty. Use a file with a header'],
  ['a folder', ['compare', '.', 'left.csv'], 'is not a file but a folder'],
  ['a folder of rules', ['compare', 'left.csv', 'same.csv', '--rules', '.'], 'is not a file but a folder'],
  [
    'rules in a place that cannot be read',
    ['compare', 'left.csv', 'same.csv', '--suggest', 'left.csv/rules.yaml'],
    'rules.yaml: it cannot be read (ENOTDIR)',
  ],
  ['a missing argument', ['compare', 'left.csv'], "missing required argument 'right'"],
  ['an unknown command', ['reconcil'], 'Did you mean reconcile'],
])('%s is told with its remedy, without a stack', async (_what, [command = '', ...args], message) => {
  const placed = args.map((arg) => (/^([\w.]+\/)?\w+\.\w+$|^\.$/.test(arg) ? at(arg) : arg));
  const { code, err } = await runCommand(command, ...placed);
  const said: unknown = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  expect([code, err]).toEqual([2, said]);
  expect(err).not.toMatch(/\n\s+at /);
});

test('--help says which options a command needs', async () => {
  const { out } = await runCommand('release', '--help');
  expect(out).toMatch(/--reason <code> .*\(required\)/);
  expect((await runCommand('compare', '--help')).out).not.toContain('[]');
});

test.each([
  [{ TIEOUT_URL: 'foo' }, [], 'TIEOUT_URL: "foo" is not an address; write it like http://localhost:3000'],
  [{}, ['--url', 'localhost:3000'], '--url: "localhost:3000" is not an address'],
])('an address that is none is told by where it stands: %j %j', async (env, args, message) => {
  const { code, err } = await runCommandIn({ ...env, TIEOUT_KEY: 'k' }, 'datasets', ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test.each<[string, string]>([
  ['params: {Tmatch: 1}', '/params/Tpossible is required'],
  ['params: {Tmatch: 1, Tpossible: 2}\njsonataExpr: "true"', '/params/Tpossible must be <= Tmatch'],
  ['params: {Tmatch: 1, Tpossible: 1}\njsonataExpr: "left.a ="', '/jsonataExpr'],
  ['params: {Tmatch: "1", Tpossible: 1}', '/params/Tmatch must be a number'],
  ['params: {Tmatch: 1, Tpossible: 1, blockin: {}}', '/params/blockin is not known; known are'],
  ['params: [', 'rules.yaml'],
  ['a: &x [*x]', 'rules.yaml'],
  ['params: {Tmatch: 1, Tpossible: 1}\njsonataExpr: left.no = "M\u00fcller"', 'is not UTF-8; save it in that encoding'],
  ['7', '/ must be an object'],
])('the rule set %j is refused with the place of its fault, told once', async (text, message) => {
  await writeFile(at('rules.yaml'), text, 'latin1');
  const { code, err } = await compare('left.csv', 'same.csv');
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(err.match(/\(position/g) ?? []).toHaveLength(text.includes('left.a =') ? 1 : 0);
});

test('a composition whose amount no column is names the parameter for a field of one side', async () => {
  const params = 'params: { Tmatch: 1, Tpossible: 1, composition: { enabled: true } }';
  await writeFile(at('rules.yaml'), `jsonataExpr: left.no = right.no\n${params}\n`);
  await writeFile(at('sums.csv'), 'no,sum\n1,10.00\n');
  const { out } = await compare('left.csv', 'sums.csv');
  expect(out).toContain(
    'reads "amount", which is not a column; params.blocking.amountKeyRight names that of this side',
  );
});
