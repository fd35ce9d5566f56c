import path from 'node:path';
import {
  failFileOfWorker,
  failFileOutOfMemory,
  jobCatalog,
  othersHaveOpenFiles,
  othersHaveReceivedRecords,
  costedChunks,
  runWorker,
  tenantScope,
  whileActive,
} from '@tieout/domain';
import { createChildPool, createConsumer, createFairSlots, handlersInChildren } from '@tieout/infra';
import { config } from './config';

/** Holds the rows of two chunks of a file: with less, copying them takes a third of the CPU time of reading a file. */
const semiSpaceMb = 64;

// Two connections: this process needs them for its health checks only, since child processes have their own.
runWorker({ app: 'ingest-worker', config, poolSize: 2 }, async ({ env, deps, service, logger, consumer }) => {
  const children = createChildPool({
    file: path.join(__dirname, 'child.js'),
    size: env.INGEST_CONCURRENCY,
    heapMb: env.INGEST_HEAP_MB,
    semiSpaceMb,
    logger,
  });
  service.onShutdown('child processes', () => children.close());
  const slots = createFairSlots(
    env.INGEST_CONCURRENCY,
    async (tenantId) => (await othersHaveOpenFiles(deps, tenantId)) || othersHaveReceivedRecords(deps, tenantId),
    { costed: costedChunks(deps.queue) },
  );
  const failFile = async (name: string, payload: unknown, fail: typeof failFileOfWorker): Promise<void> => {
    if (name !== 'file.ingest') return;
    const { tenantId, fileId } = payload as { tenantId: string; fileId: string };
    await fail(tenantScope(deps, tenantId), fileId);
  };
  const ingest = await createConsumer({
    ...consumer,
    queue: 'ingest',
    concurrency: env.INGEST_CONCURRENCY,
    handlers: slots.track(whileActive(deps, handlersInChildren(jobCatalog, 'ingest', children))),
    deferMs: slots.deferMs,
    priorityOf: slots.priorityOf,
    interrupt: () => children.close(),
    onExhausted: (name, payload) => failFile(name, payload, failFileOfWorker),
    onOutOfMemory: (name, payload) => failFile(name, payload, failFileOutOfMemory),
  });
  service.onShutdown('consumer', () => ingest.close());
  return { children, readyFields: { concurrency: env.INGEST_CONCURRENCY } };
});
