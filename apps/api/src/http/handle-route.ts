import type { Request, Response } from 'express';
import { tenantScope } from '@tieout/domain';
import { invalid } from '@tieout/infra';
import type { Cell } from '../cells';
import { seesRecords, type Principal } from './access';
import { admissionCheck, admit, ownerOf, senderOf, type AdmissionDeps } from './admission';
import { createBodyMemories, type WithBody } from './body-memory';
import { checkedWhileSent } from './checked-stream';
import { createConcurrency, type Concurrency, type RequestToPermit } from './concurrency';
import type { ReceivedFile, Route } from './define-route';
import type { ApiDeps } from './deps';
import { fingerprint, type OnceOptions } from './idempotency';
import { withFile } from './multipart';
import { createRequestCompilers, createRequestParser, type RequestHead } from './parse-request';
import type { Reply } from './reply';
import { maxBodyBytes, readRouteBody } from './request-body';
import { idRecorder } from './request-log';
import { readSessionToken } from './session-cookie';
import { runHandler, type Call } from './run-handler';

/** Answers a request of one route. */
type RouteHandler = (request: Request, requestId: string) => Promise<Reply>;

interface RouteHandlersOptions extends AdmissionDeps {
  deps: ApiDeps;
  /** Requests of one tenant that are worked on at a time. */
  maxConcurrentPerTenant: number;
  /** A body above 64 KiB that arrives for longer is refused once another has waited for its memory for as long. */
  maxBodyWaitMs: number;
}

/**
 * Makes the handlers of all routes. Each is a pipeline: it admits the caller, parses the head of the request,
 * receives the body, parses it, and runs the route's own handler.
 */
export function createRouteHandlers(options: RouteHandlersOptions): (route: Route) => RouteHandler {
  const { deps } = options;
  const compilers = createRequestCompilers();
  const memories = createBodyMemories(options.maxBodyWaitMs);
  const placeOf = createPlaces(deps, options.maxConcurrentPerTenant);
  return (route) => {
    const parser = createRequestParser(route, compilers);
    const noteIds = idRecorder(route);
    const withBody = route.runsWithoutPermit ? memories.longHeld : memories.ordinary;
    return async (request, requestId) => {
      const principal = await admit(route, request, options);
      const head = parser.parseHead(request);
      const { deps, concurrency } = await placeOf(route, principal, head);
      const admitted: AdmittedRequest = { route, request, principal, owner: ownerOf(principal), head, deps };
      return receiveBody(admitted, withBody, (rawBody, file) => {
        const once = onceOptions(admitted, rawBody, file);
        const body = parser.parseBody(head, rawBody);
        noteIds(body, request.res as Response);
        const permits = concurrency.permitsFor(admitted);
        const { params, query } = head;
        const { headers } = request;
        const sender = () => senderOf(request, options);
        const call: Call = {
          route,
          principal,
          params,
          query,
          body,
          file,
          headers,
          sender,
          requestId,
          deps,
          permits,
          once,
        };
        const run = async (): Promise<Reply> => {
          const reply = await runHandler(call, concurrency);
          return principal.kind === 'tenant' ? checkedWhileSent(reply, admissionCheck(request, options)) : reply;
        };
        const rows = route.rawBody?.rowsOf?.(rawBody as Buffer);
        // Before any transaction, so that a request that waits holds no connection.
        return rows === undefined ? run() : concurrency.withRows(admitted.owner, rows, run);
      });
    };
  };
}

/** The dependencies and the limits of the requests of one database: one that hangs uses up none of the others. */
interface Place {
  deps: ApiDeps;
  concurrency: Concurrency;
}

type PlaceOf = (route: Route, principal: Principal, head: RequestHead) => Place | Promise<Place>;

/** Gives the place of a request: the cell of its tenant, or of the tenant that the operator names in its path. */
function createPlaces(deps: ApiDeps, maxPerTenant: number): PlaceOf {
  const main: Place = { deps, concurrency: createConcurrency(maxPerTenant) };
  const { cells } = deps;
  if (!cells) return () => main;
  const places = new Map(
    cells.list.map((cell): [Cell, Place] => [
      cell,
      { deps: { ...deps, ...cell.deps }, concurrency: createConcurrency(maxPerTenant) },
    ]),
  );
  return async (route, principal, { params, faults }) => {
    if (principal.kind === 'tenant') return places.get(cells.of(principal.tenantId)) ?? main;
    const isOfTenant = principal.kind === 'platform' && route.params?.['id'] === 'tenant' && faults.length === 0;
    const cell = isOfTenant ? await cells.locate(params['id'] as string) : undefined;
    return (cell && places.get(cell)) ?? main;
  };
}

interface AdmittedRequest extends RequestToPermit {
  principal: Principal;
  deps: ApiDeps;
}

/** Reads the body, or stores the file of a form, and works on it while its memory is reserved. */
function receiveBody(
  { route, request, principal, owner, head, deps }: AdmittedRequest,
  withBody: WithBody,
  work: (rawBody: unknown, file?: ReceivedFile) => Promise<Reply>,
): Promise<Reply> {
  if (route.multipart && principal.kind === 'tenant') {
    if (head.faults.length > 0) throw invalid(head.faults);
    const scope = tenantScope(deps, principal.tenantId);
    return withFile(request, { multipart: route.multipart, scope, params: head.params }, work);
  }
  const maxBytes = maxBodyBytes(route, request);
  return withBody({ owner, maxBytes, read: (permit) => readRouteBody(route, request, permit) }, work);
}

/** Identifies a request with an Idempotency-Key, before the schema fills defaults into the body. */
function onceOptions(
  { route, request, principal, head, deps }: AdmittedRequest,
  rawBody: unknown,
  file: ReceivedFile | undefined,
): OnceOptions | undefined {
  if (head.idempotencyKey === undefined) return undefined;
  const sent = file ? { fields: rawBody, name: file.name, sha256: file.stored.sha256.toString('hex') } : rawBody;
  return {
    tenantId: principal.kind === 'tenant' ? principal.tenantId : undefined,
    operationId: route.operationId,
    key: head.idempotencyKey,
    fingerprint: fingerprint(request.method, request.path, head.search, sent) + viewOf(route, principal),
    credential: route.secretAnswer ? String(request.headers['x-api-key'] ?? readSessionToken(request)) : undefined,
    keptDays: deps.settings.idempotencyKeyDays,
  };
}

/** Separates the stored answers of callers that see records from those of callers that do not. */
const viewOf = ({ access }: Route, principal: Principal): string =>
  access.kind === 'tenant' && access.records === 'parts' && principal.kind === 'tenant' && !seesRecords(principal)
    ? ' without records'
    : '';
