import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..');

interface Verdict {
  available: boolean;
  faults: string[];
  notes: string[];
}

/** Runs a function of the script, which is an ES module, on JSON. */
function call<T>(name: 'judge' | 'checkExceptions', ...parameters: unknown[]): T {
  const code = `
    import { ${name} } from './scripts/audit.mjs';
    console.log(JSON.stringify(${name}(...${JSON.stringify(parameters)})));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const today = '2026-06-30';
const judge = (report: object, exceptions: object[] = []): Verdict => call('judge', report, exceptions, today);

const advisory = (severity: string, id = 'GHSA-aaaa-bbbb-cccc') => ({
  source: 1,
  name: 'left-pad',
  title: 'Pads to the right',
  url: `https://github.com/advisories/${id}`,
  severity,
  range: '<2.0.0',
});
const report = (...via: object[]) => ({
  vulnerabilities: { 'left-pad': { via }, pads: { via: ['left-pad', ...via] } },
});
const exception = { advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'pads nothing of ours', until: today };

test.each([
  ['nothing', report(), [], 0],
  ['a moderate one', report(advisory('moderate')), [], 0],
  ['a high one', report(advisory('high')), [], 1],
  ['a critical one', report(advisory('critical')), [], 1],
  ['two', report(advisory('high'), advisory('high', 'GHSA-dddd-eeee-ffff')), [], 2],
  ['an excepted one, on its last day', report(advisory('high')), [exception], 0],
  ['one whose exception has ended', report(advisory('high')), [{ ...exception, until: '2026-06-29' }], 1],
  ['another one than the excepted', report(advisory('high', 'GHSA-dddd-eeee-ffff')), [exception], 1],
  ['an audit that failed', { message: 'connection reset', error: { summary: '' } }, [], 1],
])('%s: the faults are counted', (_, found, exceptions, faults) => {
  expect(judge(found, exceptions).faults).toHaveLength(faults);
});

test('a registry without audits is reported: nothing was checked', () => {
  expect(judge({ statusCode: 405, message: 'Method Not Allowed', error: {} })).toEqual({
    available: false,
    faults: [],
    notes: [expect.stringContaining('not available at this registry')],
  });
});

test('an unused exception is reported', () => {
  expect(judge(report(), [exception]).notes).toEqual([expect.stringContaining('remove it')]);
});

test.each([
  { ...exception, reason: '' },
  { ...exception, until: 'later' },
  { reason: 'x', until: today },
])('%j is refused: an exception has a reason and an end', (one) => {
  expect(() => call('checkExceptions', [one])).toThrow(/needs advisory, reason and until/);
});
