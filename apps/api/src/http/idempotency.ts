import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { answerOnce, type Days, type IdempotentRequest, type StoredAnswer } from '@tieout/domain';
import { canonicalJson, stringifyJson, type DbHandle, type FieldError } from '@tieout/infra';
import { operator } from './limits';
import { replyBytes, type Reply } from './reply';
import { seal, unseal } from './seal';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** Reads the header Idempotency-Key; an unusable one is a fault. */
export function readIdempotencyKey(request: IncomingMessage): { key?: string; fault?: FieldError } {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return {};
  if (typeof key === 'string' && visibleAscii.test(key)) return { key };
  return {
    fault: {
      path: '/headers/idempotency-key',
      code: 'idempotency_key',
      message: 'must be 1 to 255 visible ASCII characters',
    },
  };
}

/** Hashes method, path, query and body; the order of query parameters and of keys does not matter. */
export function fingerprint(method: string, path: string, search: string, body: unknown): string {
  const query = [...new URLSearchParams(search)].map(([name, value]) => JSON.stringify([name, value])).sort();
  const hash = createHash('sha256').update(JSON.stringify([method, path, query]));
  return hash.update(Buffer.isBuffer(body) ? body : canonicalJson(body)).digest('base64url');
}

/** Identifies a request, and says how long its answer is stored. */
export interface OnceOptions {
  tenantId: string | undefined;
  operationId: string;
  key: string;
  fingerprint: string;
  /** If set, it encrypts the stored answer, and the same request with another credential is another request. */
  credential: string | undefined;
  keptDays: Days;
}

/**
 * Runs a handler inside the transaction of `tx`, or returns the stored answer of the same request.
 * @param renew updates what a stored answer says about the present
 */
export async function replyOnce(
  tx: DbHandle,
  options: OnceOptions,
  handler: () => Promise<Reply> | Reply,
  renew?: (answer: unknown) => Promise<unknown>,
): Promise<Reply> {
  const { credential } = options;
  const request: IdempotentRequest = {
    tenantId: options.tenantId ?? operator,
    operation: options.operationId,
    key: options.key,
    fingerprint: credential === undefined ? options.fingerprint : withCredential(options.fingerprint, credential),
    keptDays: options.keptDays,
  };
  let first: Reply | undefined;
  const answer = await answerOnce(tx, request, async () => {
    first = await handler();
    const stored = storable(first);
    return credential === undefined ? stored : { ...stored, body: seal(stored.body, credential) };
  });
  if (first) return first;
  const stored = credential === undefined ? answer.body : unseal(answer.body, credential);
  const body = renew ? stringifyJson(await renew(JSON.parse(stored))) : stored;
  return replyBytes(answer.status, 'application/json; charset=utf-8', body, { 'Idempotent-Replayed': 'true' });
}

function storable(reply: Reply): StoredAnswer {
  if (reply.kind !== 'json') throw new Error('an idempotent operation must answer JSON');
  return { status: reply.status, body: stringifyJson(reply.body) };
}

function withCredential(digest: string, credential: string): string {
  return createHash('sha256').update(`${digest} ${credential}`).digest('base64url');
}
