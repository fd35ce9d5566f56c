import { Type } from '@sinclair/typebox';
import {
  confirmProposal,
  getAgentProposal,
  listAgentProposals,
  mayCommit,
  proposalStatuses,
  proposeAction,
  recordAgentCall,
  rejectProposal,
  scopeOfAction,
} from '@tieout/domain';
import { invalid } from '@tieout/infra';
import {
  alsoScopes,
  assertHasScope,
  closed,
  cursorPageOf,
  cursorQuery,
  defineRoute,
  ownAccess,
  pageRequest,
  reply,
  replyCursorPage,
  tenantAccess,
  textEnum,
  uuid,
  type Route,
} from '../../http';
import { note } from '../match-groups/schemas';
import {
  actionOf,
  agentCallBody,
  agentCallSchema,
  agentProposalSchema,
  createProposalBody,
  presentProposal,
} from './schemas';

const tag = 'Agents';
const bodyLimitBytes = 1024 * 1024;
/** A proposal may concern any of these. */
const access = alsoScopes(tenantAccess('reconciliations:read', 'whole'), 'matches:read', 'rule-sets:read');
const proposal = { description: 'The proposal', schema: agentProposalSchema };

const recordCall = defineRoute({
  method: 'post',
  path: '/v1/agent-calls',
  operationId: 'recordAgentCall',
  tag,
  summary: 'Record in the audit that an agent uses a tool',
  description: 'Before the tool does anything. What it changes has the same request id where the caller sends one.',
  access: ownAccess(),
  body: agentCallBody,
  idempotent: true,
  responses: { 201: { description: 'The call is recorded', schema: agentCallSchema } },
  handler: async ({ scope, body, principal }) => {
    if (principal.agentName === null)
      throw invalid([{ path: '/headers/x-agent', code: 'required', message: 'is required: it names the agent' }]);
    const call = { tool: body.tool, arguments: body.arguments ?? {}, reason: body.reason ?? null };
    return reply(201, await recordAgentCall(scope, call));
  },
});

const create = defineRoute({
  method: 'post',
  path: '/v1/agent-proposals',
  operationId: 'createAgentProposal',
  tag,
  summary: 'Propose a change for a person to confirm',
  description:
    'It is checked as if it were carried out, and changes nothing until a person confirms it. A key whose scopes ' +
    'name agents:commit carries it out at once. Also needs the scope of the action: matches:write, ' +
    'rule-sets:write, or reconciliations:write for annotations and runs.',
  access,
  body: createProposalBody,
  bodyLimitBytes,
  idempotent: true,
  responses: { 201: proposal },
  handler: async ({ scope, body, principal }) => {
    const proposed = actionOf(body);
    assertHasScope(principal, scopeOfAction[proposed.action], 'this action');
    const sent = { proposed, reason: body.reason, mayCommit: mayCommit(principal.scopes) };
    return reply(201, presentProposal(await proposeAction(scope, sent)));
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/agent-proposals',
  operationId: 'listAgentProposals',
  tag,
  summary: 'List what agents have proposed, newest first',
  access,
  query: closed({
    status: Type.Optional(textEnum(proposalStatuses)),
    reconciliationId: Type.Optional(uuid()),
    ...cursorQuery,
  }),
  responses: { 200: { description: 'A page of proposals', schema: cursorPageOf(agentProposalSchema) } },
  handler: async ({ scope, query }) =>
    replyCursorPage(await listAgentProposals(scope, query, pageRequest(query)), presentProposal),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/agent-proposals/:id',
  operationId: 'getAgentProposal',
  tag,
  summary: 'Read a proposal of an agent',
  access,
  params: { id: 'agent_proposal' },
  responses: { 200: proposal },
  handler: async ({ scope, params }) => reply(200, presentProposal(await getAgentProposal(scope, params.id))),
});

/** The common parts of confirming and rejecting a proposal. */
const decision = {
  method: 'post',
  tag,
  access,
  params: { id: 'agent_proposal' },
  body: closed({ note: Type.Optional(note) }),
  lenientBody: true,
  idempotent: true,
  responses: { 200: proposal },
} as const;

const decided = (body: { note?: string | undefined }, { scopes }: { scopes: readonly string[] }) => ({
  note: body.note ?? null,
  scopes,
});

const confirm = defineRoute({
  ...decision,
  path: '/v1/agent-proposals/:id/confirm',
  operationId: 'confirmAgentProposal',
  summary: 'Carry a proposal out as the person who confirms it',
  description:
    'For a user, or a person whom another key names in x-actor, with the scope of the action. If the action is ' +
    'refused, the answer is its error, and the proposal keeps waiting. A proposal that does not wait: 409.',
  handler: async ({ scope, params, body, principal }) =>
    reply(200, presentProposal(await confirmProposal(scope, params.id, decided(body, principal)))),
});

const reject = defineRoute({
  ...decision,
  path: '/v1/agent-proposals/:id/reject',
  operationId: 'rejectAgentProposal',
  summary: 'Reject a proposal',
  description: 'The people who may confirm a proposal may reject it. It then changes nothing.',
  handler: async ({ scope, params, body, principal }) =>
    reply(200, presentProposal(await rejectProposal(scope, params.id, decided(body, principal)))),
});

export const agentRoutes: readonly Route[] = [recordCall, create, list, get, confirm, reject];
