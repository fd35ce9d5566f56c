import https, { type RequestOptions } from 'node:https';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressRules } from './addresses';
import { readBody, snippetOf } from './answer-body';
import { censorOf, type Censor } from './censor';
import { openDeadline, type Deadline } from './deadline';
import { OutboundFailure, toFailure, type Phase } from './failure';
import { blocked, GuardedAgent, PlainGuardedAgent, type PinnedOptions } from './guarded-agent';
import { createSystemResolver } from './system-resolver';
import type { BodyState, OutboundClient, OutboundPolicy, OutboundReply, OutboundRequest, ResolveHost } from './types';
import { checkHeaders, checkUrl, hostOf } from './request-rules';

interface OutboundOptions {
  /** Looks up names. Default: as the system does. Tests name their own servers. */
  resolve?: ResolveHost;
}

/** The part of a webhook's answer that is read, enough to see what the receiver meant. */
const webhookBodyBytes = 16 * 1024;

/** Limits the lookup that saving a url waits for. */
const checkTimeoutMs = 3_000;

/** Limits the addresses that are tried one after the other: hundreds of them must not use up the time. */
const maxAddresses = 8;

const maxRetryAfterLength = 100;
const maxLocationLength = 300;

interface Answer {
  data: IncomingMessage;
  body: Buffer;
  bodyState: BodyState;
  remoteAddress: string | null;
}

/**
 * Creates an HTTPS client for hosts that tenants name. No request reaches an address that is neither public nor listed
 * by the operator, goes through a proxy, follows a redirect, or waits beyond its deadline.
 * @throws ConfigError when the policy contains an invalid range
 */
export function createOutboundClient(policy: OutboundPolicy, options: OutboundOptions = {}): OutboundClient {
  const { isListed, isAllowed, isOwn } = addressRules(policy.allowCidrs);
  const rules = { allowedPorts: policy.allowedPorts, isListed, origins: policy.origins };
  const guard = { isAllowed, ...(policy.extraCa === undefined ? {} : { extraCa: policy.extraCa }) };
  const plainGuard = { isAllowed: isOwn };
  const encrypted = {
    send: https.request,
    guard,
    kept: new GuardedAgent(guard),
    fresh: new GuardedAgent({ ...guard, keepAlive: false }),
  };
  const plain = {
    send: http.request,
    guard: plainGuard,
    kept: new PlainGuardedAgent(plainGuard),
    fresh: new PlainGuardedAgent({ ...plainGuard, keepAlive: false }),
  };
  const system = createSystemResolver();
  const resolve = options.resolve ?? system.resolve;

  /** Resolves the addresses to connect to. One forbidden address refuses all: the name may lead there later. */
  const allowedAddresses = async (
    host: string,
    deadline: Deadline,
    isReachable = isAllowed,
  ): Promise<readonly string[]> => {
    if (isIP(host) !== 0) return [host];
    const addresses = await deadline.within(resolve(host, deadline.signal));
    if (addresses.length === 0) throw new OutboundFailure('dns_error', 'The host name has no address');
    if (!addresses.every(isReachable)) throw blocked();
    return [...new Set(addresses)].slice(0, maxAddresses);
  };

  const attempt = async (
    request: OutboundRequest,
    deadline: Deadline,
    enter: (phase: Phase) => void,
  ): Promise<Answer> => {
    const verdict = checkUrl(request.url, rules);
    if (!verdict.ok) throw new OutboundFailure('blocked_address', `The url ${verdict.message}`);
    // Plain HTTP is used only for an http origin of the operator.
    const transport = verdict.url.startsWith('http:') ? plain : encrypted;
    // Most processes send nothing: they start without it.
    const { default: axios } = await import('axios');
    const addresses = await allowedAddresses(hostOf(new URL(verdict.url)), deadline, transport.guard.isAllowed);
    enter('connection');
    let keptIsSilent = false;
    const send = (agent: http.Agent) =>
      axios.request<IncomingMessage>({
        method: request.method,
        url: verdict.url,
        data: request.body,
        // Turns off the defaults of axios, unless the caller sets them.
        headers: {
          Accept: '*/*',
          'Accept-Encoding': false,
          'Content-Type': false,
          'User-Agent': false,
          ...request.headers,
        },
        responseType: 'stream',
        validateStatus: null,
        maxRedirects: 0,
        decompress: false,
        proxy: false,
        httpAgent: agent,
        httpsAgent: agent,
        signal: deadline.signal,
        transport: {
          request: (own: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => {
            const pinned: PinnedOptions = { ...own, addresses };
            return follow(transport.send(pinned, onAnswer), enter, (silent) => (keptIsSilent = silent));
          },
        },
      });
    const { data } = await send(request.ownConnection === true ? transport.fresh : transport.kept).catch(
      (error: unknown) => {
        const failure = toFailure(error, 'answer');
        if (!keptIsSilent || deadline.signal.aborted || failure?.outcome !== 'connection_reset') throw error;
        if (request.repeatable === true) return send(transport.fresh);
        throw new OutboundFailure(
          'connection_reset',
          `${failure.message}; it had been kept from a request before`,
          true,
        );
      },
    );
    const remoteAddress = data.socket.remoteAddress ?? null;
    return { data, remoteAddress, ...(await readBody(data, request.maxBodyBytes, deadline.expired)) };
  };

  const request = async (wanted: OutboundRequest): Promise<OutboundReply> => {
    checkHeaders(wanted.headers);
    const startedAt = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAt);
    const deadline = openDeadline(wanted.deadlineMs, wanted.signal);
    let phase: Phase = 'name lookup';
    try {
      const { data, ...answer } = await attempt(wanted, deadline, (next) => (phase = next));
      return {
        ...judge(data, censorOf(wanted.headers)),
        ...answer,
        headers: data.headers,
        durationMs: durationMs(),
        staleConnection: false,
      };
    } catch (error) {
      if (!deadline.expired()) wanted.signal?.throwIfAborted();
      const failure = deadline.expired() ? timeoutFailure(phase, wanted.deadlineMs) : toFailure(error, phase);
      if (failure === null) throw error;
      const { outcome, message, staleConnection } = failure;
      return { outcome, error: message, durationMs: durationMs(), staleConnection, ...noAnswer };
    } finally {
      deadline.close();
    }
  };

  return {
    request,
    checkUrl: (url) => checkUrl(url, rules),
    checkResolved: async (text) => {
      const verdict = checkUrl(text, rules);
      if (!verdict.ok) return verdict;
      const deadline = openDeadline(checkTimeoutMs);
      try {
        await allowedAddresses(hostOf(new URL(verdict.url)), deadline);
      } catch (error) {
        const failure = deadline.expired() ? null : toFailure(error, 'name lookup');
        if (failure?.outcome === 'blocked_address')
          return { ok: false, reason: 'not_allowed', message: 'must name a host whose addresses are all public' };
        // A name that does not exist today may exist when it is used; every attempt looks it up again.
      } finally {
        deadline.close();
      }
      return verdict;
    },
    post: async (wanted) => {
      const reply = await request({ ...wanted, method: 'POST', maxBodyBytes: webhookBodyBytes });
      const censor = censorOf(wanted.headers);
      const retryAfter = reply.headers['retry-after'];
      return {
        outcome: reply.outcome,
        httpStatus: reply.httpStatus,
        durationMs: reply.durationMs,
        responseSnippet: snippetOf(reply.body, censor, reply.bodyState !== 'complete'),
        bodyState: reply.bodyState,
        remoteAddress: reply.remoteAddress,
        retryAfter: retryAfter === undefined ? null : (censor(retryAfter)?.slice(0, maxRetryAfterLength) ?? null),
        error: reply.error,
        staleConnection: reply.staleConnection,
      };
    },
    close: async () => {
      for (const { kept, fresh } of [encrypted, plain]) {
        kept.destroy();
        fresh.destroy();
      }
      system.close();
    },
  };
}

