import express, { type Express, type Request, type Response } from 'express';
import {
  createAuthenticator,
  createRateLimiter,
  defaultRateLimits,
  sharedBuckets,
  type RateLimits,
} from '@tieout/domain';
import {
  defaultHttpServerLimits,
  dropForwardedPorts,
  invalid,
  messageOf,
  newId,
  observeRequest,
  withContext,
  type FieldError,
  type Logger,
  type MetricsHandler,
} from '@tieout/infra';
import { consolePage } from './console-page';
import { docsPage } from './docs-page';
import type { Route } from './http/define-route';
import type { ApiDeps } from './http/deps';
import { errorReply, routeNotFound } from './http/error-reply';
import { expressMessages, type MessageClasses } from './http/express-messages';
import { createRouteHandlers } from './http/handle-route';
import { createRequestLimits } from './http/limits';
import { RequestAborted } from './http/request-body';
import { createRequestLog, noteKey } from './http/request-log';
import { send, type SentResponse } from './http/respond';
import type { Reply } from './http/reply';
import { setSecurityHeaders } from './http/security-headers';
import { createUnreadResponses } from './http/unread-responses';
import { signInPages } from './identity';
import { featureRoutes } from './routes';
import { serviceRoutes } from './routes/service/routes';

/** One answered request. */
export interface Exchange extends SentResponse {
  /** null: no route fits the request. */
  route: Route | null;
  method: string;
  path: string;
  durationMs: number;
}

interface AppOptions {
  deps: ApiDeps;
  platformKey: string;
  /** Accepted as well, while it is being replaced. */
  previousPlatformKey?: string | undefined;
  logger: Logger;
  routes?: readonly Route[];
  /** Answers GET /metrics, which is not part of the OpenAPI document. */
  metrics?: MetricsHandler;
  rateLimits?: RateLimits;
  /** Requests of one tenant that are worked on at a time. Default: 7, of the usual ten connections to the database. */
  maxConcurrentPerTenant?: number;
  /**
   * A body above 64 KiB that arrives for longer is refused once another body has waited for its memory for as long.
   * Default: 30 s.
   */
  maxBodyWaitMs?: number;
  /** Address ranges of proxies whose X-Forwarded-For is trusted. Default: none. */
  trustedProxies?: readonly string[];
  /** Receives every answer with its body. */
  onResponse?: (exchange: Exchange) => void;
}

export interface App {
  express: Express;
  /** The classes of requests and answers that its server has to use. */
  messages: MessageClasses;
  routes: readonly Route[];
  /** Returns whether an address is that of a trusted proxy. */
  isTrustedProxy(address: string): boolean;
  /** Requests that are being answered. */
  inFlight(): number;
  /** Waits at most a second for requests whose connections are gone, and for writes that requests have left to do. */
  close(): Promise<void>;
}

/** Bytes of all answers together that slow clients have not read yet. */
const maxUnreadBytes = 32 * 1024 * 1024;

const inboundRequestId = /^[A-Za-z0-9_-]{8,128}$/;

