import {
  createFileHandlers,
  createItemHandlers,
  createMaintenanceHandlers,
  createMatchingHandlers,
  createRecordHandlers,
  createInquiryHandlers,
  jobCatalog,
  normaliseInPlace,
  whileActive,
  type ItemPolicy,
  type OpenFinanceProvider,
} from '@tieout/domain';
import { createConsumer, type Cipher, type Consumer } from '@tieout/infra';
import { watchQueues, type TestService } from '@tieout/testing';

/** The workers of the service, in this process. */
interface WorkQueues {
  /** Runs the jobs of a queue from now on; until then they wait. */
  start(queue: WorkedQueue): Promise<void>;
  /** Resolves when the queue, which this starts, is empty. */
  drain(queue: WorkedQueue): Promise<void>;
  /** Leaves further jobs in the queue. */
  stop(queue: WorkedQueue): Promise<void>;
  /** Stops all queues and removes what waits in them. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

type WorkedQueue = 'ingest' | 'matching' | 'items' | 'maintenance';

export function createWorkQueues(
  { deps, queueSettings }: TestService,
  itemDeps: { provider: OpenFinanceProvider; cipher: Cipher; policy: ItemPolicy },
): WorkQueues {
  const common = { catalog: jobCatalog, settings: queueSettings, logger: deps.logger, concurrency: 2 };
  const consume: Record<WorkedQueue, () => Promise<Consumer>> = {
    ingest: () =>
      createConsumer({
        ...common,
        queue: 'ingest',
        handlers: whileActive(deps, {
          ...createRecordHandlers(deps, normaliseInPlace),
          ...createFileHandlers(deps, normaliseInPlace),
        }),
      }),
    matching: () =>
      createConsumer({
        ...common,
        queue: 'matching',
        handlers: whileActive(deps, {
          ...createMatchingHandlers(deps),
          ...createInquiryHandlers(deps),
        }),
      }),
    items: () => createConsumer({ ...common, queue: 'items', handlers: createItemHandlers(deps, itemDeps) }),
    maintenance: () =>
      createConsumer({ ...common, queue: 'maintenance', handlers: createMaintenanceHandlers(deps, itemDeps.cipher) }),
  };
  const watch = watchQueues(queueSettings);
  const started = new Map<WorkedQueue, Promise<Consumer>>();
  const start = async (queue: WorkedQueue): Promise<void> => {
    let consumer = started.get(queue);
    if (!consumer) started.set(queue, (consumer = consume[queue]()));
    await consumer;
  };
  const stop = async (queue: WorkedQueue): Promise<void> => {
    const consumer = await started.get(queue);
    started.delete(queue);
    await consumer?.close();
  };
  const stopAll = async (): Promise<void> => {
    await Promise.all([...started.keys()].map(stop));
  };
  return {
    start,
    drain: async (queue) => {
      await start(queue);
      await watch.drained(queue);
    },
    stop,
    clear: async () => {
      await stopAll();
      await Promise.all(Object.keys(consume).map((queue) => watch.clear(queue)));
    },
    close: async () => {
      await stopAll();
      await watch.close();
    },
  };
}
