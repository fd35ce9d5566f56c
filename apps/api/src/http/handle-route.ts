import type { Request } from 'express';
import { tenantScope, type Authenticator } from '@tieout/domain';
import { invalid } from '@tieout/infra';
import type { Principal } from './access';
import { admit, ownerOf } from './admission';
import { createBodyMemories, type WithBody } from './body-memory';
import { createConcurrency } from './concurrency';
import type { ReceivedFile, Route } from './define-route';
import type { ApiDeps } from './deps';
import { fingerprint, type OnceOptions } from './idempotency';
import type { RequestLimits } from './limits';
import { withFile } from './multipart';
import { createRequestCompilers, createRequestParser, type RequestHead } from './parse-request';
import type { Reply } from './reply';
import { maxBodyBytes, readRouteBody } from './request-body';
import { runHandler, type Call } from './run-handler';

/** Answers a request of one route. */
export type RouteHandler = (request: Request, requestId: string) => Promise<Reply>;

export interface RouteHandlersOptions {
  deps: ApiDeps;
  authenticator: Authenticator;
  limits: RequestLimits;
  /** Requests of one tenant that are worked on at a time. */
  maxConcurrentPerTenant: number;
  /** A body above 64 KiB that arrives for longer is refused once another body has waited for its memory for as long. */
  maxBodyWaitMs: number;
}

/**
 * Makes the handlers of all routes. Each is a pipeline: it admits the caller, parses the head of the request, receives the
 * body, parses it, and runs the route's own handler.
 */
export function createRouteHandlers(options: RouteHandlersOptions): (route: Route) => RouteHandler {
  const { deps, authenticator, limits } = options;
  const compilers = createRequestCompilers();
  const memories = createBodyMemories(options.maxBodyWaitMs);
  const concurrency = createConcurrency(options.maxConcurrentPerTenant);
  return (route) => {
    const parser = createRequestParser(route, compilers);
    const withBody = route.runsWithoutPermit ? memories.longHeld : memories.ordinary;
    return async (request, requestId) => {
      const principal = await admit(route, request, { authenticator, limits });
      const owner = ownerOf(principal);
      const head = parser.parseHead(request);
      return receiveBody({ route, request, principal, head, withBody, deps }, (rawBody, file) => {
        const once = onceOptions({ route, request, principal, head, deps }, rawBody, file);
        const body = parser.parseBody(head, rawBody);
        const { params, query } = head;
        const permits = concurrency.permitsFor({ route, request, owner, query, hasIdempotencyKey: once !== undefined });
        const { headers } = request;
        const call = { route, principal, params, query, body, file, headers, requestId, deps, permits, once };
        const run = (): Promise<Reply> => runHandler(call as Call, concurrency);
        // Before any transaction, so that a request that waits holds no connection.
        return route.rawBody?.rowsOf
          ? concurrency.withRows(owner, route.rawBody.rowsOf(rawBody as Buffer), run)
          : run();
      });
    };
  };
}

interface ReceivedHead {
  route: Route;
  request: Request;
  principal: Principal;
  head: RequestHead;
  deps: ApiDeps;
}

/** Reads the body, or stores the file of a form, and works on it while its memory is reserved. */
function receiveBody(
  { route, request, principal, head, deps, withBody }: ReceivedHead & { withBody: WithBody },
  work: (rawBody: unknown, file?: ReceivedFile) => Promise<Reply>,
): Promise<Reply> {
  if (route.multipart && principal.kind === 'tenant') {
    if (head.faults.length > 0) throw invalid(head.faults);
    const scope = tenantScope(deps, principal.tenantId);
    return withFile(request, { multipart: route.multipart, scope, params: head.params }, work);
  }
  const maxBytes = maxBodyBytes(route, request);
  return withBody(
    { owner: ownerOf(principal), maxBytes, read: (permit) => readRouteBody(route, request, permit) },
    work,
  );
}

/** Names the stored answer of a request with an Idempotency-Key, before the schema fills defaults into the body. */
function onceOptions(
  { route, request, principal, head, deps }: ReceivedHead,
  rawBody: unknown,
  file: ReceivedFile | undefined,
): OnceOptions | undefined {
  if (head.idempotencyKey === undefined) return undefined;
  const sent = file ? { fields: rawBody, name: file.name, sha256: file.stored.sha256.toString('hex') } : rawBody;
  return {
    tenantId: principal.kind === 'tenant' ? principal.tenantId : undefined,
    operationId: route.operationId,
    key: head.idempotencyKey,
    fingerprint: fingerprint(request.method, request.path, head.search, sent),
    credential: route.secretAnswer ? String(request.headers['x-api-key']) : undefined,
    keptDays: deps.settings.idempotencyKeyDays,
  };
}
