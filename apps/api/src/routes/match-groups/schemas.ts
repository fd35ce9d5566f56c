import { Type, type Static } from '@sinclair/typebox';
import {
  approvalStatuses,
  groupOrigins,
  groupSorts,
  groupStatuses,
  maxRecordsOfSide,
  wireDecimal,
  type GroupMember,
  type MatchGroup,
  type MemberInput,
} from '@tieout/domain';
import { closed, freeForm, nullable, textEnum, timestamp, uuid } from '../../http';
import { actorSchema, amount, currencyFilter, unreadWarnings, day } from '../reconciliations/schemas';

const optional = Type.Optional;
export const note = Type.String({ maxLength: 2_000 });
const reasonCode = Type.String({ minLength: 1, maxLength: 50, description: 'GET /v1/reason-codes lists them' });
const sentAmount = (description: string) =>
  Type.Union([Type.Number(), Type.String({ maxLength: 40 })], { description });

const memberPart = closed(
  { recordId: uuid(), amount: optional(sentAmount('Part of the record; default: all that remains')) },
  { $id: 'PartOfRecord' },
);
const member = Type.Union([uuid(), memberPart], { $id: 'GroupedRecord' });
const side = (name: string) => Type.Array(member, { maxItems: 2_000, description: `Records of the ${name} side` });

export const createMatchGroupBody = closed({
  reconciliationId: uuid(),
  left: side('left'),
  right: side('right'),
  adjustments: optional(
    Type.Array(
      closed(
        {
          amount: sentAmount('Signed; left less right and adjustments is 0'),
          reasonCode,
          note: optional(note),
        },
        { $id: 'NewAdjustment' },
      ),
      { maxItems: 100 },
    ),
  ),
  note: optional(note),
});

/** The same with one form of members. */
export const matchGroupOfParts = closed({
  ...createMatchGroupBody.properties,
  left: Type.Array(memberPart, { maxItems: 2_000, description: 'Records of the left side' }),
  right: Type.Array(memberPart, { maxItems: 2_000, description: 'Records of the right side' }),
});

/** Gives members their one form. */
export const membersOf = (sent: readonly (string | MemberInput)[]): MemberInput[] =>
  sent.map((one) => (typeof one === 'string' ? { recordId: one } : one));

const monthPattern = '^\\d{4}-(0[1-9]|1[0-2])$';
const period = Type.String({ pattern: monthPattern, description: 'YYYY-MM' });

export const matchGroupFilter = {
  reconciliationId: optional(uuid()),
  status: optional(textEnum(groupStatuses)),
  origin: optional(textEnum(groupOrigins)),
  recordId: optional(uuid()),
  jobId: optional(uuid()),
  period: optional(period),
  periodTo: optional(Type.String({ pattern: monthPattern, description: 'Of this month and those before' })),
  stale: optional(Type.Boolean()),
  late: optional(Type.Boolean({ description: 'true: those that are late; false: without them' })),
  released: optional(Type.Boolean({ description: 'false: those that hold their records, pending ones included' })),
  asOf: optional(timestamp({ description: 'Those that held their records then, whatever has become of them' })),
  upTo: optional(day('With a record that is dated up to this day, or without a date')),
  currency: optional(currencyFilter),
  minAmount: optional(Type.Number({ description: 'Of the left side, without its sign' })),
  maxAmount: optional(Type.Number()),
  from: optional(timestamp({ description: 'Held since' })),
  to: optional(timestamp({ description: 'Held before' })),
};

export const recordsAsked = Type.Boolean({
  default: false,
  description: `Members bear their records: the first ${maxRecordsOfSide} of a side, up to 4 MiB in an answer`,
});

export const matchGroupSort = textEnum(groupSorts, { default: '-heldAt' });

export const releaseBody = {
  reasonCode,
  note: optional(note),
  allowAgain: optional(
    Type.Boolean({ description: 'A run may tie the same records again; default false: none does by the same rules' }),
  ),
  force: optional(Type.Boolean({ description: 'Releases groups of closed months too, which open again' })),
};

const memberSchema = closed(
  {
    record_id: uuid(),
    external_id: nullable(Type.String()),
    revision: Type.Integer(),
    amount: nullable(amount('What the group holds of the record')),
    date: nullable(day()),
    current: nullable(
      closed(
        {
          revision: nullable(Type.Integer()),
          amount: nullable(amount()),
          date: nullable(day()),
          currency: nullable(Type.String()),
          deleted: Type.Boolean(),
        },
        { description: 'The record today, where amount, date or currency differ from what a stale group holds' },
      ),
    ),
    record: optional(
      nullable(freeForm(), {
        description: 'With records=true: data overlaid with the normalised fields; null: deleted, or not read',
      }),
    ),
  },
  { $id: 'MatchGroupMember' },
);

