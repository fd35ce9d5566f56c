import { Type, type Static } from '@sinclair/typebox';
import type { Input } from '@tieout/client';
import { ToolFailure } from '../failure';
import {
  anyObject,
  confirmed,
  defineTool,
  id,
  input,
  nullableText,
  oneOf,
  optional,
  output,
  text,
  type ToolContext,
} from '../tool';

const proposalOutput = output({
  proposal: anyObject('The proposal, its status, and result_id once it is carried out'),
  next: Type.String({ description: 'What happens now' }),
});

const waits =
  'Nothing has changed: a person confirms or rejects it in the console. list_proposals shows what they say.';
const done = 'It is carried out: the key may commit.';

type ProposalBody = Input<'createAgentProposal'>['body'];

async function propose({ tieout, signal }: ToolContext, body: ProposalBody): Promise<Record<string, unknown>> {
  const proposal = await tieout.createAgentProposal({ body, signal });
  return { proposal, next: proposal.status === 'pending' ? waits : done };
}

const proposes = 'Proposes only: a person confirms it, unless describe_workspace says that this key commits.';

const member = input({
  record_id: id('Of an open item'),
  amount: optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 40 })], {
      description: 'Part of the record; default: all that remains',
    }),
  ),
});

const memberOf = ({ record_id, amount }: Static<typeof member>) => ({
  recordId: record_id,
  ...(amount !== undefined && { amount }),
});

export const proposeMatchGroup = defineTool({
  name: 'propose_match_group',
  title: 'Propose a match group',
  description: `Open items of both sides that belong together; left less right and adjustments is 0. ${proposes}`,
  writes: true,
  input: input({
    reconciliation_id: id('From describe_workspace'),
    left: Type.Array(member, { maxItems: 500, description: 'Records of the left side' }),
    right: Type.Array(member, { maxItems: 500, description: 'Records of the right side' }),
    adjustments: optional(
      Type.Array(
        input({
          amount: Type.Union([Type.Number(), Type.String({ maxLength: 40 })], { description: 'Signed' }),
          reason_code: text('One of the reason codes of the tenant, such as rounding', { minLength: 1, maxLength: 50 }),
          note: optional(text('What it is for', { maxLength: 2_000 })),
        }),
        { maxItems: 20, description: 'What explains a difference' },
      ),
    ),
    ...confirmed,
  }),
  output: proposalOutput,
  run: (context, { reconciliation_id, left, right, adjustments = [], reason }) =>
    propose(context, {
      reason,
      matchGroup: {
        reconciliationId: reconciliation_id,
        left: left.map(memberOf),
        right: right.map(memberOf),
        ...(adjustments.length > 0 && {
          adjustments: adjustments.map(({ amount, reason_code, note }) => ({
            amount,
            reasonCode: reason_code,
            ...(note !== undefined && { note }),
          })),
        }),
      },
    }),
});

export const annotate = defineTool({
  name: 'annotate',
  title: 'Annotate open items',
  description: `A note, a reason code, an assignee or a snooze for open items. ${proposes}`,
  writes: true,
  input: input({
    reconciliation_id: id('From describe_workspace'),
    record_ids: Type.Array(id('Of an open item'), { minItems: 1, maxItems: 200 }),
    note: optional(nullableText('null removes it')),
    reason_code: optional(nullableText('One of the reason codes of the tenant; null removes it')),
    assignee: optional(nullableText('null removes it')),
    snoozed_until: optional(nullableText('YYYY-MM-DD; null ends it')),
    ...confirmed,
  }),
  output: proposalOutput,
  run: (context, { reconciliation_id, record_ids, reason, note, reason_code, assignee, snoozed_until }) => {
    const set = {
      ...(note !== undefined && { note }),
      ...(reason_code !== undefined && { reasonCode: reason_code }),
      ...(assignee !== undefined && { assignee }),
      ...(snoozed_until !== undefined && { snoozedUntil: snoozed_until }),
    };
    if (Object.keys(set).length === 0)
      throw new ToolFailure('validation_error', 'Give what to set: note, reason_code, assignee or snoozed_until');
    const recordIds = [...new Set(record_ids)];
    return propose(context, { reason, annotation: { reconciliationId: reconciliation_id, recordIds, set } });
  },
});

export const draftRuleSet = defineTool({
  name: 'draft_rule_set',
  title: 'Draft a rule set',
  description:
    'A rule set for two datasets, in jsonata: one expression with engine jsonata, or params.matchers with ' +
    `jsonata-batch. Its expressions see left.<key> and right.<key>. Try changes with simulate_rule_change. ${proposes}`,
  writes: true,
  input: input({
    name: text('What people call it', { minLength: 1, maxLength: 200 }),
    left_dataset_id: id('From describe_workspace'),
    right_dataset_id: id('From describe_workspace'),
    engine: oneOf(['jsonata', 'jsonata-batch'], 'One expression, or weighted matchers'),
    jsonata_expr: optional(text('With engine jsonata', { maxLength: 65_536 })),
    params: anyObject(
      '{"Tmatch": 0.9, "Tpossible": 0.6, "matchers": [{"expr": "left.ref = right.ref", "weight": 1}], …}',
    ),
    ...confirmed,
  }),
  output: proposalOutput,
  run: (context, { name, left_dataset_id, right_dataset_id, engine, jsonata_expr, params, reason }) =>
    propose(context, {
      reason,
      ruleSet: {
        name,
        leftDatasetId: left_dataset_id,
        rightDatasetId: right_dataset_id,
        engine,
        ...(jsonata_expr !== undefined && { jsonataExpr: jsonata_expr }),
        params,
      },
    } as ProposalBody),
});

export const run = defineTool({
  name: 'run',
  title: 'Run a reconciliation',
  description: `Matches the open items by the passes of a reconciliation. ${proposes}`,
  writes: true,
  input: input({
    reconciliation_id: id('From describe_workspace'),
    mode: optional(oneOf(['incremental', 'full'], 'full also takes apart what runs have tied; default incremental')),
    ...confirmed,
  }),
  output: proposalOutput,
  run: (context, { reconciliation_id, mode, reason }) =>
    propose(context, { reason, run: { reconciliationId: reconciliation_id, ...(mode !== undefined && { mode }) } }),
});
