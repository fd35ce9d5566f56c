import { AppError, type DbHandle } from '@tieout/infra';
import { repeatWithPauses, type Days } from '../kernel/retention';

/** A request that its sender may safely repeat. */
export interface IdempotentRequest {
  tenantId: string;
  /** Name of the operation: keys of different operations are independent. */
  operation: string;
  key: string;
  /** Digest of the request. */
  fingerprint: string;
  /** Days for which the answer is replayed. */
  keptDays: Days;
}

export interface StoredAnswer {
  status: number;
  body: string;
}

/**
 * Replays the answer of the first request to a repeated one. Call it inside the transaction that makes the change: the
 * answer is stored with the change or not at all, so a failed request leaves no trace. One of several concurrent
 * requests runs; its lock ends with its transaction.
 * @throws AppError idempotency_key_in_use while another one runs, idempotency_key_reused for another request
 */
export async function answerOnce(
  tx: DbHandle,
  request: IdempotentRequest,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer & { replayed: boolean }> {
  const { tenantId, operation, key } = request;
  const locks = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
    [`idempotency ${tenantId} ${operation} ${key}`],
  );
  if (locks[0]?.locked !== true) {
    throw new AppError('idempotency_key_in_use', 'The first request with this Idempotency-Key is still running', {
      retryAfterSeconds: 1,
    });
  }
  // A separate statement: its snapshot must be younger than the lock.
  const [stored] = await tx.query<StoredAnswer & { fingerprint: string }>(
    `select fingerprint, status, body from idempotency_keys
     where tenant_id = $1::uuid and operation = $2 and key = $3 and expires_at > now()`,
    [tenantId, operation, key],
  );
  if (stored) {
    if (stored.fingerprint !== request.fingerprint) {
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
    }
    return { status: stored.status, body: stored.body, replayed: true };
  }
  const answer = await work();
  await tx.execute(
    `insert into idempotency_keys (tenant_id, operation, key, fingerprint, status, body, expires_at)
     values ($1::uuid, $2, $3, $4, $5, $6,
             case when $7::float8 is null then 'infinity' else now() + make_interval(secs => $7::float8 * 86400) end)
     on conflict (tenant_id, operation, key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
           expires_at = excluded.expires_at`,
    [tenantId, operation, key, request.fingerprint, answer.status, answer.body, request.keptDays],
  );
  return { ...answer, replayed: false };
}

const batchSize = 5_000;

/** Removes answers that are no longer replayed. */
export async function deleteExpiredAnswers(db: DbHandle): Promise<void> {
  const deleteBatch = `delete from idempotency_keys where ctid = any(array(
    select ctid from idempotency_keys where expires_at <= now() limit ${batchSize} for update skip locked))`;
  await repeatWithPauses(async () => (await db.execute(deleteBatch)) === batchSize);
}
