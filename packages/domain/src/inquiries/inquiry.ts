import { AppError, type ErrorCode } from '@tieout/infra';
import { countPending, receivedPollMs, receivedWaitMs } from '../data/records';
import type { TenantScope } from '../kernel/scope';

/** A question to the workers whose row holds its state, its progress and its answer. */
export interface Inquiry {
  table: 'suggestions' | 'simulations';
  /** Such as `suggestion`: for messages, and the ids of queue jobs. */
  noun: 'suggestion' | 'simulation';
  job: 'suggestion.search' | 'suggestion.train' | 'simulation.run';
  /** SQL that holds for its rows `s` of the table. */
  rows: string;
  /** SQL that holds for rows `s` of the table that name what is gone. */
  orphans: string;
  notFound: ErrorCode;
}

const datasetsGone = `not exists (select 1 from datasets d where d.id = s.left_dataset_id)
  or not exists (select 1 from datasets d where d.id = s.right_dataset_id)`;

export const suggestionInquiry: Inquiry = {
  table: 'suggestions',
  noun: 'suggestion',
  job: 'suggestion.search',
  rows: 's.rule_set_id is null',
  orphans: `${datasetsGone}
    or (s.rule_set_id is not null and not exists (select 1 from rule_sets r where r.id = s.rule_set_id))`,
  notFound: 'suggestion_not_found',
};

/** A version without trainings must not take one for a search: its queue job has another name. */
export const trainingInquiry: Inquiry = {
  ...suggestionInquiry,
  job: 'suggestion.train',
  rows: 's.rule_set_id is not null',
};

export const simulationInquiry: Inquiry = {
  table: 'simulations',
  noun: 'simulation',
  job: 'simulation.run',
  rows: 'true',
  orphans: datasetsGone,
  notFound: 'simulation_not_found',
};

/** The inquiry was cancelled, or what it is about deleted, during the work. */
class InquiryStoppedError extends Error {}

/** The id of the queue job of an inquiry: it has one at most. */
export const inquiryJobId = ({ noun }: Inquiry, id: string): string => `${noun}-${id}`;

export const enqueueInquiry = (scope: TenantScope, inquiry: Inquiry, id: string): Promise<void> =>
  enqueue(scope, inquiry, id, { jobId: inquiryJobId(inquiry, id) });

function enqueue(
  { queue, tenantId }: TenantScope,
  inquiry: Inquiry,
  id: string,
  options: { jobId: string } | { delayMs: number },
): Promise<void> {
  return inquiry.job === 'simulation.run'
    ? queue.enqueue(inquiry.job, { tenantId, simulationId: id }, options)
    : queue.enqueue(inquiry.job, { tenantId, suggestionId: id }, options);
}

interface Begun {
  /** Time since the inquiry was begun for the first time. */
  ageMs: number;
}

/** Marks an open inquiry as running. Returns its columns, or undefined where it has ended. */
async function beginInquiry<T>(
  { db, tenantId }: TenantScope,
  { table }: Inquiry,
  id: string,
  columns: string,
): Promise<(T & Begun) | undefined> {
  const [begun] = await db.query<T & Begun>(
    `update ${table} set status = 'running', started_at = coalesce(started_at, now()), seen_at = now(), progress = 0
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')
      returning ${columns}, (extract(epoch from now() - started_at) * 1000)::float8 as "ageMs"`,
    [tenantId, id],
  );
  return begun;
}

/** The work of a kind of inquiries. */
interface InquiryWork<T> {
  /** SQL: columns of the row that the work reads. */
  columns: string;
  /** Returns the datasets whose records are waited for while they are normalised. */
  reads: (begun: T) => readonly string[];
  /** Answers the inquiry. `pending`: the records that were waited for in vain. */
  work: (begun: T, pending: number) => Promise<void>;
  /** Says why the inquiry cannot be answered; undefined for a failure of the service. */
  failureOf: (error: unknown, begun: T) => InquiryFailure | undefined;
}