const noAnswer = { httpStatus: null, headers: {}, body: Buffer.alloc(0), bodyState: null, remoteAddress: null };

function timeoutFailure(phase: Phase, deadlineMs: number): OutboundFailure {
  return new OutboundFailure(
    'timeout',
    `${phase === 'name lookup' ? 'The host name was not resolved' : `No ${phase}`} within ${deadlineMs / 1000} s`,
  );
}

function judge(
  { statusCode, headers }: IncomingMessage,
  censor: Censor,
): Pick<OutboundReply, 'outcome' | 'httpStatus' | 'error'> {
  const httpStatus = statusCode as number;
  if (httpStatus >= 200 && httpStatus < 300) return { outcome: 'delivered', httpStatus, error: null };
  if (httpStatus >= 300 && httpStatus < 400) {
    const target = headers.location === undefined ? null : censor(headers.location);
    const location = target === null ? '' : ` to ${target.slice(0, maxLocationLength)}`;
    return {
      outcome: 'redirect',
      httpStatus,
      error:
        `The answer was a redirect (${httpStatus})${location}; ` +
        'redirects are not followed, so the url must be the final one',
    };
  }
  return { outcome: 'http_status', httpStatus, error: `The answer had status ${httpStatus}` };
}

/** Reports the phase of a request, and whether its kept connection has been silent since it was taken. */
function follow(
  request: ClientRequest,
  enter: (phase: Phase) => void,
  setKeptIsSilent: (silent: boolean) => void,
): ClientRequest {
  return request.once('socket', (socket) => {
    setKeptIsSilent(request.reusedSocket);
    if (request.reusedSocket) {
      socket.once('data', () => setKeptIsSilent(false));
      return enter('answer');
    }
    socket.once('connect', () => enter('encrypted' in socket ? 'TLS handshake' : 'answer'));
    socket.once('secureConnect', () => enter('answer'));
  });
}
