import { copyBetween, type DirectConnection } from '@tieout/infra';
import { discardWork } from '../matching';
import { writePlace } from './directory';
import { drain, settleDeliveries } from './drain';
import {
  assertSameTables,
  digestOf,
  eraseMoved,
  movedTables,
  withoutTriggers,
  type MovedTable,
  type TableDigest,
} from './tables';
import { assertMayMove, findTenant, moveOf, type Found } from './state';

/** The points between which a move may be killed; it goes on from there when it is run again. */
export type MoveStep = 'fenced' | 'drained' | 'copied' | 'switched' | 'listed' | 'activated' | 'erased';

export interface MoveOptions {
  tenantId: string;
  /** All databases; the first one holds the directory. */
  databases: readonly DirectConnection[];
  /** The name of the target. */
  to: string;
  /** The time for work that began before. */
  waitMs: number;
  /** Gets a line for people. */
  say: (line: string) => void;
  onStep?: (step: MoveStep) => void;
}

const inThousands = (count: number): string => count.toLocaleString('en-US');

/**
 * Moves a tenant to another database, or goes on with a move that was interrupted. No acknowledged write is lost: the
 * source refuses the tenant from the first step on, and the target serves it only once the source has given it up.
 * @throws Error that says why nothing was moved, or what to do next
 */
export async function moveTenant(options: MoveOptions): Promise<void> {
  const { databases, to, say } = options;
  const tenantId = options.tenantId.toLowerCase();
  const [directory] = databases as [DirectConnection];
  const target = databaseNamed(databases, to);
  await lockMove(directory, tenantId);
  const found = await findTenant(databases, tenantId);
  if (found.state === 'served' && found.database === target) return say(`The tenant is in ${to} already.`);
  if (found.state !== 'served' && found.to !== to)
    throw new Error(`the tenant is moving to ${found.to}: run the move with --to ${found.to}, or with --abort`);
  const source = found.database;
  await assertMayMove([source, target]);
  const tables = await movedTables(source);
  assertSameTables(tables, await movedTables(target));
  const move = new Move({ ...options, tenantId }, { source, target, directory, tables });
  say(`Moving ${tenantId} from ${source.name} to ${to}.`);
  if (found.state !== 'given up') await move.copyOrAbort(found);
  await move.finish();
  say(`The tenant is in ${to}.`);
}

/** Shows what a move would do, and changes nothing. */
export async function previewMove(options: MoveOptions): Promise<void> {
  const { databases, to, say } = options;
  const tenantId = options.tenantId.toLowerCase();
  const target = databaseNamed(databases, to);
  const { database: source, state } = await findTenant(databases, tenantId);
  if (source === target) return say(`The tenant is in ${to} already.`);
  await assertMayMove([source, target]);
  const tables = await movedTables(source);
  assertSameTables(tables, await movedTables(target));
  say(
    `${tenantId} is in ${source.name}${state === 'served' ? '' : ', and its move has begun'}. These rows would move:`,
  );
  for (const table of tables) {
    const [count] = await source.query<{ rows: number }>(
      `select count(*)::float8 as rows from "${table.name}" where tenant_id = $1::uuid`,
      [tenantId],
    );
    if (count && count.rows > 0) say(`  ${table.name}: ${inThousands(count.rows)}`);
  }
}

/** Takes back a move. @throws Error when the source has given the tenant up for it, or when there is no move */
export async function abortMove({ databases, say, ...options }: Omit<MoveOptions, 'to' | 'waitMs'>): Promise<void> {
  const tenantId = options.tenantId.toLowerCase();
  await lockMove(databases[0] as DirectConnection, tenantId);
  const found = await findTenant(databases, tenantId);
  if (found.state === 'served') throw new Error(`the tenant is in ${found.database.name} and does not move`);
  if (found.state === 'given up')
    throw new Error(`the tenant belongs to ${found.to} already: run the move again, which finishes it`);
  await takeBack(found, databaseNamed(databases, found.to), tenantId);
  say(`The move is taken back: ${found.database.name} serves the tenant again.`);
}

function databaseNamed(databases: readonly DirectConnection[], name: string): DirectConnection {
  const found = databases.find((one) => one.name === name);
  if (found) return found;
  const names = databases.map((one) => one.name).join(', ');
  throw new Error(`there is no database "${name}": those of DATABASES are ${names}`);
}

