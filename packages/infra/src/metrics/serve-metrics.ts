import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type } from '@sinclair/typebox';
import type { MetricRegistry } from './registry';

export const metricsSettings = {
  METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description:
        'Who reads /metrics sends it: "Authorization: Bearer <token>". ' +
        'Without it, only callers on the same machine may read',
    }),
  ),
} as const;

export type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers GET /metrics. */
export function metricsHandler(registry: MetricRegistry, token: string | undefined): MetricsHandler {
  return (request, response) => {
    if (!mayRead(request, token)) return refuse(response, token);
    registry.text().then(
      (text) =>
        response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const loopback = /^(::ffff:)?127\.|^::1$/;
/** Headers that show that a proxy has forwarded the request of another machine. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function mayRead({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined)
    return loopback.test(socket.remoteAddress ?? '') && !forwarding.some((name) => name in headers);
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function refuse(response: ServerResponse, token: string | undefined): void {
  const message =
    token === undefined
      ? 'Set METRICS_TOKEN for this process and send it: "Authorization: Bearer <token>". ' +
        'Without it, only callers on the same machine may read the metrics'
      : 'Send METRICS_TOKEN of this process: "Authorization: Bearer <token>"';
  const requestId = response.getHeader('x-request-id');
  const body = {
    status: 'error',
    code: 'metrics_token_required',
    message,
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
  response.writeHead(401, {
    'content-type': 'application/json; charset=utf-8',
    'www-authenticate': 'Bearer',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
