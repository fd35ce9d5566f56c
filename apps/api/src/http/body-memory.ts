import { FairSemaphore, maxWaitingRequests, type Permit } from './fair-semaphore';
import type { ArrivedBody } from './request-body';

const kiB = 1024;
const miB = 1024 * kiB;

/** Bodies up to this size, and parsed values up to this size, do not wait for memory. */
const freeBytes = 64 * kiB;
const largeBodyBytes = miB;
/** Large bodies that are worked on at a time, in bytes; twice as many may arrive. Each takes several times its size. */
const maxLargeBodiesBytes = 33 * miB;
/** Parsed JSON that is worked on at a time. */
const maxParsedBytes = 64 * miB;

interface IncomingBody {
  owner: string;
  /** Its size, or the most that it may have where its size is not announced. */
  maxBytes: number;
  /** Reads it; with a permit the read may be preempted. */
  read: (permit?: Permit) => Promise<ArrivedBody>;
}

/**
 * Reads a body, parses it and works on the value, each as soon as there is memory for it. A body keeps the memory of
 * its arrival until the work is done.
 */
export type WithBody = <T>(body: IncomingBody, work: (value: unknown) => Promise<T>) => Promise<T>;

interface BodyMemories {
  ordinary: WithBody;
  /** A separate memory for routes without a permit, which keep bodies for seconds: others do not wait for them. */
  longHeld: WithBody;
}

/** @param maxWaitMs a body that arrives for longer is refused once another has waited for its memory for as long */
export function createBodyMemories(maxWaitMs: number): BodyMemories {
  return {
    ordinary: createBodyMemory({
      maxLargeBytes: maxLargeBodiesBytes,
      maxParsed: maxParsedBytes,
      ownerShare: 1 / 2,
      maxWaitMs,
    }),
    // With a share of less than half, two owners leave memory to a third.
    longHeld: createBodyMemory({
      maxLargeBytes: maxLargeBodiesBytes / 2,
      maxParsed: maxParsedBytes / 2,
      ownerShare: 3 / 8,
      maxWaitMs,
    }),
  };
}

interface BodyMemoryOptions {
  maxLargeBytes: number;
  maxParsed: number;
  /** Share of the arriving and of the parsed bytes that one owner may hold. */
  ownerShare: number;
  maxWaitMs: number;
}

function createBodyMemory(options: BodyMemoryOptions): WithBody {
  const { maxLargeBytes, maxParsed, ownerShare, maxWaitMs } = options;
  const arrival = {
    capacity: 2 * maxLargeBytes,
    maxPerOwner: 2 * maxLargeBytes * ownerShare,
    maxWaitMs,
  };
  const arriving = new FairSemaphore({ ...arrival, maxWaiting: maxWaitingRequests });
  const largeArriving = new FairSemaphore(arrival);
  const largeBodies = new FairSemaphore({ capacity: maxLargeBytes });
  const parsed = new FairSemaphore({
    capacity: maxParsed,
    maxPerOwner: maxParsed * ownerShare,
    maxWaiting: maxWaitingRequests,
  });
  return async ({ owner, maxBytes, read }, work) => {
    const parseAndWork = ({ memoryBytes, parse }: ArrivedBody) =>
      memoryBytes <= freeBytes ? work(parse()) : parsed.run(owner, memoryBytes, () => work(parse()));
    if (maxBytes <= freeBytes) return parseAndWork(await read());
    if (maxBytes <= largeBodyBytes)
      return arriving.run(owner, maxBytes, async (permit) => parseAndWork(await read(permit)));
    return largeArriving.run(owner, maxBytes, async (permit) => {
      const body = await read(permit);
      return largeBodies.run(owner, maxBytes, () => parseAndWork(body));
    });
  };
}
