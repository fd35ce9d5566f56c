import { cancelSimulation, getSimulation, listSimulations, startSimulation } from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  tenantAccess,
  type Route,
} from '../../http';
import {
  cancelledSimulationSchema,
  presentSimulation,
  presentSummary,
  simulateBody,
  simulationSchema,
  simulationSummarySchema,
} from './schemas';

const tag = 'Simulations';

/** Rule sets have many expressions of many characters. */
const bodyLimitBytes = 8 * 1024 * 1024;

const simulate = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/simulate',
  operationId: 'simulateRuleSet',
  tag,
  summary: 'Count what a rule set would find',
  description:
    'Runs a rule set as it is sent over real candidates, and stores nothing but the answer. A first answer from few ' +
    'records comes within about a second.',
  rateClass: 'job',
  isForAgents: true,
  access: tenantAccess('rule-sets:write', 'none'),
  body: simulateBody,
  bodyLimitBytes,
  idempotent: true,
  responses: { 202: { description: 'The simulation, queued', schema: simulationSummarySchema } },
  handler: async ({ scope, body }) => reply(202, presentSummary(await startSimulation(scope, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/simulations',
  operationId: 'listSimulations',
  tag,
  summary: 'List simulations, newest first, without their answers',
  access: tenantAccess('rule-sets:read', 'none'),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of simulations', schema: pageOf(simulationSummarySchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listSimulations(scope, pageRequest(query)), presentSummary)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/simulations/:id',
  operationId: 'getSimulation',
  tag,
  summary: 'Read a simulation with its progress and the answer so far',
  access: tenantAccess('rule-sets:read', 'whole'),
  params: { id: 'simulation' },
  responses: { 200: { description: 'The simulation', schema: simulationSchema } },
  handler: async ({ scope, params }) => reply(200, presentSimulation(await getSimulation(scope, params.id))),
});

const cancel = defineRoute({
  method: 'post',
  path: '/v1/simulations/:id/cancel',
  operationId: 'cancelSimulation',
  tag,
  summary: 'Cancel a simulation that is queued or running',
  isForAgents: true,
  access: tenantAccess('rule-sets:write', 'none'),
  params: { id: 'simulation' },
  responses: { 200: { description: 'The simulation is cancelled', schema: cancelledSimulationSchema } },
  handler: async ({ scope, params }) => {
    await cancelSimulation(scope, params.id);
    return reply(200, { status: 'cancelled', id: params.id });
  },
});

export const simulationRoutes: readonly Route[] = [simulate, list, get, cancel];
