import { defineMetrics } from '@tieout/infra';

/** Labels are kept for ever: a made-up method must not make one. */
export const methods = { GET: true, HEAD: true, POST: true, PUT: true, PATCH: true, DELETE: true, OPTIONS: true };

export const httpMetrics = defineMetrics({
  tieout_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Requests, from their head until all of the answer is handed over to the connection; route: as declared, or none',
    labels: ['method', 'route', 'status'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  tieout_http_connections: { kind: 'gauge', help: 'Connections that are open', labels: [] },
  tieout_http_requests_in_flight: { kind: 'gauge', help: 'Requests that are being answered', labels: [] },
});
