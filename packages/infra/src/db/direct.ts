import { pipeline } from 'node:stream/promises';
import { Client, type PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { SqlParameter } from './types';

/** One connection to a database, for a command of the operator that works across tenants. */
export interface DirectConnection {
  /** Names the database in messages. */
  readonly name: string;
  readonly client: Pick<PoolClient, 'query'>;
  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]>;
  /** Returns the number of changed rows. */
  execute(sql: string, parameters?: readonly SqlParameter[]): Promise<number>;
  transaction<T>(work: () => Promise<T>, begin?: string): Promise<T>;
  close(): Promise<void>;
}

/** Texts of values must be the same on all servers. */
const settings = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`;

/** @throws Error that names the database, when it cannot be reached */
export async function openDirect({ name, url }: { name: string; url: string }): Promise<DirectConnection> {
  const client = new Client({
    connectionString: url,
    application_name: 'tieout operator',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Without a listener a lost connection would end the process; the next statement fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(settings);
  } catch (error) {
    throw new Error(`the database ${name} cannot be reached: ${(error as Error).message}`, { cause: error });
  }
  const run = (sql: string, parameters: readonly SqlParameter[] = []) => client.query(sql, [...parameters]);
  return {
    name,
    client,
    query: async <T>(sql: string, parameters?: readonly SqlParameter[]) => (await run(sql, parameters)).rows as T[],
    execute: async (sql, parameters) => (await run(sql, parameters)).rowCount ?? 0,
    transaction: async (work, begin = 'begin') => {
      await client.query(begin);
      try {
        const result = await work();
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end(),
  };
}

/** Streams the rows of a query of one database into a table of another. COPY takes no parameters. */
export async function copyBetween(
  source: DirectConnection,
  target: DirectConnection,
  { query, into }: { query: string; into: string },
): Promise<void> {
  const rows = source.client.query(copyTo(`copy (${query}) to stdout (format binary)`));
  await pipeline(rows, target.client.query(copyFrom(`copy ${into} from stdin (format binary)`)));
}
