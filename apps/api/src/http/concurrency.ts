import type { Request } from 'express';
import type { RunWithPermit } from '@tieout/domain';
import type { Route } from './define-route';
import { FairSemaphore, maxWaitingRequests } from './fair-semaphore';
import type { RequestHead } from './parse-request';
import type { Chunk, Reply, StreamReply } from './reply';
import { RequestAborted } from './request-body';
import { bodyOf } from './respond';

/** Max rows of all bodies that are processed at a time: a tiny row takes forty times the size of its text. */
const maxRows = 200_000;
/** Permits of the requests that share connections, per connection of a tenant. A grouped write takes one. */
const sharedPermitsPerConnection = 32;
/** Permits of a short read per block of rows. A large read delays later ones of its own tenant only. */
const shortReadCost = { permits: 8, rows: 25 };
/**
 * Max answers to one tenant that are streamed at a time. Between two chunks each keeps ids of records or compact rows.
 * Chunks wait for their readers outside of the heap, bounded by `createUnreadResponses`. The heap holds only chunks
 * being produced, bounded by the limit `reads` and the number of connections: ten of about 4 MiB (two bytes a
 * character, as rows and as text).
 */
const streamsPerTenant = 16;

export interface RequestToPermit {
  route: Route;
  request: Request;
  owner: string;
  head: RequestHead;
}

/** The semaphores that one request passes. */
export interface RequestPermits {
  /** For work that may hold a connection to the database. */
  withPermit: RunWithPermit;
  /** For the handler as a whole. */
  handler: RunWithPermit;
  /** For a first try without a connection. */
  shortRead: RunWithPermit | undefined;
}

interface StreamSource {
  owner: string;
  withPermit: RunWithPermit;
  /** Produces the reply again, after it had to be discarded. */
  produce: () => Promise<Reply>;
}

/** Limits what the requests of one tenant do at a time, so that other tenants find connections, time and memory. */
export interface Concurrency {
  permitsFor(request: RequestToPermit): RequestPermits;
  withRows<T>(owner: string, rows: number, task: () => Promise<T>): Promise<T>;
  /** Makes the chunks of a reply wait until its owner has fewer streams. */
  limitStream(reply: StreamReply, source: StreamSource): StreamReply;
}

/** @param maxPerTenant requests of one tenant that may hold a connection to the database */
export function createConcurrency(maxPerTenant: number): Concurrency {
  const perTenant = (maxPerOwner: number): FairSemaphore =>
    new FairSemaphore({ capacity: Infinity, maxPerOwner, maxWaiting: maxWaitingRequests });
  const connections = perTenant(maxPerTenant);
  const shared = perTenant(maxPerTenant * sharedPermitsPerConnection);
  const streams = perTenant(streamsPerTenant);
  const rowsOfBodies = new FairSemaphore({ capacity: maxRows });
  /** Limits the connections that reads of all tenants may hold together, so that some are left for writes. */
  const reads = { name: 'reads', capacity: maxPerTenant + 1 };
  return {
    permitsFor: ({ route, request, owner, head }) => {
      const unlessGone: RunWithPermit = (task) =>
        request.res?.destroyed === true ? Promise.reject(new RequestAborted()) : task();
      const sharing =
        (permits: number): RunWithPermit =>
        (task) =>
          shared.run(owner, permits, () => unlessGone(task));
      const limit = route.method === 'get' ? reads : undefined;
      const isGrouped = route.sharesConnection === 'group' && head.idempotencyKey === undefined;
      const withPermit: RunWithPermit = isGrouped
        ? sharing(1)
        : (task) => connections.run(owner, 1, () => unlessGone(task), limit);
      return {
        withPermit,
        handler: route.runsWithoutPermit ? unlessGone : withPermit,
        shortRead: route.sharesConnection === 'read' ? sharing(permitsOfShortRead(head.query)) : undefined,
      };
    },
    withRows: (owner, rows, task) => rowsOfBodies.run(owner, rows, task),
    limitStream: (reply, source) => ({ ...reply, chunks: chunksWithin(streams, { reply }, source) }),
  };
}

const permitsOfShortRead = ({ limit }: { limit?: number }): number =>
  shortReadCost.permits * Math.ceil((limit ?? 1) / shortReadCost.rows);

/** Holds the only reference to a reply: a waiting generator keeps alive everything its own variables have held. */
interface PendingReply {
  reply?: StreamReply | undefined;
}

/** Yields the chunks of a reply while it holds a stream permit. A reply that has to wait is produced again. */
async function* chunksWithin(
  streams: FairSemaphore,
  pending: PendingReply,
  { owner, withPermit, produce }: StreamSource,
): AsyncGenerator<Chunk, void, void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let hasPermit = false as boolean;
  const acquired = new Promise<void>((resolve, reject) => {
    const hold = (): Promise<void> => {
      hasPermit = true;
      resolve();
      return released;
    };
    streams.run(owner, 1, hold).catch(reject);
  });
  try {
    if (!hasPermit) await Promise.all([acquired, discard(pending)]);
    const reply = pending.reply ?? (await produce());
    if (reply.kind === 'stream') yield* producedWithPermit(reply.chunks, withPermit);
    else yield bodyOf(reply)?.toString() ?? '';
  } finally {
    release();
  }
}

async function discard(pending: PendingReply): Promise<void> {
  const iterator = pending.reply?.chunks[Symbol.asyncIterator]();
  pending.reply = undefined;
  await iterator?.return?.();
}

/** Takes a permit for each chunk while it is produced, so that a slow reader holds none. */
async function* producedWithPermit(
  chunks: AsyncIterable<Chunk>,
  withPermit: RunWithPermit,
): AsyncGenerator<Chunk, void, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withPermit(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
