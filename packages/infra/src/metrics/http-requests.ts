import type { IncomingMessage, ServerResponse } from 'node:http';
import { processMetrics } from './process-metrics';

/** Labels are kept for ever: a made-up method must not make one. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface AnsweredRequest {
  method: string;
  /** As declared; undefined where there is none for the request. */
  route: string | undefined;
  /** Undefined when the caller has left before it was answered. */
  status: number | undefined;
}

export function observeRequest({ method, route = 'none', status }: AnsweredRequest, seconds: number): void {
  processMetrics.observe(
    'tieout_http_request_duration_seconds',
    {
      method: methods.has(method) ? method : 'other',
      route,
      status: status === undefined ? 'aborted' : String(status),
    },
    seconds,
  );
}

/** Observes a request when its answer is over. */
export function observeWhenAnswered(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  route: string | undefined,
): void {
  const startedMs = performance.now();
  response.once('close', () =>
    observeRequest(
      { method, route, status: response.writableFinished ? response.statusCode : undefined },
      (performance.now() - startedMs) / 1000,
    ),
  );
}