export function createApp(options: AppOptions): App {
  const { deps, logger, onResponse, trustedProxies = [] } = options;
  // Request lines hold no secrets, and redaction would cost more than the line itself.
  const requestLog = logger.child({}, { redact: [] });
  const { platformKey, previousPlatformKey } = options;
  const authenticator =
    deps.cells?.authenticator ?? createAuthenticator({ db: deps.db, logger, platformKey, previousPlatformKey });
  const routes: Route[] = [...(options.routes ?? featureRoutes)];
  routes.push(...serviceRoutes(routes));

  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', trustedProxies);
  app.set('query parser', false).enable('case sensitive routing').enable('strict routing');
  app.use((request, response, next) => {
    setSecurityHeaders(response);
    if (trustedProxies.length > 0) dropForwardedPorts(request.headers);
    const inbound = request.headers['x-request-id'];
    response.setHeader(
      'X-Request-Id',
      typeof inbound === 'string' && inboundRequestId.test(inbound) ? inbound : newId(),
    );
    next();
  });

  const unreadResponses = createUnreadResponses(maxUnreadBytes);
  const requests = new Set<Promise<void>>();
  const serve = (route: Route | null, produce: (request: Request, requestId: string) => Promise<Reply>) => {
    const logRequest = createRequestLog(requestLog, route);
    return (request: Request, response: Response): Promise<void> => {
      const startedMs = performance.now();
      const requestId = response.getHeader('X-Request-Id') as string;
      const observe = onResponse !== undefined;
      const work = withContext({ requestId }, async () => {
        let sent: SentResponse | undefined;
        let reply: Reply | undefined;
        noteKey(request.headers['x-api-key']);
        try {
          reply = await produce(request, requestId);
          sent = await send(response, reply, { observe, logger, unreadResponses });
        } catch (error) {
          if (error instanceof RequestAborted)
            logger.info(
              { method: request.method, operation: route?.operationId ?? null },
              'request aborted by the caller',
            );
          else sent = await send(response, errorReply(error, requestId, logger), { observe, logger, unreadResponses });
        }
        const elapsedMs = performance.now() - startedMs;
        observeRequest({ method: request.method, route: route?.path, status: sent?.status }, elapsedMs / 1000);
        if (!sent) return;
        const durationMs = Math.round(elapsedMs * 10) / 10;
        const { method, path } = request;
        logRequest(request, { status: sent.status, durationMs, reply });
        onResponse?.({ ...sent, route, method, path, durationMs });
      });
      requests.add(work);
      return work.finally(() => requests.delete(work));
    };
  };

  const { metrics } = options;
  if (metrics) app.get('/metrics', (request, response) => metrics(request, response));
  const notFound = serve(null, () => Promise.reject(routeNotFound()));
  const refusedHost = serve(null, (request) => Promise.reject(invalid(hostFaults(request))));
  app.use((request, response, next) => {
    if (hostFaults(request).length > 0) void refusedHost(request, response);
    // Express would answer OPTIONS itself, in another shape.
    else if (request.method === 'OPTIONS') void notFound(request, response);
    else next();
  });
  const {
    rateLimits = defaultRateLimits,
    maxConcurrentPerTenant = 7,
    maxBodyWaitMs = defaultHttpServerLimits.stallTimeoutMs,
  } = options;
  const limiter =
    deps.cells?.rateLimiter(rateLimits) ??
    createRateLimiter({ limits: rateLimits, shared: sharedBuckets(deps.db.prepared), logger });
  const handlerOf = createRouteHandlers({
    deps,
    authenticator,
    limits: createRequestLimits(limiter, rateLimits),
    maxConcurrentPerTenant,
    maxBodyWaitMs,
  });
  for (const route of routes) app[route.method](route.path, serve(route, handlerOf(route)));
  app.use(docsPage());
  const { identityProvider: provider, cipher } = deps;
  if (provider) app.use(signInPages({ provider, cipher, logger }));
  app.use(consolePage());
  app.use(notFound);
  // Handles failures outside of a route, such as paths that cannot be decoded.
  app.use((error: unknown, request: Request, response: Response, next: (error?: unknown) => void) => {
    if (response.headersSent) return next(error);
    return serve(null, () => Promise.reject(error instanceof Error ? error : new Error(messageOf(error))))(
      request,
      response,
    );
  });
  return {
    express: app,
    messages: expressMessages(app),
    routes,
    isTrustedProxy: (address) => (app.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0),
    inFlight: () => requests.size,
    close: async () => {
      await settledWithin(requests, closeGraceMs);
      await authenticator.close();
    },
  };
}

const closeGraceMs = 1_000;

/** Node.js uses the first of several Host headers; a proxy in front may have used another (RFC 9112, 3.2). */
function hostFaults({ rawHeaders, headers, httpVersion }: Request): FieldError[] {
  const path = '/headers/host';
  if (headers.host === undefined)
    return httpVersion === '1.1' ? [{ path, code: 'required', message: 'is required' }] : [];
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts > 1 ? [{ path, code: 'duplicate_header', message: 'is given more than once' }] : [];
}

async function settledWithin(work: Iterable<Promise<void>>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([Promise.allSettled(work), deadline]);
  clearTimeout(timer);
}
