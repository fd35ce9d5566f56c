import { Type, type Static } from '@sinclair/typebox';
import {
  acceptModes,
  amountSignModes,
  ageBuckets,
  jobStatuses,
  openItemSorts,
  runTriggerNames,
  unmatchedReasons,
  wireAmount,
  wireDecimal,
  type PeriodItem,
  type OpenItem,
  type OpenItemTotals,
  type CountedAmounts,
  type Reconciliation,
  type ReconciliationSummary,
  type SideSummary,
} from '@tieout/domain';
import { presentProposals, proposalFields } from '../proposals';
import { closed, count, failure, freeForm, label, nullable, textEnum, timestamp, uuid, warning } from '../../http';

const optional = Type.Optional;

/** A number; a decimal text where a double cannot hold it. */
export const amount = (description?: string) =>
  Type.Union([Type.Number(), Type.String()], description === undefined ? {} : { description });

export const day = (description?: string) =>
  Type.String({ format: 'date', ...(description === undefined ? {} : { description }) });

export const currencyFilter = Type.String({ maxLength: 40, description: 'Empty: those without a currency' });

const key = (description: string) => optional(nullable(Type.String({ minLength: 1, maxLength: 200, description })));
const amountKey = 'Path of the amount; default: that of the first pass, else amount. null: there are no amounts';
const dateKey = 'Path of the date; default: that of the first pass, else date';
const currencyKey = 'Path of the currency; default: none';

const triggers = closed(
  {
    schedule: optional(
      closed({
        cron: Type.String({ minLength: 9, maxLength: 100, description: 'Five fields, such as 0 6 * * 1-5' }),
        timezone: optional(Type.String({ description: 'Default UTC' })),
      }),
    ),
    onArrival: optional(
      closed({
        quietSeconds: optional(
          Type.Integer({ minimum: 1, maximum: 86_400, description: 'After the last record; default 60' }),
        ),
        maxWaitSeconds: optional(
          Type.Integer({ minimum: 1, maximum: 86_400, description: 'After the first record; default 900' }),
        ),
      }),
    ),
  },
  { $id: 'RunTriggers' },
);

const properties = {
  name: label(200, { description: 'Unique' }),
  leftDatasetIds: Type.Array(uuid(), { minItems: 1, maxItems: 20 }),
  rightDatasetIds: Type.Array(uuid(), { minItems: 1, maxItems: 20 }),
  ruleSetIds: Type.Array(uuid(), { minItems: 1, maxItems: 50, description: 'The passes, in order' }),
  timezone: Type.String({ description: 'Of days and months; default UTC' }),
  accept: textEnum(acceptModes, {
    description: 'auto (default): a MATCH becomes a held group. review: it is a proposal until it is confirmed',
  }),
  amountSign: textEnum(amountSignModes, {
    description: 'opposite: what is positive on the left is negative on the right; default same',
  }),
  approvalAbove: nullable(Type.Union([Type.Number(), Type.String({ maxLength: 40 })]), {
    description:
      'A match group with a larger amount of a side, of a record, of which it may hold a part, or of its ' +
      'adjustments together is pending until another person approves it; so is one with an amount that cannot be ' +
      'read. Default null: none. Changing it needs matches:approve',
  }),
  triggers,
};

const keys = {
  amountKeyLeft: key(amountKey),
  amountKeyRight: key(amountKey),
  dateKeyLeft: key(dateKey),
  dateKeyRight: key(dateKey),
  currencyKeyLeft: key(currencyKey),
  currencyKeyRight: key(currencyKey),
};

const { name, leftDatasetIds, rightDatasetIds, ruleSetIds, ...withDefaults } = properties;

export const createReconciliationBody = closed({
  name,
  leftDatasetIds,
  rightDatasetIds,
  ruleSetIds,
  ...Type.Partial(Type.Object(withDefaults)).properties,
  ...keys,
});

export const updateReconciliationBody = closed({
  ...Type.Partial(Type.Object(properties)).properties,
  ...keys,
  archived: optional(Type.Boolean()),
});

const shownKey = nullable(Type.String());

const lastRun = closed(
  {
    matching_job_id: nullable(uuid()),
    status: textEnum([...jobStatuses, 'refused'] as const),
    trigger: textEnum(runTriggerNames),
    at: timestamp(),
    error: nullable(failure),
    next_attempt_at: nullable(timestamp()),
  },
  {
    $id: 'LastRun',
    description: 'The latest run that was no dry one. refused: a trigger could not start it; it is tried again',
  },
);

