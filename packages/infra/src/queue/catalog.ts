import type { Static, TSchema } from '@sinclair/typebox';

/** BullMQ accepts no larger priority; a larger number is served later. */
export const maxPriority = 2 ** 21;

/** One kind of queue job. Payloads are ids: the row that they name owns the truth. */
export interface JobDefinition<Queue extends string = string, Payload extends TSchema = TSchema> {
  queue: Queue;
  payload: Payload;
  /** The number of attempts after which a job counts as failed. */
  attempts: number;
  /** The delay between the first two attempts; it doubles with each further one. */
  backoffMs: number;
  /** The default priority; see `EnqueueOptions`. */
  priority?: number;
  /** Removes a failed job instead of keeping it for on-call, where it would block later jobs with its id. */
  removeOnFail?: boolean;
}

export type JobCatalog<Queue extends string = string> = Readonly<Record<string, JobDefinition<Queue>>>;

export type JobName<C extends JobCatalog> = Extract<keyof C, string>;
export type JobPayload<C extends JobCatalog, N extends JobName<C>> = Static<C[N]['payload']>;
export type JobsOf<C extends JobCatalog, Q extends string> = {
  [N in JobName<C>]: C[N]['queue'] extends Q ? N : never;
}[JobName<C>];

/** Keeps the literal types of a catalog, so that producers and handlers are checked against it. */
export function defineJobs<const C extends JobCatalog>(catalog: C): C {
  return catalog;
}

/** The data of a queue job: its payload, and the id of the request that caused it. */
export interface Envelope {
  payload: unknown;
  requestId?: string;
}
