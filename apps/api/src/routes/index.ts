import type { Route } from '../http';
import { agentRoutes } from './agents/routes';
import { apiKeyRoutes } from './api-keys/routes';
import { auditRoutes } from './audit/routes';
import { billingRoutes } from './billing/routes';
import { browseRoutes } from './browse/routes';
import { compositeMatchRoutes } from './composite-matches/routes';
import { dataSourceRoutes } from './data-sources/routes';
import { datasetRoutes } from './datasets/routes';
import { fileRoutes } from './files/routes';
import { itemIngestRoutes } from './items/ingest-routes';
import { itemRoutes } from './items/routes';
import { matchRoutes } from './matches/routes';
import { matchingJobRoutes } from './matching-jobs/routes';
import { matchGroupRoutes } from './match-groups/routes';
import { reasonCodeRoutes } from './reason-codes/routes';
import { reconciliationRoutes } from './reconciliations/routes';
import { recordRoutes } from './records/routes';
import { reportRoutes } from './reports/routes';
import { ruleSetRoutes } from './rule-sets/routes';
import { setupRoutes } from './setup/routes';
import { simulationRoutes } from './simulations/routes';
import { suggestionRoutes } from './suggestions/routes';
import { sessionRoutes } from './sessions/routes';
import { tenantRoutes } from './tenants/routes';
import { userRoutes } from './users/routes';
import { webhookDeliveryRoutes } from './webhooks/delivery-routes';
import { webhookRoutes } from './webhooks/routes';

/** Every operation on tenants' data, the busiest first. The app adds the operations of the service itself. */
export const featureRoutes: readonly Route[] = [
  ...recordRoutes,
  ...matchRoutes,
  ...compositeMatchRoutes,
  ...matchingJobRoutes,
  ...matchGroupRoutes,
  ...reconciliationRoutes,
  ...reportRoutes,
  ...reasonCodeRoutes,
  ...agentRoutes,
  ...suggestionRoutes,
  ...simulationRoutes,
  ...ruleSetRoutes,
  ...datasetRoutes,
  ...dataSourceRoutes,
  ...fileRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...itemRoutes,
  ...itemIngestRoutes,
  ...browseRoutes,
  ...billingRoutes,
  ...auditRoutes,
  ...setupRoutes,
  ...apiKeyRoutes,
  ...userRoutes,
  ...sessionRoutes,
  ...tenantRoutes,
];
