import { Type, type Static } from '@sinclair/typebox';
import {
  ageBuckets,
  groupOrigins,
  wireDecimal,
  type ReconciliationReport,
  type ReportedGroup,
  type ReportedItem,
  type ReportedMember,
} from '@tieout/domain';
import { closed, nullable, textEnum, timestamp, uuid } from '../../http';
import { adjustmentSchema } from '../match-groups/schemas';
import {
  presentAnnotations,
  presentProvedSummary,
  provedSummarySchema,
  shownAnnotations,
} from '../reconciliations/period-schemas';
import { actorSchema, amount, day } from '../reconciliations/schemas';

const memberSchema = closed(
  {
    record_id: uuid(),
    external_id: nullable(Type.String()),
    date: nullable(day()),
    amount: nullable(amount('What the group holds of the record')),
    currency: nullable(Type.String()),
  },
  { $id: 'ReportMember' },
);

const groupSchema = closed(
  {
    id: uuid(),
    period: nullable(Type.String()),
    origin: textEnum(groupOrigins),
    kind: textEnum(['pair', 'composite', 'manual'] as const),
    difference: nullable(amount()),
    rule_set_name: nullable(Type.String()),
    rule_set_version: nullable(Type.Integer()),
    score: nullable(Type.Number()),
    held_at: timestamp(),
    held_by: actorSchema,
    note: nullable(Type.String()),
    left: Type.Array(memberSchema),
    right: Type.Array(memberSchema),
    adjustments: Type.Array(adjustmentSchema),
  },
  { $id: 'ReportGroup' },
);

const itemSchema = closed(
  {
    side: textEnum(['left', 'right'] as const),
    record_id: uuid(),
    external_id: nullable(Type.String()),
    date: nullable(day()),
    age_days: nullable(Type.Integer()),
    age: textEnum(ageBuckets),
    amount: nullable(amount()),
    remaining_amount: nullable(amount('What no group holds of the amount')),
    currency: nullable(Type.String()),
    excluded: Type.Boolean(),
    late: Type.Boolean({ description: 'Dated in a month that was closed before it came' }),
    ...shownAnnotations,
  },
  { $id: 'ReportItem' },
);

const head = {
  reconciliation_id: uuid(),
  name: Type.String(),
  timezone: Type.String(),
  period: nullable(Type.String({ description: 'YYYY-MM' })),
  as_of: timestamp({ description: 'When a closed month was closed; else now' }),
  certificate: nullable(
    closed({ id: uuid(), at: timestamp(), by: actorSchema, note: nullable(Type.String()), digest: Type.String() }),
    { description: 'Of a closed month' },
  ),
};

export const reportSchema = closed(
  { ...head, summary: provedSummarySchema, groups: Type.Array(groupSchema), open_items: Type.Array(itemSchema) },
  { $id: 'ReconciliationReport' },
);

export type ReportHeadBody = Omit<Static<typeof reportSchema>, 'groups' | 'open_items'>;
export type ReportGroupBody = Static<typeof groupSchema>;
export type ReportItemBody = Static<typeof itemSchema>;

export const presentReportHead = ({
  reconciliation,
  name,
  period,
  at,
  certificate,
  summary,
}: ReconciliationReport): ReportHeadBody => ({
  reconciliation_id: reconciliation.id,
  name,
  timezone: reconciliation.timezone,
  period,
  as_of: at.toISOString(),
  certificate: certificate && {
    id: certificate.id,
    at: certificate.at.toISOString(),
    by: certificate.by,
    note: certificate.note,
    digest: certificate.digest,
  },
  summary: presentProvedSummary(reconciliation.id, summary),
});

const presentMember = (of: ReportedMember): Static<typeof memberSchema> => ({
  record_id: of.recordId,
  external_id: of.externalId,
  date: of.date,
  amount: wireDecimal(of.amount),
  currency: of.currency,
});

export const presentReportGroup = (group: ReportedGroup): ReportGroupBody => ({
  id: group.id,
  period: group.period,
  origin: group.origin,
  kind: group.kind,
  difference: wireDecimal(group.difference),
  rule_set_name: group.ruleSetName,
  rule_set_version: group.ruleSetVersion,
  score: group.score,
  held_at: group.heldAt.toISOString(),
  held_by: group.heldBy,
  note: group.note,
  left: group.members.filter(({ side }) => side === 'left').map(presentMember),
  right: group.members.filter(({ side }) => side === 'right').map(presentMember),
  adjustments: group.adjustments.map(({ amount: text, reasonCode, note }) => ({
    amount: wireDecimal(text) ?? 0,
    reason_code: reasonCode,
    note,
  })),
});

export const presentReportItem = (item: ReportedItem): ReportItemBody => ({
  side: item.side,
  record_id: item.recordId,
  external_id: item.externalId,
  date: item.date,
  age_days: item.ageDays,
  age: item.age,
  amount: wireDecimal(item.amount),
  remaining_amount: wireDecimal(item.remaining),
  currency: item.currency,
  excluded: item.isExcluded,
  late: item.isLate,
  ...presentAnnotations(item),
});