/** Held until the connection ends, also by a kill. */
async function lockMove(directory: DirectConnection, tenantId: string): Promise<void> {
  const [lock] = await directory.query<{ isTaken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move of tenant ' || $1::text, 0)) as "isTaken"`,
    [tenantId],
  );
  if (lock?.isTaken !== true) throw new Error('another process moves this tenant');
}

/** Removes the copy first: the source serves the tenant when no other database has anything of it. */
async function takeBack({ database }: Found, target: DirectConnection, tenantId: string): Promise<void> {
  if ((await moveOf(target, tenantId))?.state === 'arriving') {
    for (const table of await movedTables(target)) await eraseMoved(target, table, tenantId);
    await target.transaction(async () => {
      await target.execute(withoutTriggers);
      await target.execute(`delete from tenants where id = $1::uuid and status = 'arriving'`, [tenantId]);
      await target.execute('delete from tenant_moves where id = $1::uuid', [tenantId]);
    });
  }
  await serve(database, tenantId);
}

/** Gives the tenant the status that it has outside of moves, and sweeps the files that have waited. */
function serve(db: DirectConnection, tenantId: string): Promise<void> {
  return db.transaction(async () => {
    await db.execute(
      `update tenants t set status = m.status from tenant_moves m where t.id = $1::uuid and m.id = t.id`,
      [tenantId],
    );
    await db.execute('delete from tenant_moves where id = $1::uuid', [tenantId]);
    await db.execute(
      `update data_source_files set updated_at = to_timestamp(0)
        where tenant_id = $1::uuid and status in ('uploaded', 'processing')`,
      [tenantId],
    );
  });
}

interface Parts {
  source: DirectConnection;
  target: DirectConnection;
  directory: DirectConnection;
  tables: readonly MovedTable[];
}

class Move {
  private readonly tenantId: string;

  constructor(
    private readonly options: MoveOptions,
    private readonly parts: Parts,
  ) {
    this.tenantId = options.tenantId;
  }

  /** Everything up to the step that gives the tenant up; a failure leaves the source as it was. */
  async copyOrAbort(found: Found): Promise<void> {
    try {
      if (found.state === 'served') await this.fence();
      this.reached('fenced');
      await this.drain();
      this.reached('drained');
      await this.copy();
      this.reached('copied');
    } catch (error) {
      const why = (error as Error).message;
      await this.undo(why);
      throw new Error(`${why}. Nothing was moved: ${this.parts.source.name} serves the tenant`, { cause: error });
    }
    await this.giveUp();
    this.reached('switched');
  }

  /** Everything after it, in steps that may be repeated. */
  async finish(): Promise<void> {
    const { source, target, directory, tables } = this.parts;
    await writePlace(directory, this.tenantId, target.name);
    this.reached('listed');
    await serve(target, this.tenantId);
    this.reached('activated');
    this.say(`${target.name} serves the tenant. Deleting its rows in ${source.name}.`);
    for (const table of tables) await eraseMoved(source, table, this.tenantId);
    await source.transaction(async () => {
      await source.execute(withoutTriggers);
      await source.execute('delete from rate_limits where owner_id = $1::uuid', [this.tenantId]);
      await source.execute(`delete from tenants where id = $1::uuid and status = 'moved'`, [this.tenantId]);
    });
    this.reached('erased');
  }

  private say(line: string): void {
    this.options.say(line);
  }

  private reached(step: MoveStep): void {
    this.options.onStep?.(step);
  }

  private async undo(why: string): Promise<void> {
    const { databases } = this.options;
    try {
      const found = await findTenant(databases, this.tenantId);
      if (found.state === 'leaving') await takeBack(found, this.parts.target, this.tenantId);
    } catch (error) {
      throw new Error(`${why}. The tenant still waits (${(error as Error).message}): run the move with --abort`, {
        cause: error,
      });
    }
  }

  /** From this commit on, every transaction of the tenant is refused, and its queue jobs end without doing anything. */
  private async fence(): Promise<void> {
    const { source, target } = this.parts;
    await source.transaction(async () => {
      const fenced = await source.execute(
        `with fenced as (
           select id, status from tenants where id = $1::uuid and status in ('active', 'suspended') for update
         ), changed as (update tenants t set status = 'moving' from fenced f where t.id = f.id)
         insert into tenant_moves (id, state, database, status) select id, 'moving', $2, status from fenced`,
        [this.tenantId, target.name],
      );
      if (fenced !== 1) throw new Error('the tenant is neither active nor suspended any more');
    });
    this.say(`${source.name} refuses requests and work of the tenant from now on.`);
  }

