import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { breakingChanges } from './support/expand-only';

const directory = path.join(__dirname, '..', 'prisma', 'migrations');
const names = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(names)('migration %s keeps what the previous version uses', (name) => {
  expect(breakingChanges(readFileSync(path.join(directory, name, 'migration.sql'), 'utf8'))).toEqual([]);
});

test.each([
  ['DROP TABLE "a";', 'drops a table'],
  ['ALTER TABLE "a" DROP COLUMN "b";', 'drops a column'],
  ['alter table a add column c int,\n  drop b;', 'drops a column'],
  ['ALTER TABLE "a" ALTER COLUMN "b" DROP DEFAULT;', 'drops a default'],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', 'renames'],
  ['ALTER TABLE "a" RENAME TO "c";', 'renames'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE BIGINT;', 'changes the type of a column'],
  ['ALTER TABLE "a" ALTER COLUMN "b" TYPE BIGINT;', 'changes the type of a column'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', 'makes a column that may be empty required'],
  [
    'ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL DEFAULT \'\', ADD COLUMN "c" INTEGER NOT NULL;',
    'adds a required column without a default',
  ],
  ['DROP VIEW "a";', 'drops a type, view, function or schema'],
  ['truncate a;', 'deletes rows'],
])('%s is refused', (sql, what) => {
  expect(breakingChanges(sql)).toEqual([what]);
});

test.each([
  'CREATE TABLE "a" ("b" TEXT NOT NULL);',
  'CREATE TRIGGER "t" BEFORE TRUNCATE ON "a" FOR EACH STATEMENT EXECUTE FUNCTION "f"();',
  'CREATE FUNCTION "f"() RETURNS trigger AS $$ BEGIN DELETE FROM a; END $$;',
  'ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL DEFAULT \'x\', ADD COLUMN "c" INTEGER;',
  'DROP INDEX "a_idx"; CREATE INDEX "a_idx" ON "a"("b");',
  'ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;',
  'ALTER TABLE "a" DROP CONSTRAINT "a_check";',
  '-- drops a column? It does not: rename nothing.\nSELECT 1;',
  '-- Contract: the release before the last one has stopped reading it.\nALTER TABLE "a" DROP COLUMN "b";',
])('%s is allowed', (sql) => {
  expect(breakingChanges(sql)).toEqual([]);
});
