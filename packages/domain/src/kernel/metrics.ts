import { defineMetrics, each } from '@tieout/infra';

/** Buckets up to the deadlines of webhook attempts and item steps. */
const waitSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];
const workSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

const engines = each('engine', ['compiled', 'reference']);
const itemSteps = each('step', ['create', 'find', 'log-in', 'refresh', 'submit', 'look', 'collect']);

/** Outcomes of webhook attempts. `interrupted`: the process that made the attempt ended before the answer. */
export const attemptOutcomes = [
  'delivered',
  'http_status',
  'redirect',
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'protocol_error',
  'blocked_address',
  'interrupted',
] as const;

/** The metrics of the domain. docs/reference/monitoring.md lists them. */
export const domainMetrics = defineMetrics({
  tieout_records_normalised_total: {
    kind: 'counter',
    help: 'Records that became ready or failed, without records of files',
    labels: ['status'],
    known: each('status', ['ready', 'failed']),
  },
  tieout_records_received: {
    kind: 'gauge',
    help: 'Records that wait for normalisation, counted up to 10,000',
    labels: [],
  },
  tieout_file_rows_total: {
    kind: 'counter',
    help: 'Rows of files that were stored or rejected',
    labels: ['status'],
    known: each('status', ['ready', 'failed', 'rejected']),
  },
  tieout_files_ended_total: {
    kind: 'counter',
    help: 'Files whose reading ended',
    labels: ['status'],
    known: each('status', ['ready', 'failed']),
  },
  tieout_files_open: { kind: 'gauge', help: 'Files that are uploaded and not read to the end', labels: ['status'] },
  tieout_files_oldest_open_seconds: { kind: 'gauge', help: 'Age of the oldest open file', labels: [] },
  tieout_matching_batch_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of batches of matching jobs; reference: an expression of the rule set is not compiled',
    labels: ['kind', 'engine'],
    known: engines.flatMap((engine) => each('kind', ['pairs', 'groups']).map((kind) => ({ ...kind, ...engine }))),
    buckets: workSeconds,
  },
  tieout_matching_batch_phase_seconds_total: {
    kind: 'counter',
    help: 'Time of batches by phase',
    labels: ['phase'],
    known: each('phase', ['read', 'score', 'write']),
  },
  tieout_matching_pairs_total: {
    kind: 'counter',
    help: 'Pairs that were compared',
    labels: ['engine'],
    known: engines,
  },
  tieout_matching_batch_pairs_per_second: {
    kind: 'histogram',
    help: 'Pairs that a batch compared per second, including reading and writing',
    labels: ['engine'],
    known: engines,
    buckets: [100, 1_000, 5_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000],
  },
  tieout_matching_jobs_ended_total: {
    kind: 'counter',
    help: 'Matching jobs that ended; code: why one failed',
    labels: ['status', 'code'],
    known: [
      ...each('status', ['completed', 'cancelled']).map((ended) => ({ ...ended, code: '' })),
      ...each('code', ['worker_failed', 'expression_timeout', 'expression_memory', 'too_many_pairs']).map((ended) => ({
        ...ended,
        status: 'failed',
      })),
    ],
  },
  tieout_matching_jobs_open: { kind: 'gauge', help: 'Matching jobs that are queued or running', labels: ['status'] },
  tieout_matching_jobs_longest_quiet_seconds: {
    kind: 'gauge',
    help: 'Max time that an open matching job has made no progress',
    labels: [],
  },
  tieout_reconciliation_runs_ended_total: {
    kind: 'counter',
    help: 'Runs of reconciliations that ended',
    labels: ['status', 'trigger'],
    known: each('status', ['completed', 'failed', 'cancelled']).flatMap((status) =>
      each('trigger', ['manual', 'schedule', 'arrival']).map((trigger) => ({ ...status, ...trigger })),
    ),
  },
  tieout_reconciliation_run_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the request of a run to its completion',
    labels: ['mode'],
    known: each('mode', ['incremental', 'full']),
    buckets: workSeconds,
  },
  tieout_reconciliations_longest_due_seconds: {
    kind: 'gauge',
    help: 'Max time that a scheduled run has been due and not started',
    labels: [],
  },
  tieout_reconciliations_unexplained: {
    kind: 'gauge',
    help: 'Reconciliations whose proof of balance left a difference, as looked at once an hour',
    labels: [],
  },
  tieout_open_items: { kind: 'gauge', help: 'Open items of all reconciliations that are not archived', labels: [] },
  tieout_open_items_oldest_seconds: { kind: 'gauge', help: 'Time since the date of the oldest of them', labels: [] },
  tieout_audit_chains_broken_total: {
    kind: 'counter',
    help: 'Checks of audit chains that found a changed or missing entry',
    labels: [],
  },
  tieout_webhook_attempt_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of delivery attempts',
    labels: ['outcome'],
    known: each('outcome', attemptOutcomes),
    buckets: waitSeconds,
  },
  tieout_webhook_deliveries_total: {
    kind: 'counter',
    help: 'Status of deliveries after an attempt',
    labels: ['status'],
    known: each('status', ['delivered', 'abandoned', 'retry_scheduled', 'resume']),
  },
  tieout_webhook_deliveries_due: {
    kind: 'gauge',
    help: 'Deliveries that are due and not being sent; counted up to 1,000 per webhook',
    labels: [],
  },
  tieout_webhook_oldest_due_seconds: {
    kind: 'gauge',
    help: 'Time for which the oldest due delivery has been due',
    labels: [],
  },
  tieout_item_turn_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of steps of items',
    labels: ['step', 'outcome'],
    known: [...itemSteps, { step: 'remove' }].flatMap((step) =>
      each('outcome', ['done', 'failed', 'given back']).map((outcome) => ({ ...step, ...outcome })),
    ),
    buckets: waitSeconds,
  },
  tieout_item_failures_total: {
    kind: 'counter',
    help: 'Failed steps of items, by the resulting status of the item',
    labels: ['step', 'status'],
    known: itemSteps.flatMap((step) =>
      each('status', ['LOGIN_ERROR', 'OUTDATED']).map((status) => ({ ...step, ...status })),
    ),
  },
  tieout_items: { kind: 'gauge', help: 'Items by status', labels: ['status'] },
  tieout_items_longest_due_seconds: {
    kind: 'gauge',
    help: 'Max time that a due step of an item has waited for a worker',
    labels: [],
  },
  tieout_sweep_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of sweeps and clean-ups',
    labels: ['sweep', 'outcome'],
    buckets: workSeconds,
  },
});
