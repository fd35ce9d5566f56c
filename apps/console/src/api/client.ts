import { createClient, TieoutError, type components } from '@tieout/client';
import { QueryClient } from '@tanstack/react-query';
import { send } from './session';

/** A person waits: a late answer is shown as a failure, with a way to try again. */
export const tieout = createClient({ baseUrl: location.origin, fetch: send, maxRetries: 2, timeoutMs: 30_000 });

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client retries requests itself. A cut connection is reported, not waited for.
    queries: { retry: false, staleTime: 10_000, gcTime: 300_000, networkMode: 'always', refetchOnReconnect: true },
  },
});

export const asTieoutError = (error: unknown): TieoutError =>
  error instanceof TieoutError
    ? error
    : new TieoutError(error instanceof Error ? error.message : String(error), { status: 0, code: 'internal' });

/** Returns whether the service refuses what was sent: the same would be refused again. */
export const isRefused = (error: unknown): boolean => asTieoutError(error).errors.length > 0;

/** Returns whether somebody else has changed the records since they were read. */
export const isOutrun = (error: unknown): boolean => [404, 409].includes(asTieoutError(error).status);
