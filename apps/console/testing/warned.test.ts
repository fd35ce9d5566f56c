import { readFileSync } from 'node:fs';
import path from 'node:path';
import { warned } from '../src/text/warned';

const types = readFileSync(path.join(__dirname, '../../../packages/formats/src/types.ts'), 'utf8');

/** The codes of a union in the source: the console shares no types with the service. */
const codesFrom = (start: string): string[] => {
  const from = types.indexOf(start);
  return [...types.slice(from, types.indexOf(';', from)).matchAll(/'([a-z_]+)'/g)].map(([, code]) => code as string);
};

const codes = [...codesFrom('interface ReadingWarning'), ...codesFrom('type StatementWarning')];

test('the warnings of a file are found in the source', () => {
  expect(codes).toEqual(expect.arrayContaining(['encoding_guessed', 'sheets_skipped', 'statement_missing']));
});

test.each([...codes, ...Object.keys(warned.en)])('Portuguese has words for the warning %s', (code) => {
  expect(warned.pt[code]).toBeDefined();
});
