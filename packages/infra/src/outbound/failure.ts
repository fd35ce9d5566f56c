import { messageOf } from '../kernel/errors';
import type { PostOutcome } from './types';

/** An attempt ended without an answer. The message is for people and contains no secret. */
export class OutboundFailure extends Error {
  constructor(
    readonly outcome: PostOutcome,
    message: string,
    readonly staleConnection = false,
  ) {
    super(message);
  }
}

/** The phase of an attempt, on which the meaning of an error depends. */
export type Phase = 'name lookup' | 'connection' | 'TLS handshake' | 'answer';

const refused: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens on the port',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The network of the address cannot be reached',
  EADDRNOTAVAIL: 'The address cannot be connected to',
  EACCES: 'The connection was refused by a firewall',
  EPERM: 'The connection was refused by a firewall',
};

const reset = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Interprets an error of the network, of TLS or of the HTTP parser; gives null for any other error. */
export function toFailure(error: unknown, phase: Phase): OutboundFailure | null {
  const cause = rootOf(error);
  if (cause instanceof OutboundFailure) return cause;
  const code = codeOf(cause);
  if (phase === 'name lookup')
    return new OutboundFailure('dns_error', `The host name could not be resolved (${code ?? messageOf(cause)})`);
  if (code === null) return null;
  if (code in refused) return new OutboundFailure('connection_refused', `${refused[code]} (${code})`);
  if (reset.has(code))
    return new OutboundFailure(
      'connection_reset',
      `The connection was closed during the ${phase}, before an answer (${code})`,
    );
  if (code === 'ETIMEDOUT') return new OutboundFailure('timeout', `The ${phase} timed out (${code})`);
  // Errors of OpenSSL and of the checks of certificate and names; the codes of certificates have no common form.
  if (phase === 'TLS handshake' || /^(EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code))
    return new OutboundFailure('tls_error', tlsMessage(code, messageOf(cause)));
  return new OutboundFailure('protocol_error', `The answer is not valid HTTP/1.1 (${code})`);
}

/** Unwraps the error of an HTTP client; when several addresses were tried, the first error counts. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootOf(error.cause);
  return error;
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

const untrustedIssuer =
  'The certificate is issued by an authority that is not trusted, ' +
  'or the receiver does not send its intermediate certificates';

const certificateFaults: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name',
};

/** Extracts the reason from a message of OpenSSL: `…:SSL routines:<function>:<reason>:…`. */
const opensslReason = /:SSL routines:[^:]*:([^:]+):/;

function tlsMessage(code: string, message: string): string {
  const [, reason] = opensslReason.exec(message) ?? [];
  if (reason !== undefined) return `No TLS 1.2 or 1.3 connection could be made: ${reason} (${code})`;
  return `${certificateFaults[code] ?? 'The certificate is not accepted'} (${code})`;
}
