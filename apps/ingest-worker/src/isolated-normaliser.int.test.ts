import path from 'node:path';
import { recordNormaliser, type FieldDefinition } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { createIsolatedNormaliser } from './isolated-normaliser';

// A thread loads JavaScript: what the build made of this folder.
const threadFile = path.join(__dirname, '..', 'dist', 'normaliser-thread.js');

const normalise = createIsolatedNormaliser({ heapMb: 64, logger: createLogger('test', 'silent'), recordTimeoutMs: 1_500, threadFile });

const field = (key: string, transformExpr: string | null): FieldDefinition => ({
  key,
  type: 'string',
  sourcePath: null,
  transformExpr,
  isIdentity: false,
});

test('results are those of the same fields in this process, in the order of the records', async () => {
  const fields = [field('upper', '$uppercase(name)'), field('name', null)];
  const records = Array.from({ length: 50 }, (_, i) => ({ name: i % 7 === 0 ? i : `name ${i}` }));
  const inPlace = recordNormaliser(fields);
  expect(await normalise(fields, records)).toEqual(await Promise.all(records.map(inPlace)));
});

test('an expression that cannot be interrupted fails its own record, with field and reason, and no other', async () => {
  const fields = [field('plain', null), field('slow', '$match(text, /^(a+)+$/) ? "yes" : "no"')];
  const endless = `${'a'.repeat(60)}!`;
  const results = await normalise(fields, [{ text: 'aa' }, { text: endless }, { text: 'b' }, { text: endless }, { text: 'a' }]);
  expect(results.map((r) => r.status)).toEqual(['ready', 'failed', 'ready', 'failed', 'ready']);
  expect(results[1]).toMatchObject({ error: { field: 'slow', code: 'transform_timeout' } });
});

test('an expression that fills the memory fails its own record', async () => {
  const fields = [field('big', 'grow ? $count([1..90000].[1..900]) : "small"')];
  const results = await normalise(fields, [{ grow: true }, { grow: false }]);
  expect(results[0]).toMatchObject({ status: 'failed', error: { field: 'big' } });
  expect(results[1]).toEqual({ status: 'ready', fields: { big: 'small' } });
});
