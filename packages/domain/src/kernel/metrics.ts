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
    help: 'Records that became ready or failed, those of files apart',
    labels: ['status'],
    known: each('status', ['ready', 'failed']),
  },
  tieout_records_received: { kind: 'gauge', help: 'Records that wait for being normalised, up to 10,000', labels: [] },
  tieout_file_rows_total: {
    kind: 'counter',
    help: 'Rows of files that are stored, or rejected',
    labels: ['status'],
    known: each('status', ['ready', 'failed', 'rejected']),
  },
  tieout_files_ended_total: {
    kind: 'counter',
    help: 'Files that are read',
    labels: ['status'],
    known: each('status', ['ready', 'failed']),
  },
  tieout_files_open: { kind: 'gauge', help: 'Files that are uploaded and not yet read', labels: ['status'] },
  tieout_files_oldest_open_seconds: { kind: 'gauge', help: 'Since when the oldest of those is there', labels: [] },
  tieout_matching_batch_duration_seconds: {
    kind: 'histogram',
    help: 'Batches of matching jobs; reference: an expression of the rule set is not compiled',
    labels: ['kind', 'engine'],
    known: engines.flatMap((engine) => each('kind', ['pairs', 'groups']).map((kind) => ({ ...kind, ...engine }))),
    buckets: workSeconds,
  },
  tieout_matching_batch_phase_seconds_total: {
    kind: 'counter',
    help: 'Time of batches by what they did',
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
    help: 'Pairs that a batch compared a second, reading and writing included',
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
    help: 'The longest that an open matching job has made no progress',
    labels: [],
  },
  tieout_webhook_attempt_duration_seconds: {
    kind: 'histogram',
    help: 'Attempts of deliveries',
    labels: ['outcome'],
    known: each('outcome', attemptOutcomes),
    buckets: waitSeconds,
  },
  tieout_webhook_deliveries_total: {
    kind: 'counter',
    help: 'What attempts have led deliveries to',
    labels: ['status'],
    known: each('status', ['delivered', 'abandoned', 'retry_scheduled', 'resume']),
  },
  tieout_webhook_deliveries_due: {
    kind: 'gauge',
    help: 'Deliveries that are due and not being sent; of a webhook up to 1,000 are counted',
    labels: [],
  },
  tieout_webhook_oldest_due_seconds: { kind: 'gauge', help: 'How long the oldest of those is due', labels: [] },
  tieout_item_turn_duration_seconds: {
    kind: 'histogram',
    help: 'Turns of items',
    labels: ['step', 'outcome'],
    known: [...itemSteps, { step: 'remove' }].flatMap((step) =>
      each('outcome', ['done', 'failed', 'given back']).map((outcome) => ({ ...step, ...outcome })),
    ),
    buckets: waitSeconds,
  },
  tieout_item_failures_total: {
    kind: 'counter',
    help: 'Steps of items that failed, by the status that the item has then',
    labels: ['step', 'status'],
    known: itemSteps.flatMap((step) =>
      each('status', ['LOGIN_ERROR', 'OUTDATED']).map((status) => ({ ...step, ...status })),
    ),
  },
  tieout_items: { kind: 'gauge', help: 'Items by status', labels: ['status'] },
  tieout_items_longest_due_seconds: {
    kind: 'gauge',
    help: 'How long a step of an item is due that nobody takes',
    labels: [],
  },
  tieout_sweep_duration_seconds: {
    kind: 'histogram',
    help: 'Sweeps and clean-ups',
    labels: ['sweep', 'outcome'],
    buckets: workSeconds,
  },
});
