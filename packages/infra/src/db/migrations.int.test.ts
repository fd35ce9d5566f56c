import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, testServers, type TestDatabase } from '@tieout/testing';
import { createLogger } from '../kernel/logger';
import { createDb, type Db } from './db';
import { missingMigrations, requireMigrations } from './migrations';

const logger = createLogger('test', 'silent');
let migrated: TestDatabase;
let empty: string;
const opened: Db[] = [];

beforeAll(async () => {
  migrated = await createTestDatabase();
  const url = new URL(testServers().databaseUrl);
  const name = `${migrated.name}_empty`;
  await open(testServers().databaseUrl).system.execute(`create database ${name} template template0`);
  url.pathname = `/${name}`;
  empty = url.href;
});

afterAll(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  const server = open(testServers().databaseUrl);
  await server.system.execute(`drop database ${migrated.name}_empty`);
  await server.close();
  await migrated.close();
});

function open(url: string): Db {
  const db = createDb({ url, poolSize: 1, applicationName: 'test', logger });
  opened.push(db);
  return db;
}

test('a database with all migrations of this version is accepted', async () => {
  await expect(requireMigrations(open(migrated.url).system, logger)).resolves.toBeUndefined();
});

test('a user with more rights than the service needs is accepted and reported, and no other', async () => {
  const said: unknown[] = [];
  const listening = { warn: (fields: object) => void said.push(fields) };
  await requireMigrations(open(migrated.serviceUrl).system, listening);
  expect(said).toEqual([]);
  await requireMigrations(open(migrated.url).system, listening);
  expect(said).toEqual([{ user: 'tieout' }]);
});

test('a database without migrations is refused with the command to run', async () => {
  await expect(requireMigrations(open(empty).system, logger)).rejects.toThrow(
    /lacks migrations of this version: \d+_init, .* Run `npm run db:deploy`/,
  );
});

test('a database with more migrations than this version is accepted, one with fewer is refused', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tieout-migrations-'));
  const { system } = open(migrated.url);
  mkdirSync(path.join(directory, '20261121000000_init'));
  expect(await missingMigrations(system, directory)).toEqual([]);
  mkdirSync(path.join(directory, '29991231000000_later'));
  expect(await missingMigrations(system, directory)).toEqual(['29991231000000_later']);
  rmSync(directory, { recursive: true });
});

test('a database that does not answer does not prevent the start', async () => {
  await expect(requireMigrations(open('postgresql://nobody@127.0.0.1:1/none').system, logger)).resolves.toBeUndefined();
});
