import { Type, type Static } from '@sinclair/typebox';
import { proposalStatuses, proposedActions, type AgentProposal, type ProposedAction } from '@tieout/domain';
import { invalid } from '@tieout/infra';
import { closed, freeForm, label, nullable, textEnum, timestamp, uuid } from '../../http';
import { matchGroupOfParts } from '../match-groups/schemas';
import { annotation, actorSchema } from '../reconciliations/schemas';
import { createRuleSetBody } from '../rule-sets/schemas';

const optional = Type.Optional;
/** A text in which a person can read why. */
const reason = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S', description });

export const agentCallBody = closed({
  tool: label(64),
  arguments: optional(freeForm({ description: 'As the agent gave them; long ones may be cut' })),
  reason: optional(reason('As the agent gave it')),
});

export const agentCallSchema = closed({ id: uuid() }, { $id: 'AgentCall' });

export const createProposalBody = closed(
  {
    reason: reason('Why: the person who decides reads it'),
    matchGroup: optional(matchGroupOfParts),
    annotation: optional(
      closed({
        reconciliationId: uuid(),
        recordIds: Type.Array(uuid(), { minItems: 1, maxItems: 500, uniqueItems: true }),
        set: annotation,
      }),
    ),
    ruleSet: optional(createRuleSetBody),
    run: optional(closed({ reconciliationId: uuid(), mode: optional(textEnum(['incremental', 'full'])) })),
  },
  { description: 'The reason, and one of the other keys: what the operation that makes the change takes' },
);

/** Reads the one action of a body. @throws AppError validation_error */
export function actionOf({
  matchGroup,
  annotation: annotated,
  ruleSet,
  run,
}: Static<typeof createProposalBody>): ProposedAction {
  const actions: ProposedAction[] = [];
  if (matchGroup) actions.push({ action: 'match_group', input: matchGroup });
  if (annotated) actions.push({ action: 'annotation', input: annotated });
  if (ruleSet) {
    const { jsonataExpr = null, logicJson = null } = ruleSet;
    actions.push({ action: 'rule_set', input: { ...ruleSet, jsonataExpr, logicJson } });
  }
  if (run) actions.push({ action: 'run', input: { mode: 'incremental', ...run } });
  const [action] = actions;
  if (!action || actions.length > 1)
    throw invalid([
      { path: '', code: 'one_of', message: 'give exactly one of matchGroup, annotation, ruleSet and run' },
    ]);
  return action;
}

export const agentProposalSchema = closed(
  {
    id: uuid(),
    action: textEnum(proposedActions),
    input: freeForm({ description: 'What the operation that makes the change takes' }),
    reconciliation_id: nullable(uuid()),
    reason: Type.String(),
    status: textEnum(proposalStatuses),
    proposed_by: actorSchema,
    created_at: timestamp(),
    decided_by: nullable(actorSchema),
    decided_at: nullable(timestamp()),
    decision_note: nullable(Type.String()),
    result_id: nullable(uuid({ description: 'The match group, rule set or matching job that it has become' })),
  },
  { $id: 'AgentProposal' },
);

export const presentProposal = (proposal: AgentProposal): Static<typeof agentProposalSchema> => ({
  id: proposal.id,
  action: proposal.action,
  input: proposal.input,
  reconciliation_id: proposal.reconciliationId,
  reason: proposal.reason,
  status: proposal.status,
  proposed_by: proposal.proposedBy,
  created_at: proposal.createdAt.toISOString(),
  decided_by: proposal.decidedBy,
  decided_at: proposal.decidedAt && proposal.decidedAt.toISOString(),
  decision_note: proposal.decisionNote,
  result_id: proposal.resultId,
});
