import type { Queries } from '@tieout/infra';

/** The database of a tenant, by name. */
export interface TenantPlace {
  id: string;
  database: string;
  changedAt: Date;
}

/** Changes that began before the latest one may commit after it: they are read again for this long. */
const overlapSeconds = 60;

/** Reads the places that have changed since a time, from the directory in the database `main`. */
export const readPlaces = (main: Queries, since: Date | null): Promise<TenantPlace[]> =>
  main.query<TenantPlace>(
    `select id::text as id, database, changed_at as "changedAt" from tenant_directory
      where changed_at > coalesce($1::timestamptz, '-infinity') - make_interval(secs => ${overlapSeconds})
      order by changed_at`,
    [since],
  );

/** Writes the place of a tenant into the directory. */
export async function writePlace(main: Queries, id: string, database: string): Promise<void> {
  await main.execute(
    `insert into tenant_directory (id, database) values ($1::uuid, $2)
     on conflict (id) do update set database = excluded.database, changed_at = now()`,
    [id, database],
  );
}

/** Lets a database serve an id again that has left it, once no database has a tenant with it. */
export async function forgetMove(db: Queries, id: string): Promise<void> {
  await db.execute(`delete from tenant_moves where id = $1::uuid and state = 'moved'`, [id]);
}
