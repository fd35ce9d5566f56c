import { Type } from '@sinclair/typebox';
import { defineJobs, type Producer } from '@tieout/infra';

export const queueNames = ['ingest', 'matching', 'webhook-delivery', 'items', 'maintenance'] as const;

const id = Type.String({ format: 'uuid' });
const forTenant = { tenantId: id };

/**
 * The catalog of queue jobs: name → queue, payload, attempts. A payload holds ids only. To change one, add optional
 * keys and remove old ones a release later, because two versions share the queues during a roll-out.
 */
export const jobCatalog = defineJobs({
  'records.process': {
    queue: 'ingest',
    payload: Type.Object({ ...forTenant, recordIds: Type.Array(id, { maxItems: 1000 }) }),
    attempts: 8,
    backoffMs: 500,
  },
  'dataset.reprocess': {
    queue: 'ingest',
    payload: Type.Object({ ...forTenant, datasetId: id }),
    attempts: 8,
    backoffMs: 500,
  },
  'file.ingest': {
    queue: 'ingest',
    payload: Type.Object({ ...forTenant, fileId: id }),
    // Several minutes in total: a short outage of the storage fails no file.
    attempts: 11,
    backoffMs: 500,
  },
  'matching.plan': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, jobId: id }),
    attempts: 8,
    backoffMs: 500,
  },
  'matching.batch': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, jobId: id, entryId: id, batchNo: Type.Integer({ minimum: 0 }) }),
    attempts: 8,
    backoffMs: 500,
  },
  'matching.finish': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, jobId: id }),
    attempts: 8,
    backoffMs: 500,
  },
  'suggestion.search': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, suggestionId: id }),
    attempts: 3,
    backoffMs: 1000,
  },
  'suggestion.train': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, suggestionId: id }),
    attempts: 3,
    backoffMs: 1000,
  },
  'simulation.run': {
    queue: 'matching',
    payload: Type.Object({ ...forTenant, simulationId: id }),
    attempts: 3,
    backoffMs: 1000,
  },
  'matching.cleanup': {
    queue: 'maintenance',
    payload: Type.Object({ ...forTenant, jobId: id }),
    attempts: 5,
    backoffMs: 1000,
    // Sweeps have no priority and run first.
    priority: 1,
  },
  'webhook.deliver': {
    queue: 'webhook-delivery',
    payload: Type.Object(forTenant),
    // A job that waits for a retry, or stays, would block its tenant. The sweep enqueues one every second.
    attempts: 1,
    backoffMs: 500,
    removeOnFail: true,
  },
  'item.sync': {
    queue: 'items',
    payload: Type.Object({ ...forTenant, itemId: id }),
    attempts: 3,
    backoffMs: 1000,
    removeOnFail: true,
  },
  'item.ingest': {
    queue: 'items',
    payload: Type.Object({ ...forTenant, itemId: id }),
    attempts: 8,
    backoffMs: 500,
  },
  'tenant.erase': {
    queue: 'maintenance',
    payload: Type.Object(forTenant),
    attempts: 1,
    backoffMs: 1000,
    priority: 1,
    // The sweep enqueues it until the tenant is gone.
    removeOnFail: true,
  },
  'reconciliation.fill': {
    queue: 'maintenance',
    payload: Type.Object({ ...forTenant, reconciliationId: id }),
    attempts: 5,
    backoffMs: 1000,
    priority: 1,
  },
  'maintenance.sweep': {
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 1,
    backoffMs: 1000,
  },
  'maintenance.retention': {
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 1,
    backoffMs: 1000,
  },
});

export type Jobs = typeof jobCatalog;
export type JobProducer = Producer<Jobs>;