/** An amount that a group explains by a reason code, beside its records. */
export const adjustmentSchema = closed(
  { amount: amount(), reason_code: Type.String(), note: nullable(Type.String()) },
  { $id: 'Adjustment' },
);

export const matchGroupSchema = closed(
  {
    id: uuid(),
    reconciliation_id: uuid(),
    status: textEnum(groupStatuses, { description: 'pending: held, and waiting for the approval of another person' }),
    origin: textEnum(groupOrigins, { description: 'Made by a run, by confirming what a run found, or by hand' }),
    kind: textEnum(['pair', 'composite', 'manual'] as const),
    left: Type.Array(memberSchema),
    right: Type.Array(memberSchema),
    left_amount: nullable(amount()),
    right_amount: nullable(amount()),
    difference: nullable(amount('Left less right and adjustments: what a rule has tolerated')),
    currency: nullable(Type.String()),
    adjustments: Type.Array(adjustmentSchema),
    match_id: nullable(uuid()),
    composite_match_id: nullable(uuid()),
    matching_job_id: nullable(uuid()),
    rule_set_id: nullable(uuid()),
    rule_set_name: nullable(Type.String()),
    rule_set_version: nullable(Type.Integer()),
    score: nullable(Type.Number()),
    explanation: nullable(freeForm()),
    period: nullable(period),
    note: nullable(Type.String()),
    stale: Type.Boolean({ description: 'A record has changed since' }),
    late: Type.Boolean({ description: 'Counts in a later month than its records: theirs was closed when it was tied' }),
    approval: nullable(
      closed({
        status: textEnum(approvalStatuses),
        decided_at: nullable(timestamp()),
        decided_by: nullable(actorSchema),
        note: nullable(Type.String()),
      }),
      { description: 'null: it needs none' },
    ),
    held_at: timestamp(),
    held_by: actorSchema,
    confirmed_at: nullable(timestamp()),
    confirmed_by: nullable(actorSchema, {
      description: 'The person who confirmed what a run holds; null where there is none',
    }),
    released_at: nullable(timestamp()),
    released_by: nullable(actorSchema),
    release_reason: nullable(Type.String()),
    release_note: nullable(Type.String()),
    warnings: unreadWarnings,
  },
  { $id: 'MatchGroup' },
);

const presentMember = (of: GroupMember): Static<typeof memberSchema> => ({
  record_id: of.recordId,
  external_id: of.externalId,
  revision: of.revision,
  amount: wireDecimal(of.amount),
  date: of.date,
  current: of.current && {
    revision: of.current.revision,
    amount: wireDecimal(of.current.amount),
    date: of.current.date,
    currency: of.current.currency,
    deleted: of.current.revision === null,
  },
  ...(of.record !== undefined && { record: of.record }),
});

export function presentMatchGroup(group: MatchGroup): Static<typeof matchGroupSchema> {
  return {
    id: group.id,
    reconciliation_id: group.reconciliationId,
    status: group.status,
    origin: group.origin,
    kind: group.kind,
    left: group.members.left.map(presentMember),
    right: group.members.right.map(presentMember),
    left_amount: wireDecimal(group.leftAmount),
    right_amount: wireDecimal(group.rightAmount),
    difference: wireDecimal(group.difference),
    currency: group.currency,
    adjustments: group.adjustments.map((one) => ({
      amount: wireDecimal(one.amount) ?? 0,
      reason_code: one.reasonCode,
      note: one.note,
    })),
    match_id: group.matchId,
    composite_match_id: group.compositeMatchId,
    matching_job_id: group.matchingJobId,
    rule_set_id: group.ruleSetId,
    rule_set_name: group.ruleSetName,
    rule_set_version: group.ruleSetVersion,
    score: group.score,
    explanation: group.explanation as Record<string, unknown> | null,
    period: group.period,
    note: group.note,
    stale: group.stale,
    late: group.late,
    approval: group.approval && {
      status: group.approval.status,
      decided_at: group.approval.decidedAt?.toISOString() ?? null,
      decided_by: group.approval.decidedBy,
      note: group.approval.note,
    },
    held_at: group.heldAt.toISOString(),
    held_by: group.heldBy,
    confirmed_at: group.confirmedAt && group.confirmedAt.toISOString(),
    confirmed_by: group.confirmedBy,
    released_at: group.releasedAt && group.releasedAt.toISOString(),
    released_by: group.releasedBy,
    release_reason: group.releaseReason,
    release_note: group.releaseNote,
    warnings: group.warnings,
  };
}
