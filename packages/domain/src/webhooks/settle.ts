import { storableText } from '@tieout/engine';
import { isDatabaseUnavailable, messageOf, type BodyState, type Logger, type Queries } from '@tieout/infra';
import { domainMetrics } from '../kernel/metrics';
import type { AttemptOutcome } from './outcomes';
import { afterAttempt, type DeliveryPolicy, type FinishedAttempt } from './retry-schedule';

export interface AttemptResult extends FinishedAttempt {
  id: string;
  tenantId: string;
  number: number;
  outcome: AttemptOutcome;
  durationMs: number;
  httpStatus: number | null;
  responseSnippet: string | null;
  bodyState: BodyState | null;
  remoteAddress: string | null;
  retryAfter: string | null;
  error: string | null;
}

/** The result fields of an attempt that got no answer. */
export const withoutAnswer = {
  httpStatus: null,
  responseSnippet: null,
  bodyState: null,
  remoteAddress: null,
  retryAfter: null,
  staleConnection: false,
} as const;

export interface SettleOptions {
  policy: DeliveryPolicy;
  /** Null: the time of the database. */
  at: Date | null;
}

/**
 * Writes the results of attempts of any tenants: the new state of each delivery and a log line of each attempt. An
 * attempt that a sweep has already settled as interrupted changes nothing.
 */
export async function settleAttempts(
  db: Queries,
  results: readonly AttemptResult[],
  { policy, at }: SettleOptions,
  logger: Logger,
): Promise<void> {
  const rows = results.map((result) => ({
    ...result,
    ...afterAttempt(result.outcome, result, policy),
    responseSnippet: storable(result.responseSnippet),
    retryAfter: storable(result.retryAfter),
    error: storable(result.error),
  }));
  const parameters = [JSON.stringify(rows), at];
  try {
    await db.execute(settleAndLogSql, parameters);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    // The state is written without the log: otherwise the delivery would be sent again for ever.
    logger.error(
      { reason: messageOf(error), deliveries: results.map(({ id }) => id) },
      'the log of attempts could not be written',
    );
    await db.execute(settleSql, parameters);
  }
  for (const { status } of rows) domainMetrics.add('tieout_webhook_deliveries_total', { status });
}

const storable = (text: string | null): string | null => (text === null ? null : storableText(text));

/** Finds deliveries by `lease_until`, not by status: the index on the status `sending` is full of dead entries. */
const settledSql = `
  with results as (
    select * from json_to_recordset($1::json) as r (
      id uuid, "tenantId" uuid, number int, status text, "delayMs" float8, trigger text, outcome text,
      "durationMs" int, "httpStatus" int, "responseSnippet" text, "bodyState" text, "remoteAddress" text,
      "retryAfter" text, error text)),
  found as materialized (
    select r.*, d.place, d.attempted_at from results r, lateral (
      select d.ctid as place, d.attempted_at from webhook_deliveries d
       where d.tenant_id = r."tenantId" and d.id = r.id and d.attempts = r.number and d.lease_until is not null
         for update) d),
  settled as (
    update webhook_deliveries d
       set status = case r.status when 'resume' then d.resume_status else r.status end,
           next_attempt_at = case r.status when 'resume' then d.resume_at
             when 'retry_scheduled'
             then coalesce($2::timestamptz, now()) + make_interval(secs => r."delayMs" / 1000) end,
           lease_until = null, resume_status = null, resume_at = null
      from found r where d.ctid = r.place)`;

const settleSql = `${settledSql} select count(*) from found`;

const settleAndLogSql = `${settledSql}
  insert into webhook_attempts (
    delivery_id, number, tenant_id, trigger, started_at, duration_ms, outcome, response_status, response_body,
    body_state, remote_address, retry_after, error)
  select r.id, r.number, r."tenantId", r.trigger, r.attempted_at, r."durationMs", r.outcome, r."httpStatus",
         r."responseSnippet", r."bodyState", r."remoteAddress", r."retryAfter", r.error
    from found r`;
