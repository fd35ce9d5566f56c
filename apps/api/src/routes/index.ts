import type { Route } from '../http';
import { apiKeyRoutes } from './api-keys/routes';
import { recordRoutes } from './records/routes';
import { dataSourceRoutes } from './data-sources/routes';
import { datasetRoutes } from './datasets/routes';
import { tenantRoutes } from './tenants/routes';
import { matchRoutes } from './matches/routes';
import { matchingJobRoutes } from './matching-jobs/routes';
import { ruleSetRoutes } from './rule-sets/routes';

/** Every operation on tenants' data. Those of the service itself are added by the app. */
export const featureRoutes: readonly Route[] = [...tenantRoutes, ...apiKeyRoutes, ...dataSourceRoutes, ...datasetRoutes, ...recordRoutes, ...matchRoutes, ...matchingJobRoutes, ...ruleSetRoutes];
