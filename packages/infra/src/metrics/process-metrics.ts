import { defineMetrics, each } from './definitions';

/** From a millisecond to ten minutes. */
const jobSeconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

/** The metrics of every process, besides those of Node.js. */
export const processMetrics = defineMetrics({
  tieout_build_info: { kind: 'gauge', help: 'Always 1; the labels say what runs', labels: ['version', 'node'] },
  tieout_dependency_up: {
    kind: 'gauge',
    help: '1 while the dependency answers, as on /readyz',
    labels: ['dependency'],
  },
  tieout_database_connections: {
    kind: 'gauge',
    help: 'Connections to PostgreSQL, pooled and shared, of the process itself (main) and of its child processes',
    labels: ['part', 'state'],
  },
  tieout_database_waiting: {
    kind: 'gauge',
    help: 'Statements that wait for a connection of the pool; reads on shared connections never wait',
    labels: ['part'],
  },
  tieout_replica_reads_total: {
    kind: 'counter',
    help: 'Reads that a replica may answer, by the server that was asked last; none without replicas',
    labels: ['target'],
    known: each('target', ['primary', 'replica']),
  },
  tieout_replica_lag_bytes: {
    kind: 'gauge',
    help: 'Log of the primary that a replica has not replayed; missing while it does not answer',
    labels: ['replica'],
  },
  tieout_queue_job_duration_seconds: {
    kind: 'histogram',
    help: 'Attempts of queue jobs',
    labels: ['queue', 'queue_job', 'outcome'],
    buckets: jobSeconds,
  },
  tieout_queue_jobs_failed_total: {
    kind: 'counter',
    help: 'Queue jobs that have used up their attempts',
    labels: ['queue', 'queue_job'],
  },
  tieout_queue_jobs_stalled_total: {
    kind: 'counter',
    help: 'Queue jobs of lost workers that run again',
    labels: ['queue'],
  },
  tieout_queue_jobs_sent_back_total: {
    kind: 'counter',
    help:
      'Queue jobs that a worker took and put back before starting them: ' +
      'the slot is kept for another tenant or clean-up (turn), a larger priority (place), ' +
      'a job of another version (version)',
    labels: ['queue', 'reason'],
  },
  tieout_queue_enqueue_failures_total: {
    kind: 'counter',
    help: 'Enqueues that failed; a sweep repeats them',
    labels: ['queue'],
  },
  tieout_queue_jobs: {
    kind: 'gauge',
    help: 'Jobs in a queue, by state. Each background worker reports it: take the maximum',
    labels: ['queue', 'state'],
  },
  tieout_queue_paused: {
    kind: 'gauge',
    help: '1 while a queue is paused. Each background worker reports it: take the maximum',
    labels: ['queue'],
  },
  tieout_queue_oldest_waiting_seconds: {
    kind: 'gauge',
    help:
      'Age of the oldest of the jobs at the head and at the end of a queue. ' +
      'Each background worker reports it: take the maximum',
    labels: ['queue'],
  },
  tieout_http_request_duration_seconds: {
    kind: 'histogram',
    help:
      'Requests, from their headers until the whole answer is written to the connection; ' +
      'route: as declared, or none',
    labels: ['method', 'route', 'status'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  tieout_child_processes: {
    kind: 'gauge',
    help: 'Child processes that run expressions and batches',
    labels: ['state'],
  },
  tieout_child_calls_waiting: { kind: 'gauge', help: 'Calls that wait for a child process', labels: [] },
  tieout_child_ends_total: {
    kind: 'counter',
    help: 'Child processes that exited or were killed',
    labels: ['reason'],
    known: each('reason', ['overdue', 'timeout', 'handed_back', 'out_of_memory', 'exit', 'killed']),
  },
  tieout_child_resident_memory_bytes: { kind: 'gauge', help: 'Memory of all child processes', labels: [] },
  tieout_child_event_loop_lag_seconds: {
    kind: 'gauge',
    help: 'The longest time that the event loop of a child process was blocked, in its last report and since',
    labels: [],
  },
});