/** Works on an open inquiry until it is answered, stopped or failed. One that has ended stays as it is. */
export async function workOnInquiry<T>(
  scope: TenantScope,
  inquiry: Inquiry,
  id: string,
  { columns, reads, work, failureOf }: InquiryWork<T>,
): Promise<void> {
  const begun = await beginInquiry<T>(scope, inquiry, id, columns);
  if (begun === undefined) return;
  const pending = await countPending(scope, reads(begun));
  // The queue job that runs now keeps its id until it has ended.
  if (pending > 0 && begun.ageMs < receivedWaitMs) return enqueue(scope, inquiry, id, { delayMs: receivedPollMs });
  try {
    await work(begun, pending);
  } catch (error) {
    if (error instanceof InquiryStoppedError) return;
    const failure = failureOf(error, begun);
    if (failure === undefined) throw error;
    await failInquiry(scope, inquiry, id, failure);
  }
}

/** Times between two notes of the progress. */
const noteEveryMs = 500;
/** People read the progress: sums of shares have digits that mean nothing. */
const progressDigits = 3;

/**
 * Returns a function that notes the progress now and then.
 * @throws InquiryStoppedError once the inquiry has ended
 */
export function progressNotes(
  { db, tenantId }: TenantScope,
  { table }: Inquiry,
  id: string,
): (progress: number) => Promise<void> | void {
  let notedMs = performance.now();
  const note = async (progress: number): Promise<void> => {
    const count = await db.execute(
      `update ${table} set progress = greatest(progress, $3::float8), seen_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
      [tenantId, id, Number(progress.toFixed(progressDigits))],
    );
    if (count === 0) throw new InquiryStoppedError();
  };
  return (progress) => {
    if (performance.now() - notedMs < noteEveryMs) return;
    notedMs = performance.now();
    return note(progress);
  };
}

/** Stores the answer of a running inquiry, or a first one. @throws InquiryStoppedError once the inquiry has ended */
export async function answerInquiry(
  { db, tenantId }: TenantScope,
  { table }: Inquiry,
  id: string,
  { answer, isFinal }: { answer: object; isFinal: boolean },
): Promise<void> {
  const end = isFinal ? `, status = 'completed', progress = 1, finished_at = now()` : '';
  const count = await db.execute(
    `update ${table} set answer = $3::jsonb, seen_at = now()${end}
      where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
    [tenantId, id, JSON.stringify(answer)],
  );
  if (count === 0) throw new InquiryStoppedError();
}

interface InquiryFailure {
  code: string;
  message: string;
}

/** Fails an open inquiry. An inquiry that has ended is not changed. */
export async function failInquiry(
  { db, tenantId }: TenantScope,
  { table }: Inquiry,
  id: string,
  error: InquiryFailure,
): Promise<void> {
  await db.execute(
    `update ${table} set status = 'failed', error = $3::jsonb, finished_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
    [tenantId, id, JSON.stringify(error)],
  );
}

/**
 * Cancels an inquiry that is queued or running; its worker notices it within a second or two.
 * @throws AppError job_not_running, or that there is none
 */
export async function cancelInquiry({ db, tenantId }: TenantScope, inquiry: Inquiry, id: string): Promise<void> {
  const { table, noun, notFound } = inquiry;
  const count = await db.execute(
    `update ${table} set status = 'cancelled', finished_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
    [tenantId, id],
  );
  if (count > 0) return;
  const [row] = await db.query<{ status: string }>(
    `select status from ${table} where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id],
  );
  if (!row) throw inquiryNotFound({ noun, notFound });
  throw new AppError('job_not_running', `Only a running ${noun} can be cancelled; this one is ${row.status}`);
}

export const inquiryNotFound = ({ noun, notFound }: Pick<Inquiry, 'noun' | 'notFound'>): AppError =>
  new AppError(notFound, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`);
