import type { Identity } from '@tieout/domain';

/** The sender of a request, for the operations that grant access. */
export interface RequestSender {
  address: string;
  userAgent: string | null;
  /** Host and port that the request asked for. */
  host: string;
  /** Scheme, host and port. */
  origin: string;
  /** The token of the session of the request. */
  sessionToken: string | undefined;
  /** Finds the owner of a key in the body. @throws AppError invalid_api_key, address_not_allowed, rate_limited */
  identifyKey(key: string): Promise<Identity>;
  /** Runs an attempt to prove an identity. @throws AppError rate_limited */
  attempt<T>(account: string | null, task: () => Promise<T>): Promise<T>;
}
