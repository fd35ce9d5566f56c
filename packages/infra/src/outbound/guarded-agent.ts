import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { Duplex } from 'node:stream';
import { OutboundFailure } from './failure';

/** A request with the checked addresses of its host. */
export interface PinnedOptions extends https.RequestOptions {
  addresses?: readonly string[];
}

interface GuardOptions {
  isAllowed(address: string): boolean;
  extraCa?: string | Buffer;
  /** When false, every request gets its own connection. Default: connections are kept for a moment. */
  keepAlive?: boolean;
}

/**
 * Shorter than the idle limit of common servers, so that a server hardly ever closes a connection that was just taken.
 */
const idleMs = 1_000;

/** Each of several addresses gets this long before the next one is tried too; eight of them fit in five seconds. */
const nextAddressMs = 500;

export const blocked = (): OutboundFailure =>
  new OutboundFailure(
    'blocked_address',
    'The host resolves to an address that must not be reached like this; no connection was made',
  );

/**
 * Connects to checked addresses only, even if the caller forgot to check. A connection is kept for a moment and serves
 * only requests whose host resolves to the same addresses.
 */
export class GuardedAgent extends https.Agent {
  constructor(private readonly guard: GuardOptions) {
    super({
      keepAlive: guard.keepAlive ?? true,
      timeout: idleMs,
      scheduling: 'lifo',
      maxCachedSessions: 1_000,
      // These options override NODE_TLS_REJECT_UNAUTHORIZED and --tls-min-v1.0.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      // Created once: reading all root certificates per connection costs more than the connection.
      secureContext: createSecureContext({
        minVersion: 'TLSv1.2',
        ...(guard.extraCa === undefined ? {} : { ca: [...rootCertificates, guard.extraCa] }),
      }),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressMs,
    });
  }

  override getName(options?: PinnedOptions): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(
    options: PinnedOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    return watch(super.createConnection(pin(options, this.guard), callback), this.guard);
  }
}

/** A `GuardedAgent` without encryption. */
export class PlainGuardedAgent extends http.Agent {
  constructor(private readonly guard: Pick<GuardOptions, 'isAllowed' | 'keepAlive'>) {
    super({
      keepAlive: guard.keepAlive ?? true,
      timeout: idleMs,
      scheduling: 'lifo',
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressMs,
    });
  }

  override getName(options?: http.AgentOptions & PinnedOptions): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(
    options: PinnedOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    return watch(super.createConnection(pin(options, this.guard), callback), this.guard);
  }
}

/** Extends the key of kept connections by the addresses of the host. */
const nameOf = (name: string, options: PinnedOptions | undefined): string =>
  `${name}:${[...(options?.addresses ?? [])].sort().join()}`;

/** @throws OutboundFailure when an address is not allowed */
function pin(options: PinnedOptions, { isAllowed }: Pick<GuardOptions, 'isAllowed'>): PinnedOptions {
  const host = options.host ?? '';
  const addresses = isIP(host) === 0 ? (options.addresses ?? []) : [host];
  if (addresses.length === 0 || !addresses.every((address) => isAllowed(address))) throw blocked();
  return { ...options, lookup: answerWith(addresses) };
}

/** Checks the remote address before anything is sent, the handshake included. */
function watch<S extends Duplex | null | undefined>(socket: S, { isAllowed }: Pick<GuardOptions, 'isAllowed'>): S {
  // Prepended: the handshake listens for the same event. A connection without an address is broken already.
  socket?.prependOnceListener('connect', () => {
    const { remoteAddress } = socket as unknown as Socket;
    if (remoteAddress !== undefined && !isAllowed(remoteAddress)) socket.destroy(blocked());
  });
  return socket;
}

const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) return process.nextTick(callback, null, found);
    process.nextTick(callback, null, found[0]?.address, found[0]?.family);
  };
