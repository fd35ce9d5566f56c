import type { PoolClient } from 'pg';
import { processMetrics } from '../metrics';
import { TenantHandle } from './handles';
import type { Replica, Replicas } from './replicas';
import type { Orm, Queries, SqlParameter, TenantDb } from './types';

/** The handle is for reads only. */
class NotReadError extends Error {
  constructor() {
    super('a handle for reads was to change something');
  }
}

const refuse = (): Promise<never> => Promise.reject(new NotReadError());

interface Standby {
  replica: Replica;
  db: TenantDb;
}

/**
 * A tenant's access to the database for reads, which stay with one server: that is chosen at the first of them, and a
 * failure of a standby moves to the primary, which is never behind it. The work of a session may run twice.
 */
export class ReadHandle implements TenantDb {
  readonly tenantId: string;
  readonly execute = refuse;
  readonly transaction = refuse;
  readonly afterCommit = refuse;
  private standby: Promise<Standby | undefined> | undefined;

  constructor(
    private readonly primary: TenantDb,
    private readonly replicas: Replicas,
  ) {
    this.tenantId = primary.tenantId;
  }

  get orm(): Orm {
    return readsOfOrm((run) => this.read(({ orm }) => run(orm)));
  }

  get prepared(): Queries {
    return { query: (sql, parameters) => this.read((db) => db.prepared.query(sql, parameters)), execute: refuse };
  }

  get shortReads(): TenantDb['shortReads'] {
    return { query: (sql, parameters) => this.read((db) => db.shortReads.query(sql, parameters)) };
  }

  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]> {
    return this.read((db) => db.query<T>(sql, parameters));
  }

  session<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.read((db) => db.session(work));
  }

  private async read<T>(run: (db: TenantDb) => Promise<T>): Promise<T> {
    const standby = await (this.standby ??= this.choose());
    if (standby) {
      try {
        const result = await run(standby.db);
        processMetrics.add('tieout_replica_reads_total', { target: 'replica' });
        return result;
      } catch (error) {
        standby.replica.failed(error);
        this.standby = Promise.resolve(undefined);
      }
    }
    processMetrics.add('tieout_replica_reads_total', { target: 'primary' });
    return run(this.primary);
  }

  private async choose(): Promise<Standby | undefined> {
    const replica = await this.replicas.choose();
    return replica && { replica, db: new TenantHandle(replica.server, this.tenantId) };
  }
}

const readOperation = /^(find|count|aggregate|groupBy)/;

type Operation = (...args: unknown[]) => Promise<unknown>;
type Operations = Record<string, Record<string, Operation>>;

/** Gives the client of Prisma for a server that is chosen when an operation runs. */
function readsOfOrm(read: (run: (orm: Orm) => Promise<unknown>) => Promise<unknown>): Orm {
  const operationOf = (model: string, operation: string): Operation => {
    if (!readOperation.test(operation)) return refuse;
    return (...args) => read(async (orm) => (orm as unknown as Operations)[model]?.[operation]?.(...args));
  };
  const modelNamed = (model: string) => new Proxy({}, { get: (_, operation: string) => operationOf(model, operation) });
  return new Proxy({}, { get: (_, model: string) => modelNamed(model) }) as Orm;
}
