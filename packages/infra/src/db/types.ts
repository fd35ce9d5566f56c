import type { PoolClient } from 'pg';
import type { Prisma } from '../generated/prisma/client';

type Models = Omit<Prisma.TransactionClient, '$executeRaw' | '$executeRawUnsafe' | '$queryRaw' | '$queryRawUnsafe'>;

/**
 * The Prisma client as use cases see it, inside a transaction or outside of one. It lacks findUnique: Prisma collects
 * such calls and answers them with one query on one connection, even when they belong to different tenants.
 */
export type Orm = { [M in keyof Models]: Omit<Models[M], 'findUnique' | 'findUniqueOrThrow'> };

/** A parameter of a query: a value of PostgreSQL's own types. JSON is passed as text with a ::jsonb cast. */
export type SqlParameter =
  string | number | boolean | bigint | Date | null | Uint8Array | readonly (string | number | null)[];

/** Runs SQL on some connection. */
export interface Queries {
  /**
   * Returns the rows of a statement. jsonb arrives parsed, timestamptz as Date, bigint as BigInt: cast counts to int.
   */
  query<T>(sql: string, parameters?: readonly SqlParameter[]): Promise<T[]>;
  /** Returns the number of rows that a statement changed. */
  execute(sql: string, parameters?: readonly SqlParameter[]): Promise<number>;
}

export interface DbHandle extends Queries {
  readonly orm: Orm;
  /**
   * Runs work once the outermost transaction is durable, or at once outside of one. A failure is logged, never thrown:
   * the row owns the truth, and a sweep repeats lost work.
   */
  afterCommit(work: () => Promise<unknown>): Promise<void>;
}

/** The only access to a tenant's data: every ORM operation carries the tenant's id, raw SQL takes it as a parameter. */
export interface TenantDb extends DbHandle {
  readonly tenantId: string;
  /** Runs frequent statements, each of which is planned once per connection. Inside a transaction they belong to it. */
  readonly prepared: Queries;
  /**
   * Runs reads that an index answers at once. They share connections, so that many together cost little; one that takes
   * long, or waits for a lock, holds up all others. Inside a transaction they belong to it.
   */
  readonly shortReads: Pick<Queries, 'query'>;
  /**
   * Inside a transaction: brings its commit to disk before it resolves and the work after it begins. It may then set
   * synchronous_commit to off, so that its locks are not held until then.
   */
  readonly flushAfterCommit?: () => void;
  /** Runs work in a transaction; inside a transaction, as part of it. */
  transaction<T>(work: (tx: TenantDb) => Promise<T>): Promise<T>;
  /**
   * Runs work on its own connection, for COPY and long reads. The work manages its transactions. The connection is
   * discarded when the work throws.
   * @param isPrepared true: statements that are sent as a text with values are planned once per connection, and read by
   *   indexes. For work with few rows, whose texts are always the same.
   */
  session<T>(work: (client: PoolClient) => Promise<T>, isPrepared?: boolean): Promise<T>;
}

/** Access across tenants: authentication, provisioning, sweeps. */
export interface SystemDb extends DbHandle {
  transaction<T>(work: (tx: SystemDb) => Promise<T>): Promise<T>;
}

export interface DatabaseUsage {
  busy: number;
  idle: number;
  waiting: number;
}

/** The operation needs its own connection and was refused on a handle for short reads. */
export class NotShortReadError extends Error {
  constructor() {
    super('takes a connection to the database');
  }
}
