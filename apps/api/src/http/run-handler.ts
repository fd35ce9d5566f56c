import { briefScope, readScope, tenantScope } from '@tieout/domain';
import { NotShortReadError } from '@tieout/infra';
import { originOf } from './actor';
import type { Concurrency, RequestPermits } from './concurrency';
import type { ReceivedFile, Route } from './define-route';
import { replyOnce, type OnceOptions } from './idempotency';
import type { Reply } from './reply';

type AnyContext = Parameters<Route['handler']>[0];

/** A request whose input is valid. */
export interface Call extends Pick<
  AnyContext,
  'principal' | 'params' | 'query' | 'headers' | 'sender' | 'requestId' | 'deps'
> {
  route: Route;
  body: unknown;
  file: ReceivedFile | undefined;
  permits: RequestPermits;
  /** Set for a request with an Idempotency-Key. */
  once: OnceOptions | undefined;
}

/**
 * Runs a route's own handler. For a tenant, it runs with the tenant's permits and in its scope; with an
 * Idempotency-Key, it runs inside the transaction that also stores the answer.
 */
export async function runHandler(call: Call, concurrency: Concurrency): Promise<Reply> {
  const { route, principal, deps, once } = call;
  const prepared = await route.prepare?.(call);
  if (principal.kind === 'tenant') return runForTenant(call, principal.tenantId, { prepared, concurrency });
  if (principal.kind === 'public') return callHandler(call, prepared, {});
  const { system } = deps.db;
  return once
    ? system.transaction((tx) => replyOnce(tx, once, () => callHandler(call, prepared, { system: tx })))
    : callHandler(call, prepared, { system });
}

async function runForTenant(
  call: Call,
  tenantId: string,
  { prepared, concurrency }: { prepared: unknown; concurrency: Concurrency },
): Promise<Reply> {
  const { deps, permits, once } = call;
  const isForReplica = call.route.readsReplica && !once;
  const runWhole = (): Promise<Reply> => {
    const scope = (isForReplica ? readScope : tenantScope)(deps, tenantId, originOf(call));
    return permits.handler(async () =>
      once
        ? scope.transaction((tx) => {
            const { renew } = call.route;
            const run = () => callHandler(call, prepared, { scope: tx });
            return replyOnce(tx.db, once, run, renew && ((answer) => renew(tx, answer)));
          })
        : callHandler(call, prepared, { scope }),
    );
  };
  const produce = async (): Promise<Reply> => {
    if (!permits.shortRead) return runWhole();
    try {
      const scope = briefScope(deps, isForReplica ? deps.db.forReads(tenantId) : deps.db.forTenant(tenantId));
      return await permits.shortRead(async () => callHandler(call, prepared, { scope }));
    } catch (error) {
      if (error instanceof NotShortReadError) return runWhole();
      throw error;
    }
  };
  const reply = await produce();
  if (reply.kind !== 'stream') return reply;
  return concurrency.limitStream(reply, { owner: tenantId, withPermit: permits.handler, produce });
}

/** Lists each key of the context: an object built by spreading gets a new shape each time, which V8 collects late. */
function callHandler(
  { route, principal, params, query, body, file, headers, sender, requestId, deps, permits: { withPermit } }: Call,
  prepared: unknown,
  { scope, system }: Pick<Partial<AnyContext>, 'scope' | 'system'>,
): Promise<Reply> | Reply {
  const context = {
    principal,
    params,
    query,
    body,
    file,
    headers,
    sender,
    withPermit,
    deps,
    requestId,
    prepared,
    scope,
    system,
  };
  return route.handler(context);
}
