import { Type } from '@sinclair/typebox';
import {
  cancelSuggestion,
  getSuggestion,
  listQuestions,
  listSuggestions,
  startSuggestion,
  startTraining,
} from '@tieout/domain';
import {
  alsoScopes,
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  seesRecords,
  tenantAccess,
  type Route,
} from '../../http';
import {
  cancelledSuggestionSchema,
  presentSuggestion,
  presentSummary,
  suggestBody,
  suggestionSchema,
  suggestionSummarySchema,
} from './schemas';
import { presentQuestions, questionsSchema } from './training-schemas';

const tag = 'Suggestions';

const suggest = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/suggest',
  operationId: 'suggestRuleSet',
  tag,
  summary: 'Look for a rule set that matches two datasets, or one with itself',
  description: 'Learns from the records alone. Nothing but the answer is stored: post its rule_set to use it.',
  rateClass: 'job',
  isForAgents: true,
  access: tenantAccess('rule-sets:write', 'none'),
  body: suggestBody,
  idempotent: true,
  responses: { 202: { description: 'The suggestion, queued', schema: suggestionSummarySchema } },
  handler: async ({ scope, body }) => reply(202, presentSummary(await startSuggestion(scope, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/suggestions',
  operationId: 'listSuggestions',
  tag,
  summary: 'List suggestions, newest first, without their answers',
  access: tenantAccess('rule-sets:read', 'none'),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of suggestions', schema: pageOf(suggestionSummarySchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listSuggestions(scope, pageRequest(query)), presentSummary)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/suggestions/:id',
  operationId: 'getSuggestion',
  tag,
  summary: 'Read a suggestion with its progress and answer',
  access: tenantAccess('rule-sets:read', 'whole'),
  params: { id: 'suggestion' },
  responses: { 200: { description: 'The suggestion', schema: suggestionSchema } },
  handler: async ({ scope, params }) => reply(200, presentSuggestion(await getSuggestion(scope, params.id))),
});

const cancel = defineRoute({
  method: 'post',
  path: '/v1/suggestions/:id/cancel',
  operationId: 'cancelSuggestion',
  tag,
  summary: 'Cancel a suggestion that is queued or running',
  isForAgents: true,
  access: tenantAccess('rule-sets:write', 'none'),
  params: { id: 'suggestion' },
  responses: { 200: { description: 'The suggestion is cancelled', schema: cancelledSuggestionSchema } },
  handler: async ({ scope, params }) => {
    await cancelSuggestion(scope, params.id);
    return reply(200, { status: 'cancelled', id: params.id });
  },
});

const train = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/:id/train',
  operationId: 'trainRuleSet',
  tag,
  summary: 'Refit the weights and thresholds of a rule set to its reviewed pairs',
  description:
    'Changes nothing: GET /v1/suggestions/{id} has the draft, to be patched or posted. 409 conflict without a ' +
    'completed job of the rule set as it is, or with too few reviews.',
  rateClass: 'job',
  access: alsoScopes(tenantAccess('rule-sets:write', 'none'), 'matches:read'),
  params: { id: 'rule_set' },
  idempotent: true,
  responses: { 202: { description: 'The training, queued', schema: suggestionSummarySchema } },
  handler: async ({ scope, params }) => reply(202, presentSummary(await startTraining(scope, params.id))),
});

const questions = defineRoute({
  method: 'get',
  path: '/v1/rule-sets/:id/questions',
  operationId: 'listQuestions',
  tag,
  summary: 'List the pairs of a rule set whose reviews would teach most',
  description:
    'Live pairs without a review, about as many of each range of scores on both sides of Tmatch, most beside it, and ' +
    'pairs that differ first. The same records and reviews give the same list.',
  rateClass: 'costly',
  access: alsoScopes(tenantAccess('rule-sets:read', 'parts'), 'matches:read'),
  readsReplica: true,
  params: { id: 'rule_set' },
  query: closed({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 40 }) }),
  responses: { 200: { description: 'The questions', schema: questionsSchema } },
  handler: async ({ scope, params, query, principal }) =>
    reply(200, presentQuestions(await listQuestions(scope, params.id, query.limit), seesRecords(principal))),
});

export const suggestionRoutes: readonly Route[] = [suggest, list, get, cancel, train, questions];
