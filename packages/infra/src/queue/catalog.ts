import type { Static, TSchema } from '@sinclair/typebox';

/** One kind of queue job. Payloads are ids: the row that they name owns the truth. */
export interface JobDefinition<Queue extends string = string, Payload extends TSchema = TSchema> {
  queue: Queue;
  payload: Payload;
  /** How often a job is tried before it counts as failed. */
  attempts: number;
  /** First delay between two attempts; it doubles with each. */
  backoffMs: number;
  /** Where it comes among those of its queue, unless whoever enqueues it says so: see `EnqueueOptions`. */
  priority?: number;
  /** A job that has used up its attempts is removed, not kept for on-call: one that is kept would bar later ones with its id. */
  removeOnFail?: boolean;
}

export type JobCatalog<Queue extends string = string> = Readonly<Record<string, JobDefinition<Queue>>>;

export type JobName<C extends JobCatalog> = Extract<keyof C, string>;
export type JobPayload<C extends JobCatalog, N extends JobName<C>> = Static<C[N]['payload']>;
export type QueueOf<C extends JobCatalog> = C[JobName<C>]['queue'];
export type JobsOf<C extends JobCatalog, Q extends string> = {
  [N in JobName<C>]: C[N]['queue'] extends Q ? N : never;
}[JobName<C>];

/** Keeps the literal types of a catalog, so that producers and handlers are checked against it. */
export function defineJobs<const C extends JobCatalog>(catalog: C): C {
  return catalog;
}

/** What travels: the payload, and the id of the request that caused it. */
export interface Envelope {
  payload: unknown;
  requestId?: string;
}
