import { setTimeout as sleep } from 'node:timers/promises';
import type { AppError, Logger, OutboundClient, OutboundReply } from '@tieout/infra';
import type { BaseUrl } from '../base-url';
import {
  providerAuthFailed,
  providerBadResponse,
  providerRateLimited,
  providerRejected,
  providerResourceNotFound,
  providerTimeout,
  providerUnavailable,
} from '../failures';

export interface ProviderClientOptions {
  base: BaseUrl;
  /** Credential of the base's origin; undefined: requests carry none. */
  credential: string | undefined;
  outbound: OutboundClient;
  /** Timeout of one request. */
  timeoutMs: number;
  logger: Logger;
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path segments below the base; each is encoded. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: object;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Deadline of the work that the request is part of (performance.now()). */
  endsAt?: number;
}

/** Sends requests to one base url, and names every kind of failure. */
export interface ProviderClient {
  /**
   * Returns the JSON of the answer. A GET with a transient failure is sent up to three times.
   * @throws AppError provider_*
   */
  send(request: ProviderRequest): Promise<unknown>;
}

const maxBytes = 5 * 1024 * 1024;
const maxAttempts = 3;
const firstPauseMs = 100;
/** A longer Retry-After ends the request instead of delaying it. */
const maxPauseMs = 1_000;
const defaultRetryAfterSeconds = 30;
const maxRetryAfterSeconds = 3_600;

type Verdict = { ok: true; body: unknown } | { ok: false; error: AppError; retryInMs: number | null };

export function createProviderClient({
  base,
  credential,
  outbound,
  timeoutMs,
  logger,
}: ProviderClientOptions): ProviderClient {
  const headersOf = (request: ProviderRequest): Record<string, string> => ({
    Accept: 'application/json',
    'User-Agent': 'Tieout/1.0',
    ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  });

  const attempt = async (request: ProviderRequest): Promise<Verdict> => {
    const deadlineMs = Math.min(timeoutMs, (request.endsAt ?? Infinity) - performance.now());
    if (deadlineMs <= 0) return { ok: false, error: providerTimeout(), retryInMs: null };
    const reply = await outbound.request({
      method: request.method,
      url: urlOf(base, request),
      headers: headersOf(request),
      deadlineMs,
      maxBodyBytes: maxBytes,
      repeatable: request.method === 'GET',
      ...(request.body === undefined ? {} : { body: Buffer.from(JSON.stringify(request.body)) }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const verdict = judge(reply, request.method, timeoutMs);
    if (!verdict.ok) {
      const { outcome, httpStatus, durationMs, error } = reply;
      logger.warn(
        {
          provider: base.origin,
          method: request.method,
          what: request.path.at(-1),
          outcome,
          httpStatus,
          durationMs,
          reason: error ?? verdict.error.cause,
          code: verdict.error.code,
        },
        'a provider failed',
      );
    }
    return verdict;
  };

  return {
    send: async (request) => {
      for (let sent = 1; ; sent++) {
        const verdict = await attempt(request);
        if (verdict.ok) return verdict.body;
        const { error, retryInMs } = verdict;
        if (request.method !== 'GET' || retryInMs === null || sent === maxAttempts) throw error;
        const pauseMs = retryInMs + firstPauseMs * 2 ** (sent - 1) * (1 + Math.random());
        if (performance.now() + pauseMs > (request.endsAt ?? Infinity)) throw error;
        await sleep(pauseMs, undefined, request.signal ? { signal: request.signal } : {});
      }
    },
  };
}

/** @throws AppError provider_resource_not_found for an id that would lead elsewhere */
function urlOf({ origin, prefix }: BaseUrl, { path, query }: ProviderRequest): string {
  const segments = path.map((segment) => {
    if (segment === '' || segment === '.' || segment === '..') throw providerResourceNotFound();
    return encodeURIComponent(segment);
  });
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return `${origin}${prefix}/${segments.join('/')}${search}`;
}

function judge(reply: OutboundReply, method: string, timeoutMs: number): Verdict {
  switch (reply.outcome) {
    case 'delivered':
      // The answer to a deletion holds no data.
      return method === 'DELETE' ? { ok: true, body: null } : bodyOf(reply, timeoutMs);
    case 'http_status':
      return refusal(reply, method);
    case 'redirect':
      return final(providerBadResponse('it answered with a redirect, which is not followed'));
    case 'protocol_error':
      return final(providerBadResponse('it does not speak HTTP'));
    case 'timeout':
      return final(providerTimeout());
    case 'dns_error':
    case 'connection_refused':
    case 'connection_reset':
      return transient(providerUnavailable());
    case 'tls_error':
    case 'blocked_address':
      return final(providerUnavailable());
  }
}

const final = (error: AppError): Verdict => ({ ok: false, error, retryInMs: null });
const transient = (error: AppError, retryInMs = 0): Verdict => ({ ok: false, error, retryInMs });

function bodyOf({ body, bodyState, httpStatus }: OutboundReply, timeoutMs: number): Verdict {
  if (httpStatus === 206) return final(providerBadResponse('the answer is partial (206) without a request for a part'));
  if (bodyState === 'deadline')
    return final(providerTimeout(`the answer had begun, but was not there after ${timeoutMs} ms`));
  if (bodyState === 'error') return transient(providerUnavailable('the answer broke off'));
  if (bodyState === 'truncated') return final(providerBadResponse(`the answer is longer than ${maxBytes} bytes`));
  try {
    return { ok: true, body: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch {
    // The parser's message would quote the answer.
    return final(providerBadResponse('the answer is not JSON in UTF-8'));
  }
}

function refusal({ httpStatus, headers }: OutboundReply, method: string): Verdict {
  const status = httpStatus ?? 0;
  if (status === 401 || status === 403) return final(providerAuthFailed());
  if (status === 404 || status === 410) return final(providerResourceNotFound());
  if (status === 429) {
    const seconds = retryAfterSeconds(headers['retry-after']);
    return seconds * 1_000 <= maxPauseMs
      ? transient(providerRateLimited(seconds), seconds * 1_000)
      : final(providerRateLimited(seconds));
  }
  // A GET carries ids only, so a provider has nothing to refuse in it.
  if (method !== 'GET' && (status === 400 || status === 409 || status === 422)) return final(providerRejected());
  if (status >= 500) return transient(providerUnavailable(`it answered ${status}`));
  return final(providerBadResponse(`it answered ${status}`));
}

/** Parses the header in either form: seconds, or a date. */
function retryAfterSeconds(text: string | undefined): number {
  if (text === undefined) return defaultRetryAfterSeconds;
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.min(maxRetryAfterSeconds, Math.max(1, seconds)) : defaultRetryAfterSeconds;
}
