import type { IncomingMessage, ServerResponse } from 'node:http';
import { processMetrics } from './process-metrics';

/** Labels are kept for ever, so that an invented method must not create one. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface AnsweredRequest {
  method: string;
  /** The declared route; undefined when none matches. */
  route: string | undefined;
  /** Undefined when the caller left before the answer. */
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

/** Observes a request when its answer has ended. */
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
