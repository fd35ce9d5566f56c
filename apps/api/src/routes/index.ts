import type { Route } from '../http';
import { apiKeyRoutes } from './api-keys/routes';
import { recordRoutes } from './records/routes';
import { tenantRoutes } from './tenants/routes';

/** Every operation on tenants' data. Those of the service itself are added by the app. */
export const featureRoutes: readonly Route[] = [...tenantRoutes, ...apiKeyRoutes, ...recordRoutes];
