import { TypeOverrides, types as pgTypes, type PoolClient } from 'pg';
import type { RunInTransaction, TenantPool, Visible } from './tenant-pool';
import type { Queries, SqlParameter } from './types';

/** Runs SQL on a given connection, inside its current transaction. */
export function queriesOn(client: PoolClient): Queries {
  return {
    query: async <T>(sql: string, parameters: readonly SqlParameter[] = []) =>
      (await client.query(sql, [...parameters])).rows as T[],
    execute: async (sql, parameters = []) => (await client.query(sql, [...parameters])).rowCount ?? 0,
  };
}

/** Parses values as Prisma does: int8 becomes a BigInt, not a string. */
export const valueTypes = new TypeOverrides();
valueTypes.setTypeParser(pgTypes.builtins.INT8, BigInt);

/** Runs SQL outside of transactions, without the detour through Prisma; with `nameOf`, as prepared statements. */
export const pooledQueries = (visible: Visible, pool: TenantPool, nameOf?: StatementNames): Queries =>
  queriesBy((query) => pool.withVisible(visible, () => pool.query<object>(query)), nameOf);

/** Runs SQL by a function; with `nameOf`, as prepared statements. */
export function queriesBy(run: RunInTransaction, nameOf?: StatementNames): Queries {
  const send = (text: string, values: readonly SqlParameter[] = []) =>
    run({ ...(nameOf && { name: nameOf(text) }), text, values: [...values], types: valueTypes });
  return {
    query: async <T>(sql: string, parameters?: readonly SqlParameter[]) => (await send(sql, parameters)).rows as T[],
    execute: async (sql, parameters) => (await send(sql, parameters)).rowCount ?? 0,
  };
}

/** Gives the name of a prepared statement by its text. */
export type StatementNames = (sql: string) => string;

/** Names prepared statements. A plan made for the system sees other rows than one made for a tenant. */
export function statementNames(prefix: string): StatementNames {
  const names = new Map<string, string>();
  return (sql) => {
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `${prefix}${names.size + 1}`));
    return name;
  };
}
