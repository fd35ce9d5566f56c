import { Type } from '@sinclair/typebox';
import {
  changeRuleSet,
  createRuleSet,
  deleteRuleSet,
  getRuleSet,
  listedRuleSets,
  listRuleSets,
  previewRuleSet,
  warningsOfLiveJobs,
  type ResultWarning,
  type RuleSet,
  type TenantScope,
} from '@tieout/domain';
import { isUuid } from '@tieout/infra';
import {
  assertSeesRecords,
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  reply,
  replyPageGroups,
  seesRecords,
  tenantAccess,
  uuid,
  type Route,
} from '../../http';
import { evaluationRoutes } from './evaluation';
import {
  createRuleSetBody,
  presentPreview,
  presentRuleSet,
  previewBody,
  previewSchema,
  ruleSetSchema,
  updateRuleSetBody,
} from './schemas';

/**
 * Presents rule sets with the warnings of their last jobs.
 * @param withRecords false: without messages of these, which may quote records
 */
async function presented(scope: TenantScope, withRecords: boolean, ruleSets: readonly RuleSet[]) {
  const found = await warningsOfLiveJobs(
    scope,
    ruleSets.map(({ id }) => id),
  );
  const shown = ({ code, message }: ResultWarning) => ({ code, ...(withRecords ? { message } : {}) });
  return ruleSets.map((ruleSet) => presentRuleSet(ruleSet, found.get(ruleSet.id)?.map(shown)));
}

const tag = 'Rule sets';
const bodyLimitBytes = 8 * 1024 * 1024;

const create = defineRoute({
  method: 'post',
  path: '/v1/rule-sets',
  operationId: 'createRuleSet',
  tag,
  summary: 'Create a rule set',
  description: 'Every expression is parsed; with strict field validation its references must be declared fields.',
  access: tenantAccess('rule-sets:write', 'none'),
  body: createRuleSetBody,
  bodyLimitBytes,
  idempotent: true,
  responses: { 201: { description: 'The rule set', schema: ruleSetSchema } },
  handler: async ({ scope, body }) => {
    const ruleSet = await createRuleSet(scope, {
      ...body,
      jsonataExpr: body.jsonataExpr ?? null,
      logicJson: body.logicJson ?? null,
    });
    return reply(201, presentRuleSet(ruleSet));
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/rule-sets',
  operationId: 'listRuleSets',
  tag,
  summary: 'List rule sets, newest first',
  access: tenantAccess('rule-sets:read', 'parts'),
  query: closed({ leftDatasetId: Type.Optional(uuid()), rightDatasetId: Type.Optional(uuid()), ...pageQuery }),
  responses: { 200: { description: 'A page of rule sets', schema: pageOf(ruleSetSchema) } },
  handler: async ({ scope, query, principal }) => {
    const page = await listRuleSets(scope, query, pageRequest(query));
    return replyPageGroups(page, async (group) =>
      presented(scope, seesRecords(principal), await listedRuleSets(scope, group)),
    );
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/rule-sets/:id',
  operationId: 'getRuleSet',
  tag,
  summary: 'Read a rule set',
  access: tenantAccess('rule-sets:read', 'parts'),
  params: { id: 'rule_set' },
  responses: { 200: { description: 'The rule set', schema: ruleSetSchema } },
  handler: async ({ scope, params, principal }) => {
    const [ruleSet] = await presented(scope, seesRecords(principal), [await getRuleSet(scope, params.id)]);
    return reply(200, ruleSet);
  },
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/rule-sets/:id',
  operationId: 'updateRuleSet',
  tag,
  summary: 'Change a rule set',
  description: 'Raises its version. A running job keeps its definition. A pass keeps to the rules of passes.',
  access: tenantAccess('rule-sets:write', 'parts'),
  params: { id: 'rule_set' },
  body: updateRuleSetBody,
  bodyLimitBytes,
  responses: { 200: { description: 'The rule set', schema: ruleSetSchema } },
  handler: async ({ scope, params, body, principal }) => {
    const [ruleSet] = await presented(scope, seesRecords(principal), [await changeRuleSet(scope, params.id, body)]);
    return reply(200, ruleSet);
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/rule-sets/:id',
  operationId: 'deleteRuleSet',
  tag,
  summary: 'Delete a rule set with its matches and its links to jobs',
  description: 'Also answers 204 when there is no such rule set.',
  access: tenantAccess('rule-sets:write', 'none'),
  params: { id: 'any' },
  responses: { 204: { description: 'The rule set is deleted' } },
  handler: async ({ scope, params }) => {
    if (isUuid(params.id)) await deleteRuleSet(scope, params.id);
    return reply(204);
  },
});

const preview = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/preview',
  operationId: 'previewRuleSet',
  tag,
  summary: 'Score pairs without storing anything',
  description:
    'Pairs of raw data, pairs of stored records, or a sample of the candidates among the newest records of both ' +
    'datasets.',
  rateClass: 'costly',
  runsWithoutPermit: true,
  access: tenantAccess('rule-sets:read', 'asked'),
  body: previewBody,
  bodyLimitBytes,
  responses: {
    200: { description: 'Decisions with their explanation, in the order of the pairs', schema: previewSchema },
  },
  handler: async ({ scope, body, principal, withPermit }) => {
    for (const stored of ['recordPairs', 'sample'] as const) if (body[stored]) assertSeesRecords(principal, stored);
    return reply(200, presentPreview(await previewRuleSet(scope, body, withPermit)));
  },
});

export const ruleSetRoutes: readonly Route[] = [preview, create, list, get, update, remove, ...evaluationRoutes];