export const reconciliationSchema = closed(
  {
    id: uuid(),
    name: Type.String(),
    left_dataset_ids: Type.Array(uuid()),
    right_dataset_ids: Type.Array(uuid()),
    rule_set_ids: Type.Array(uuid(), { description: 'The passes, in order' }),
    timezone: Type.String(),
    accept: textEnum(acceptModes),
    amount_key_left: shownKey,
    amount_key_right: shownKey,
    date_key_left: shownKey,
    date_key_right: shownKey,
    currency_key_left: shownKey,
    currency_key_right: shownKey,
    amount_sign: textEnum(amountSignModes),
    approval_above: nullable(amount('Match groups above it wait for approval; null: none does')),
    triggers: freeForm(),
    next_run_at: nullable(timestamp()),
    last_run: nullable(lastRun),
    archived: Type.Boolean(),
    status: textEnum(['filling', 'ready'] as const, {
      description: 'filling: records that were there before are still becoming open items',
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { $id: 'Reconciliation' },
);

const iso = (text: string): string => new Date(text).toISOString();

export function presentReconciliation(of: Reconciliation): Static<typeof reconciliationSchema> {
  return {
    id: of.id,
    name: of.name,
    left_dataset_ids: of.datasetIds.left,
    right_dataset_ids: of.datasetIds.right,
    rule_set_ids: of.ruleSetIds,
    timezone: of.timezone,
    accept: of.accept,
    amount_key_left: of.keys.left.amount,
    amount_key_right: of.keys.right.amount,
    date_key_left: of.keys.left.date,
    date_key_right: of.keys.right.date,
    currency_key_left: of.keys.left.currency,
    currency_key_right: of.keys.right.currency,
    amount_sign: of.amountSign,
    approval_above: wireDecimal(of.approvalAbove),
    triggers: { ...of.triggers },
    next_run_at: of.nextRunAt && of.nextRunAt.toISOString(),
    last_run: of.lastRun && {
      matching_job_id: of.lastRun.matchingJobId,
      status: of.lastRun.status as Static<typeof lastRun>['status'],
      trigger: of.lastRun.trigger as Static<typeof lastRun>['trigger'],
      at: iso(of.lastRun.at),
      error: of.lastRun.error,
      next_attempt_at: of.lastRun.nextAttemptAt && iso(of.lastRun.nextAttemptAt),
    },
    archived: of.archived,
    status: of.filled ? 'ready' : 'filling',
    created_at: of.createdAt.toISOString(),
    updated_at: of.updatedAt.toISOString(),
  };
}

const side = textEnum(['left', 'right'] as const);
const noteText = Type.String({ maxLength: 2_000 });
const code = Type.String({ minLength: 1, maxLength: 50, description: 'GET /v1/reason-codes lists them' });

/** Filters of open items, in a query and in a body. */
export const openItemFilter = {
  side: optional(side),
  q: optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Words, or beginnings of words, in any field' }),
  ),
  amountMin: optional(Type.Number()),
  amountMax: optional(Type.Number()),
  dateFrom: optional(day('Inclusive')),
  dateTo: optional(day('Inclusive')),
  upTo: optional(day('Dated up to this day, or without a date, as the proof of balance counts')),
  currency: optional(currencyFilter),
  minAgeDays: optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  excluded: optional(Type.Boolean({ description: 'true: only excluded records; default: only open ones' })),
  assignee: optional(Type.String({ minLength: 1, maxLength: 200 })),
  reasonCode: optional(Type.String({ minLength: 1, maxLength: 50 })),
  assigned: optional(Type.Boolean({ description: 'true: only those with an assignee; false: without them' })),
  explained: optional(
    Type.Boolean({ description: 'true: only those with a reason code or a note; false: without them' }),
  ),
  late: optional(
    Type.Boolean({
      description: 'true: only those dated in a month that was closed before they came; false: without them',
    }),
  ),
  snoozed: optional(Type.Boolean({ description: 'true: only those snoozed to a later day; false: without them' })),
  suggested: optional(
    Type.Boolean({ description: 'true: only those that a proposal of the latest run names; false: without them' }),
  ),
};

export const openItemSort = textEnum(openItemSorts, { description: 'age: the youngest first', default: '-age' });

export const annotation = closed(
  {
    assignee: optional(nullable(label(200))),
    reasonCode: optional(nullable(code)),
    note: optional(nullable(noteText)),
    snoozedUntil: optional(nullable(day('Hidden from snoozed=false until this day, which is not past'))),
    excluded: optional(
      Type.Union([closed({ reasonCode: code, note: optional(noteText) }, { $id: 'NewExclusion' }), Type.Null()], {
        description: 'An excluded record takes no part; null: it does again',
      }),
    ),
  },
  { $id: 'AnnotateOpenItemRequest', minProperties: 1 },
);

export const actorTypes = ['user', 'key', 'agent', 'job', 'operator'] as const;

export const actorSchema = closed(
  {
    type: textEnum(actorTypes),
    id: nullable(Type.String()),
    label: nullable(Type.String()),
  },
  { $id: 'Actor' },
);

/** The fields that open items and those of a certificate share. */
export const itemSchema = closed({
  record_id: uuid(),
  side,
  dataset_id: uuid(),
  external_id: nullable(Type.String()),
  revision: Type.Integer(),
  amount: nullable(amount()),
  remaining_amount: nullable(amount('What no group holds of the amount')),
  date: nullable(day()),
  currency: nullable(Type.String()),
  late: Type.Boolean({ description: 'Dated in a month that was closed before it came' }),
});

export const presentItem = (item: OpenItem | PeriodItem): Static<typeof itemSchema> => ({
  record_id: item.recordId,
  side: item.side,
  dataset_id: item.datasetId,
  external_id: item.externalId,
  revision: item.revision,
  amount: wireDecimal(item.amount),
  remaining_amount: wireDecimal(item.remaining),
  date: item.date,
  currency: item.currency,
  late: item.late,
});

export const unreadWarnings = Type.Array(warning, {
  description: 'Amounts and dates that cannot be read, changes that are not settled, and what to do about them',
});

export const openItemSchema = closed(
  {
    ...itemSchema.properties,
    age_days: nullable(Type.Integer()),
    record: freeForm({ description: 'Data overlaid with the normalised fields' }),
    assignee: nullable(Type.String()),
    reason_code: nullable(Type.String()),
    note: nullable(Type.String()),
    snoozed_until: nullable(day()),
    reason: nullable(textEnum(unmatchedReasons), {
      description:
        'Why the latest run gave it no MATCH, as in GET /v1/matching-jobs/{id}/unmatched; null: that run has ' +
        'not seen it open, or proposes a MATCH',
    }),
    ...proposalFields,
    excluded: nullable(
      closed({ reason_code: Type.String(), note: nullable(Type.String()), at: timestamp(), by: actorSchema }),
    ),
    warnings: unreadWarnings,
  },
  { $id: 'OpenItem' },
);

export function presentOpenItem(item: OpenItem): Static<typeof openItemSchema> {
  return {
    ...presentItem(item),
    age_days: item.ageDays,
    record: item.record,
    assignee: item.assignee,
    reason_code: item.reasonCode,
    note: item.note,
    snoozed_until: item.snoozedUntil,
    reason: item.reason,
    ...presentProposals(item),
    excluded: item.excluded && {
      reason_code: item.excluded.reasonCode,
      note: item.excluded.note,
      at: item.excluded.at,
      by: item.excluded.by,
    },
    warnings: item.warnings,
  };
}

export const totalsSchema = closed(
  {
    count: count(),
    amounts: Type.Array(closed({ currency: nullable(Type.String()), amount: amount() }, { $id: 'CurrencyAmount' }), {
      description: 'What remains, by currency',
    }),
  },
  { $id: 'OpenItemTotals' },
);

/** Counts, and for callers that see records the amounts. */
export const sumSchema = closed({ count: count(), amounts: optional(totalsSchema.properties.amounts) }, { $id: 'Sum' });

export const presentTotals = ({ count: items, amounts }: OpenItemTotals): Static<typeof totalsSchema> => ({
  count: items,
  amounts: amounts.map(({ currency, amount: text }) => ({ currency, amount: wireDecimal(text) ?? wireAmount(0n) })),
});

const rate = nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Of records that are not excluded' }));

export const sideSummarySchema = closed(
  {
    records: sumSchema,
    held: sumSchema,
    open: sumSchema,
    excluded: sumSchema,
    match_rate: rate,
    ageing: Type.Array(closed({ days: textEnum(ageBuckets), ...sumSchema.properties }, { $id: 'AgeingBucket' })),
  },
  { $id: 'SideSummary' },
);

export const summarySchema = closed(
  {
    left: sideSummarySchema,
    right: sideSummarySchema,
    groups: Type.Array(closed({ origin: Type.String(), count: count() })),
    adjustments: Type.Array(closed({ reason_code: Type.String(), count: count(), amount: optional(amount()) })),
    difference: optional(amount('What held groups differ by, adjustments included')),
  },
  { $id: 'ReconciliationSummary' },
);

const presentSide = (side: SideSummary, withAmounts: boolean): Static<typeof sideSummarySchema> => {
  const records = side.records.count - side.excluded.count;
  const shown = (of: CountedAmounts) => presentSum(of, withAmounts);
  return {
    records: shown(side.records),
    held: shown(side.held),
    open: shown(side.open),
    excluded: shown(side.excluded),
    match_rate: records === 0 ? null : Math.round((side.held.count / records) * 1e4) / 1e4,
    ageing: ageBuckets.map((days) => ({ days, ...shown(side.ageing[days]) })),
  };
};

export const presentSum = (of: CountedAmounts, withAmounts: boolean): Static<typeof sumSchema> =>
  withAmounts ? presentTotals(of) : { count: of.count };

/** @param withAmounts for callers that see what records hold */
export const presentSummary = (summary: ReconciliationSummary, withAmounts: boolean): Static<typeof summarySchema> => ({
  left: presentSide(summary.sides.left, withAmounts),
  right: presentSide(summary.sides.right, withAmounts),
  groups: summary.groups,
  adjustments: summary.adjustments.map(({ reasonCode, count: number, amount: text }) => ({
    reason_code: reasonCode,
    count: number,
    ...(withAmounts && { amount: wireDecimal(text) ?? 0 }),
  })),
  ...(withAmounts && { difference: wireDecimal(summary.difference) ?? 0 }),
});
