import {
  checkReadiness,
  createReadiness,
  dropForwardedPorts,
  observeWhenAnswered,
  type Logger,
  type MetricsHandler,
  type ReadinessChecks,
} from '@tieout/infra';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { requireCredentials } from './basic-auth';
import { boardPath, createBoard, type BoardQueue } from './board';
import type { Credentials } from './config';
import { refuseCrossSite } from './same-origin';

export interface DashboardOptions {
  queues: readonly BoardQueue[];
  credentials: Credentials;
  /** Address ranges of proxies whose X-Forwarded-For is trusted. Default: none. */
  trustedProxies?: readonly string[];
  checks: ReadinessChecks;
  logger: Logger;
  /** Answers GET /metrics. */
  metrics: MetricsHandler;
}

const self = ["'self'"];
const none = ["'none'"];

/**
 * Lets the page load from this origin only. Its editors of job data insert stylesheets into the page, hence the
 * exception for inline styles; scripts have none.
 */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      scriptSrc: self,
      styleSrc: [...self, "'unsafe-inline'"],
      imgSrc: [...self, 'data:'],
      fontSrc: self,
      connectSrc: self,
      workerSrc: self,
      baseUri: self,
      formAction: self,
      frameAncestors: none,
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
});

/** The route labels of the metrics; a request gets the first that its path begins with. */
const routes = ['/healthz', '/readyz', '/metrics', `${boardPath}/static`, `${boardPath}/api`, boardPath];

const observe: RequestHandler = (request, response, next) => {
  observeWhenAnswered(
    request,
    response,
    routes.find((route) => request.path === route || request.path.startsWith(`${route}/`)),
  );
  next();
};

const cacheControl =
  (value: string): RequestHandler =>
  (_request, response, next) => {
    response.set('Cache-Control', value);
    next();
  };

const readForwarded: RequestHandler = (request, _response, next) => {
  dropForwardedPorts(request.headers);
  next();
};

/** Logs who retried, removed or paused something. */
function logChanges(logger: Logger): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const { method, originalUrl: path } = request;
      response.on('finish', () =>
        logger.info({ method, path, status: response.statusCode, address: request.ip }, 'changed by on-call'),
      );
    }
    next();
  };
}

/** Refuses requests while the store is away, so that the page can say so: BullMQ would wait for it without end. */
function requireStore({ checks }: DashboardOptions): RequestHandler {
  return async (_request, response, next) => {
    const { ready } = await checkReadiness(checks);
    if (ready) return next();
    response.status(503).json({ error: 'The store of the queues does not answer' });
  };
}

/**
 * Creates the Express app: /healthz and /readyz are public, /metrics has its own token, everything else needs
 * credentials.
 */
export function createDashboard(options: DashboardOptions): Express {
  const app = express();
  const { trustedProxies = [] } = options;
  app.disable('x-powered-by').set('trust proxy', trustedProxies);
  if (trustedProxies.length > 0) app.use(readForwarded);
  app.use(observe, securityHeaders, cacheControl('no-store'));
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  const readiness = createReadiness(options.checks, options.logger);
  app.get('/readyz', async (_request, response) => {
    const { ready, checks } = await readiness();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'error', checks });
  });
  app.get('/metrics', (request, response) => options.metrics(request, response));
  app.use(requireCredentials(options.credentials, options.logger), refuseCrossSite, logChanges(options.logger));
  app.get('/', (_request, response) => response.redirect(boardPath));
  // The names of the page's own files carry a hash of their content.
  app.use(`${boardPath}/static`, cacheControl('private, max-age=86400'));
  app.use(`${boardPath}/api`, requireStore(options));
  app.use(boardPath, ...createBoard(options.queues));
  return app;
}