  private async drain(): Promise<void> {
    const { source } = this.parts;
    await drain(source, this.tenantId, this.options.waitMs);
    await settleDeliveries(source, this.tenantId, this.options.waitMs);
    // The snapshot of a running job stays behind: the job is planned again, as after a crash of the database.
    const jobs = await source.query<{ id: string }>(
      `select id::text as id from matching_jobs
        where tenant_id = $1::uuid and status = 'running' and planned_at is not null`,
      [this.tenantId],
    );
    for (const { id } of jobs) await source.transaction(() => discardWork(source.client, this.tenantId, id));
    if (jobs.length > 0) this.say(`${jobs.length} running matching jobs begin again after the move.`);
  }

  /** Copies one snapshot of all rows in one transaction, and compares what has arrived before it commits. */
  private async copy(): Promise<void> {
    const { source, target, tables } = this.parts;
    const snapshot = 'begin isolation level repeatable read read only';
    await target.transaction(async () => {
      await target.execute(withoutTriggers);
      await this.makeRoom();
      await source.transaction(async () => {
        await this.copyTenant();
        for (const table of tables) await this.copyTable(table);
      }, snapshot);
    });
  }

  /** Removes what an earlier move or an earlier attempt has left in the target. */
  private async makeRoom(): Promise<void> {
    const { source, target, tables } = this.parts;
    const move = await moveOf(target, this.tenantId);
    const [row] = await target.query('select 1 from tenants where id = $1::uuid', [this.tenantId]);
    if (row && !move) throw new Error(`${source.name} and ${target.name} both serve the tenant`);
    if (!move) return;
    for (const { name } of tables)
      await target.execute(`delete from "${name}" where tenant_id = $1::uuid`, [this.tenantId]);
    await target.execute('delete from tenants where id = $1::uuid', [this.tenantId]);
    await target.execute('delete from tenant_moves where id = $1::uuid', [this.tenantId]);
  }

  private async copyTenant(): Promise<void> {
    const { source, target } = this.parts;
    const [row] = await source.query<{ row: string; status: string }>(
      `select (to_jsonb(t) || '{"status": "arriving"}')::text as row, m.status
         from tenants t join tenant_moves m on m.id = t.id where t.id = $1::uuid`,
      [this.tenantId],
    );
    if (!row) throw new Error('the tenant is gone');
    await target.execute('insert into tenants select * from jsonb_populate_record(null::tenants, $1::jsonb)', [
      row.row,
    ]);
    await target.execute(
      `insert into tenant_moves (id, state, database, status) values ($1::uuid, 'arriving', $2, $3)`,
      [this.tenantId, source.name, row.status],
    );
  }

  private async copyTable(table: MovedTable): Promise<void> {
    const { source, target } = this.parts;
    const sent = await digestOf(source, table, this.tenantId);
    if (sent.rows === 0) return;
    const startedMs = performance.now();
    const { name, columns } = table;
    // COPY takes no parameters. The id was found in a column of uuids.
    const query = `select ${columns} from "${name}" where tenant_id = '${this.tenantId}'`;
    await copyBetween(source, target, { query, into: `"${name}" (${columns})` });
    assertSame(name, sent, await digestOf(target, table, this.tenantId));
    this.say(`  ${name}: ${inThousands(sent.rows)} rows in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }

  /** From this commit on, the tenant belongs to the target. */
  private async giveUp(): Promise<void> {
    const { source } = this.parts;
    await source.transaction(async () => {
      await source.execute(`update tenant_moves set state = 'moved' where id = $1::uuid`, [this.tenantId]);
      await source.execute(`update tenants set status = 'moved' where id = $1::uuid`, [this.tenantId]);
    });
  }
}

function assertSame(table: string, sent: TableDigest, arrived: TableDigest): void {
  if (sent.rows === arrived.rows && sent.sum === arrived.sum) return;
  throw new Error(
    `${table} has not arrived as it was: ${sent.rows} rows with the sum ${sent.sum} became ${arrived.rows} with ` +
      arrived.sum,
  );
}
