import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { normaliseInPlace, type FieldDefinition } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { createIsolatedNormaliser } from './isolated-normaliser';

// A thread loads JavaScript: the build output of this folder.
const threadFile = path.join(__dirname, '..', 'dist', 'normaliser-thread.js');

const normalise = createIsolatedNormaliser({
  heapMb: 64,
  logger: createLogger('test', 'silent'),
  recordTimeoutMs: 1_500,
  threadFile,
});

const field = (key: string, transformExpr: string | null): FieldDefinition => ({
  key,
  type: 'string',
  sourcePath: null,
  transformExpr,
  isIdentity: false,
});

test('results equal those in this process, in the order of the records', async () => {
  const fields = [field('upper', '$uppercase(name)'), field('name', null)];
  const records = Array.from({ length: 50 }, (_, i) => ({ name: i % 7 === 0 ? i : `name ${i}` }));
  expect(await normalise(fields, records)).toEqual(await normaliseInPlace(fields, records));
});

test('concurrent chunks get their own results', async () => {
  const chunk = (name: string): Promise<unknown> =>
    normalise(
      [field(name, `"${name} " & n`)],
      Array.from({ length: 200 }, (_, n) => ({ n })),
    );
  const names = ['a', 'b', 'c'];
  expect(await Promise.all(names.map(chunk))).toEqual(
    names.map((name) =>
      Array.from({ length: 200 }, (_, n) => ({ status: 'ready', fields: { [name]: `${name} ${n}` } })),
    ),
  );
});

/** Takes much time and little memory. */
const forking = '($f := function($n){ $n > 0 ? $f($n - 1) + $f($n - 1) : 1 }; $f(60))';

test('an expression that takes too long fails its own record, with field and reason, and no other', async () => {
  const withShortLimit = createIsolatedNormaliser({
    heapMb: 64,
    logger: createLogger('test', 'silent'),
    recordTimeoutMs: 1_500,
    threadFile,
  });
  const fields = [field('plain', null), field('slow', `slow ? ${forking} : "no"`)];
  const results = await withShortLimit(fields, [
    { slow: false },
    { slow: true },
    { slow: false },
    { slow: true },
    { slow: false },
  ]);
  expect(results.map((r) => r.status)).toEqual(['ready', 'failed', 'ready', 'failed', 'ready']);
  expect(results[1]).toMatchObject({ error: { field: 'slow', code: 'transform_timeout' } });
});

test.each([
  ['of the expression itself', 10_000],
  ['of its thread', 20],
])('after three records that exceed a limit %s, the rest of a chunk fails untried', async (_which, recordTimeoutMs) => {
  const withLimit = createIsolatedNormaliser({
    heapMb: 64,
    logger: createLogger('test', 'silent'),
    slowMs: 20,
    recordTimeoutMs,
    threadFile,
  });
  const results = await withLimit(
    [field('slow', forking)],
    Array.from({ length: 200 }, () => ({})),
  );
  expect(results).toHaveLength(200);
  expect(results.every((r) => r.status === 'failed' && r.error.field === 'slow')).toBe(true);
  const [tried, untried] = [results[2], results[3]].map((r) => (r?.status === 'failed' ? r.error.message : ''));
  expect(results.filter((r) => r.status === 'failed' && r.error.message.startsWith('not evaluated'))).toHaveLength(197);
  expect(untried).toContain(tried);
});

test('a time slice ends with the records done so far', async () => {
  const fields = [field('n', '$string($sum([1..n]))')];
  const records = Array.from({ length: 400 }, () => ({ n: 90_000 }));
  const slices: number[] = [];
  for (let at = 0; at < records.length; at += slices.at(-1) as number) {
    const results = await normalise(fields, records.slice(at), 1);
    expect(results.every((result) => result.status === 'ready' && result.fields['n'] === '4050045000')).toBe(true);
    slices.push(results.length);
    if (slices.length === 3) break;
  }
  expect(slices.every((count) => count > 0 && count < records.length)).toBe(true);
});

test.each([
  ['in its thread', '$pad("", size, "x")'],
  ['in this process', null],
])(
  'a time slice, %s, ends at the max characters of a write; without a slice all records are done',
  async (_where, transformExpr) => {
    const fields = [field(transformExpr === null ? 'text' : 'made', transformExpr)];
    const records = Array.from({ length: 40 }, () => ({
      size: 1_000_000,
      text: 'x'.repeat(transformExpr === null ? 1_000_000 : 0),
    }));
    const results = await normalise(fields, records, 60_000);
    expect(results).toHaveLength(17);
    expect(results.every(({ status }) => status === 'ready')).toBe(true);
    expect(await normalise(fields, records.slice(0, 20))).toHaveLength(20);
  },
);

test('an expression that fills the memory fails its own record', async () => {
  const fields = [field('big', 'grow ? $count([1..90000].[1..900]) : "small"')];
  const results = await normalise(fields, [{ grow: true }, { grow: false }]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { field: 'big' } });
  expect(results[1]).toEqual({ status: 'ready', fields: { big: 'small' } });
});

test('a slow start of the thread takes no time of the slice', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tieout-thread-'));
  const slowStart = path.join(directory, 'slow-start.js');
  writeFileSync(
    slowStart,
    `const endMs = Date.now() + 600; while (Date.now() < endMs); require(${JSON.stringify(threadFile)});`,
  );
  const late = createIsolatedNormaliser({ heapMb: 64, logger: createLogger('test', 'silent'), threadFile: slowStart });
  const records = Array.from({ length: 20 }, (_, n) => ({ n }));
  expect(await late([field('n', 'n')], records, 500)).toHaveLength(records.length);
  rmSync(directory, { recursive: true });
});

test('the thread of a time slice serves the next one', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tieout-thread-'));
  const starts = path.join(directory, 'starts');
  const counted = path.join(directory, 'counted.js');
  writeFileSync(
    counted,
    `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'one '); require(${JSON.stringify(threadFile)});`,
  );
  const one = createIsolatedNormaliser({ heapMb: 64, logger: createLogger('test', 'silent'), threadFile: counted });
  const records = Array.from({ length: 400 }, () => ({ n: 90_000 }));
  for (let slice = 0; slice < 3; slice++)
    expect((await one([field('n', '$string($sum([1..n]))')], records, 1)).length).toBeLessThan(records.length);
  expect(readFileSync(starts, 'utf8')).toBe('one ');
  rmSync(directory, { recursive: true });
});
