import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createClient, TieoutError } from '@tieout/client';
import { checkReadiness, messageOf, type Logger, type ReadinessChecks } from '@tieout/infra';
import { Sessions } from './sessions';

export interface AgentHttpOptions {
  apiUrl: string;
  maxSessions: number;
  /** Origins of web pages that may use it; a program that is no browser sends none. */
  allowedOrigins: readonly string[];
  checks: ReadinessChecks;
  logger: Logger;
}

/** Answers agents over HTTP. */
export interface AgentHttp {
  handle: RequestListener;
  close: () => Promise<void>;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

function send(response: ServerResponse, status: number, body: object, more: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, ...more }).end(JSON.stringify(body));
}

/** Refuses a request in the form of JSON-RPC, which clients of the protocol read. */
const refuse = (response: ServerResponse, { status, code, message, headers: more }: Refusal): void =>
  send(response, status, { jsonrpc: '2.0', error: { code: -32_000, message, data: { code } }, id: null }, more);

/** The headers by which a browser lets a page of another origin ask, and read the answers. */
const corsHeaders = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, MCP-Session-Id',
  'Access-Control-Expose-Headers': 'MCP-Session-Id, Retry-After, WWW-Authenticate',
  'Access-Control-Max-Age': '600',
  Vary: 'Origin',
});

const askForKey = { 'WWW-Authenticate': 'Bearer' };

const keyOf = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^Bearer +([!-~]{1,512})$/i.exec(authorization)?.[1];

const sessionIdOf = ({ headers: sent }: IncomingMessage): string | undefined => {
  const id = sent['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
};

const platformKeyMessage =
  'The platform key acts for no tenant here: use a key of the tenant, with the scopes it needs';

/** Finds what is wrong with a key before it gets a session. */
async function faultOfKey(apiUrl: string, key: string): Promise<Refusal | undefined> {
  try {
    await createClient({ baseUrl: apiUrl, apiKey: key, maxRetries: 0, timeoutMs: 10_000 }).getMe();
    return undefined;
  } catch (error) {
    if (!(error instanceof TieoutError)) throw error;
    const { status, code, message } = error;
    if (status === 401) return { status, code, message, headers: askForKey };
    if (code === 'tenant_required') return { status: 403, code, message: platformKeyMessage };
    if (status === 403 || status === 429) return { status, code, message };
    return { status: 503, code, message: 'The service does not answer: try again later' };
  }
}

/** Creates the handler of requests. Keys are passed on, and neither kept in clear nor logged. */
export function createAgentHttp(options: AgentHttpOptions): AgentHttp {
  const { apiUrl, allowedOrigins, checks, logger } = options;
  const sessions = new Sessions(options);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return send(response, 200, { status: 'ok' });
    if (path === '/readyz') {
      const { ready, checks: results } = await checkReadiness(checks);
      return send(response, ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks: results });
    }
    if (path !== '/mcp') return refuse(response, { status: 404, code: 'route_not_found', message: 'Agents use /mcp' });
    const { origin } = request.headers;
    if (origin !== undefined && !allowedOrigins.includes(origin)) {
      const message = 'Web pages of this origin may not use it: MCP_ALLOWED_ORIGINS lists those that may';
      return refuse(response, { status: 403, code: 'origin_not_allowed', message });
    }
    if (origin !== undefined) {
      for (const [name, value] of Object.entries(corsHeaders(origin))) response.setHeader(name, value);
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    }
    const key = keyOf(request);
    if (key === undefined) {
      const message = 'Send a key of Tieout: Authorization: Bearer <key>';
      return refuse(response, { status: 401, code: 'missing_api_key', message, headers: askForKey });
    }
    return answerAgent(key, request, response);
  }

  async function answerAgent(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = sessionIdOf(request);
    if (id !== undefined) {
      const session = sessions.find(id, key);
      if (session) return sessions.answer(session, request, response);
      return refuse(response, {
        status: 404,
        code: 'session_not_found',
        message: 'Session not found: initialize again',
      });
    }
    const fault = await faultOfKey(apiUrl, key);
    if (fault) return refuse(response, fault);
    if (sessions.hasRoom(key)) return sessions.begin(key, request, response);
    const message = 'Too many agents are connected: end a session, or try again later';
    return refuse(response, { status: 503, code: 'too_many_sessions', message, headers: { 'Retry-After': '60' } });
  }

  return {
    handle: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        logger.error({ reason: messageOf(error) }, 'a request failed');
        if (response.headersSent) response.destroy();
        else refuse(response, { status: 500, code: 'internal_error', message: 'The request failed' });
      });
    },
    close: () => sessions.close(),
  };
}
