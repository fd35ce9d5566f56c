import { Debug as debugOfClient } from '@prisma/client/runtime/client';
import { Debug as debugOfAdapter } from '@prisma/driver-adapter-utils';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import { isDeadlock } from './errors';
import type { RunInTransaction, TenantPool, Visible } from './tenant-pool';

type CommitHooks = (() => Promise<unknown>)[];
export type HookFailed = (error: unknown) => void;

interface Operation {
  model: string;
  operation: string;
  args: object;
}

/** Gives the client with the visibility applied to every operation, and its arguments passed through `scope`. */
export function ormWithVisible(
  visible: Visible,
  pool: TenantPool,
  prisma: PrismaClient,
  scope: (operation: Operation) => object,
): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          // Prisma answers several of these with one query, even when they belong to different tenants.
          if (operation.startsWith('findUnique')) throw new Error(`${operation} must not be used: use findFirst`);
          return pool.withVisible(visible, () => query(scope({ model, operation, args }) as never));
        },
      },
    },
  });
  return extended as unknown as PrismaClient;
}

interface ScopedArgs {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
  create?: Record<string, unknown>;
}

const creates = new Set(['create', 'createMany', 'createManyAndReturn']);

/** Adds the tenant to the condition and to new rows, so that a forgotten `where` cannot cross tenants. */
export function scopeToTenant(tenantId: string, { model, operation, args }: Operation): ScopedArgs {
  const column = model === 'Tenant' ? 'id' : 'tenantId';
  const scopedArgs = { ...(args as ScopedArgs) };
  const own = <T extends object>(row: T): T => ({ ...row, [column]: tenantId });
  if (creates.has(operation)) {
    const data = scopedArgs.data ?? {};
    scopedArgs.data = Array.isArray(data) ? data.map(own) : own(data);
  } else {
    scopedArgs.where = own(scopedArgs.where ?? {});
    if (scopedArgs.create) scopedArgs.create = own(scopedArgs.create);
  }
  return scopedArgs;
}

const transactionOptions = { maxWait: 10_000, timeout: 120_000 };
const maxTransactionAttempts = 3;

interface TransactionParts {
  visible: Visible;
  pool: TenantPool;
  orm: PrismaClient;
  /** Resolves once all that has committed is on disk. */
  flushLog: () => Promise<unknown>;
  onHookFailed: HookFailed;
}

/** A transaction: its client of Prisma, its connection, and the work that follows its commit. */
export interface RunningTransaction {
  client: Prisma.TransactionClient;
  run: RunInTransaction;
  hooks: CommitHooks;
  durability: Durability;
}

/** Tells whether a commit may return before it is on disk. */
interface Durability {
  isFlushedLater: boolean;
}

/** SQL for a commit of its own. The log is written in order, so that all earlier commits are on disk with it. */
export const flushLogSql = `select pg_logical_emit_message(true, 'tieout', '')`;

/** Runs work in a transaction, then the hooks that it added. A deadlock has changed nothing and is repeated. */
export async function runTransaction<T>(
  { visible, pool, orm, flushLog, onHookFailed }: TransactionParts,
  work: (transaction: RunningTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const hooks: CommitHooks = [];
    const durability: Durability = { isFlushedLater: false };
    let run: RunInTransaction | undefined;
    try {
      const result = await pool.withVisible(
        visible,
        () =>
          orm.$transaction((client) => {
            if (!run) throw new Error('a transaction begins with a statement of its own');
            const transaction = { client, run, hooks, durability };
            return pool.withoutVisible(() => work(transaction));
          }, transactionOptions),
        (begun) => (run = begun),
      );
      if (durability.isFlushedLater) await flushLog();
      await runHooks(hooks, onHookFailed);
      return result;
    } catch (error) {
      if (attempt === maxTransactionAttempts || !isDeadlock(error)) throw error;
    }
  }
}

export async function runHooks(hooks: CommitHooks, onHookFailed: HookFailed): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook();
    } catch (error) {
      onHookFailed(error);
    }
  }
}

/** The number of entries that Prisma keeps. */
const keptEntries = 100;

/** The client and its adapter each have their own log. */
const logs = [debugOfClient('tieout'), debugOfAdapter('tieout')];

/**
 * Clears Prisma's debug history, which it keeps whether or not anything is logged: whole statements with their values,
 * some hundred megabytes after a few large ones. Empty entries push them out.
 */
export function forgetStatements(): void {
  for (const log of logs) for (let entry = 0; entry < keptEntries; entry++) log('');
}
