import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { isDatabaseUnavailable } from './errors';
import type { Queries } from './types';

const migrationsDirectory = path.join(__dirname, '..', '..', '..', '..', 'prisma', 'migrations');

/** Finds the migrations of this version that a database lacks, oldest first. Those of later versions only add. */
export async function missingMigrations(db: Queries, directory = migrationsDirectory): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const expected = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const [ledger] = await db.query<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  );
  const applied = ledger?.exists
    ? await db.query<{ name: string }>(
        `select migration_name as name from _prisma_migrations
          where finished_at is not null and rolled_back_at is null`,
      )
    : [];
  const present = new Set(applied.map(({ name }) => name));
  return expected.filter((name) => !present.has(name));
}

/**
 * Refuses to work on a database that lacks migrations. A database that does not answer is accepted: the process waits
 * for it, as it does later.
 * @throws Error that names the missing migrations and the command to run
 */
export async function requireMigrations(db: Queries, logger: Pick<Logger, 'warn'>): Promise<void> {
  let missing: string[];
  try {
    missing = await missingMigrations(db);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    logger.warn({ reason: messageOf(error) }, 'the database does not answer: its migrations could not be checked');
    return;
  }
  if (missing.length === 0) return warnOfRights(db, logger);
  throw new Error(
    `The database lacks migrations of this version: ${missing.join(', ')}. ` +
      'Run `npm run db:deploy` (in a container `node scripts/migrate.mjs`) and start again',
  );
}

/** Warns when row security does not bind the user of the connection: the service needs no such rights. */
async function warnOfRights(db: Queries, logger: Pick<Logger, 'warn'>): Promise<void> {
  const [user] = await db.query<{ name: string; isUnbound: boolean }>(
    `select rolname::text as name, rolsuper or rolbypassrls as "isUnbound" from pg_roles where rolname = current_user`,
  );
  if (user?.isUnbound)
    logger.warn(
      { user: user.name },
      'the user of DATABASE_URL is a superuser or has BYPASSRLS: make one with fewer rights with npm run db:roles',
    );
}
