import { startStandby, type TestStandby } from '@tieout/testing';
import { Client } from 'pg';
import { startPostgres } from './postgres';

/** A PostgreSQL of one's own with two standbys. All count statements in pg_stat_statements. */
export interface ReplicatedPostgres {
  url: string;
  standbys: readonly [TestStandby, TestStandby];
  /** The addresses of a database of the primary at the standbys. */
  replicasOf(databaseUrl: string): string[];
  close(): Promise<void>;
}

/** Runs statements on a connection of their own and returns the rows of the last one. */
export async function onServer<T extends object = object>(url: string, ...statements: string[]): Promise<T[]> {
  const client = new Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    let rows: T[] = [];
    for (const sql of statements) ({ rows } = await client.query<T>(sql));
    return rows;
  } finally {
    await client.end();
  }
}

export async function startReplicated(): Promise<ReplicatedPostgres> {
  // A commit that waits for the disk is on its way to the standbys when it is answered.
  const primary = await startPostgres({ durable: true });
  await onServer(primary.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await primary.restart();
  // One after the other: a server makes one backup of this kind at a time.
  const first = await startStandby(primary.url);
  const standbys = [first, await startStandby(primary.url)] as const;
  return {
    url: primary.url,
    standbys,
    replicasOf: (databaseUrl) => standbys.map((standby) => standby.urlOf(databaseUrl)),
    close: async () => {
      await Promise.all(standbys.map((standby) => standby.close()));
      await primary.close();
    },
  };
}
