import { defineMetrics } from '@tieout/infra';

export const httpMetrics = defineMetrics({
  tieout_http_connections: { kind: 'gauge', help: 'Connections that are open', labels: [] },
  tieout_http_requests_in_flight: { kind: 'gauge', help: 'Requests that are being answered', labels: [] },
});
