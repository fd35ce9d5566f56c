import { Type, type Static } from '@sinclair/typebox';
import {
  periodStatuses,
  wireDecimal,
  type BalanceProof,
  type PeriodItem,
  type CountedAmounts,
  type KnownSide,
  type Period,
  type ProofTerm,
  type ProvedSummary,
  type PeriodCertificate,
  type ShownAnnotations,
  type SideBalance,
  type SummaryView,
} from '@tieout/domain';
import { closed, count, described, nullable, textEnum, timestamp, uuid } from '../../http';
import {
  actorSchema,
  amount,
  unreadWarnings,
  day,
  itemSchema,
  presentItem,
  presentSummary,
  presentSum,
  sideSummarySchema,
  summarySchema,
  sumSchema,
} from './schemas';

const optional = Type.Optional;
export const month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM' });
const side = textEnum(['left', 'right'] as const);

const termSchema = closed(
  { left: amount(), right: amount(), url: Type.String({ description: 'The list of it' }) },
  { $id: 'ProofTerm' },
);

const balanceOfProof = nullable(
  closed({ amount: amount(), date: day('Its own day, which may be an earlier one') }, { $id: 'DatedBalance' }),
);

export const proofSchema = closed(
  {
    currency: nullable(Type.String()),
    day: day('Balances and items count up to this day; items without a date always count'),
    balances: closed({ left: balanceOfProof, right: balanceOfProof, url: Type.String() }),
    open: termSchema,
    held: termSchema,
    excluded: termSchema,
    stale: termSchema,
    unexplained: nullable(
      amount('Left less right of the balances, less that of each term; null while a side has no balance'),
    ),
  },
  { $id: 'BalanceProof' },
);

/** The view of a proof, for the links to its lists. */
interface ProofView {
  reconciliationId: string;
  /** YYYY-MM; null: all months. */
  period: string | null;
  certificateId: string | null;
  /** ISO 8601: what was known then; null: what is known now. */
  asOf: string | null;
}

/**
 * Gives the list of each term. Open items are known as they are now, or as they are at the end of a month: a moment in
 * the past has no list of them.
 */
function listsOf(
  { reconciliationId: id, period, certificateId, asOf }: ProofView,
  { day: upTo, ...of }: { day: string; currency?: string },
): Record<ProofTerm, string> {
  const url = (path: string, query: Record<string, string>): string =>
    [path, ...(Object.keys(query).length === 0 ? [] : [new URLSearchParams(query).toString()])].join('?');
  const at = `/v1/reconciliations/${id}`;
  const months = period === null ? {} : { periodTo: period };
  const groups = { reconciliationId: id, ...(asOf === null ? { released: 'false' } : { asOf }), ...months };
  const certificate = certificateId === null ? {} : { certificateId };
  const items = (more: Record<string, string>): string =>
    period === null
      ? url(`${at}/open-items`, { upTo, ...of, ...more })
      : url(`${at}/periods/${period}/open-items`, { ...certificate, ...of, ...more });
  return {
    open: items({}),
    held: url('/v1/match-groups', { ...groups, upTo, ...of }),
    excluded: items({ excluded: 'true' }),
    stale: url('/v1/match-groups', { ...groups, stale: 'true' }),
  };
}

const wire = (text: string): number | string => wireDecimal(text) ?? 0;

/** Presents the proofs of a view. Where there is one only, its lists need no currency. */
const presentProofs = (view: ProofView, proofs: readonly BalanceProof[]): Static<typeof proofSchema>[] =>
  proofs.map((proof) => presentProof(view, proof, proofs.length === 1 ? {} : { currency: proof.currency ?? '' }));

function presentProof(
  view: ProofView,
  { currency, day: upTo, balances, terms, unexplained }: BalanceProof,
  of: { currency?: string },
): Static<typeof proofSchema> {
  const lists = listsOf(view, { day: upTo, ...of });
  const term = (name: ProofTerm): Static<typeof termSchema> => ({
    left: wire(terms[name].left),
    right: wire(terms[name].right),
    url: lists[name],
  });
  const balance = (of: 'left' | 'right'): Static<typeof balanceOfProof> =>
    balances[of] && { amount: wire(balances[of].amount), date: balances[of].date };
  return {
    currency,
    day: upTo,
    balances: {
      left: balance('left'),
      right: balance('right'),
      url: `/v1/reconciliations/${view.reconciliationId}/balances?dateTo=${upTo}`,
    },
    open: term('open'),
    held: term('held'),
    excluded: term('excluded'),
    stale: term('stale'),
    unexplained: wireDecimal(unexplained),
  };
}

const provedSide = closed(
  {
    ...sideSummarySchema.properties,
    stale: described(sumSchema, 'By how much records differ from what groups hold of them'),
  },
  { $id: 'ProvedSideSummary' },
);

export const provedSummarySchema = closed(
  {
    as_of: nullable(timestamp({ description: 'What was known then; null: what is known now' })),
    period: nullable(month),
    certificate_id: nullable(Type.String({ format: 'uuid', description: 'The certificate that it is read from' })),
    ...summarySchema.properties,
    left: provedSide,
    right: provedSide,
    proof: optional(Type.Array(proofSchema, { description: 'The proof of balance, by currency' })),
    warnings: unreadWarnings,
  },
  { $id: 'ProvedSummary' },
);

/** @param withAmounts for callers that see what records hold */
export function presentProvedSummary(
  id: string,
  { asOf, period, certificateId, warnings, ...summary }: ProvedSummary & SummaryView,
  withAmounts = true,
): Static<typeof provedSummarySchema> {
  const { left, right, ...rest } = presentSummary(summary, withAmounts);
  const withStale = (shown: typeof left, of: KnownSide): Static<typeof provedSide> => ({
    ...shown,
    stale: presentSum(of.stale, withAmounts),
  });
  return {
    as_of: asOf && new Date(asOf).toISOString(),
    period,
    certificate_id: certificateId,
    ...rest,
    left: withStale(left, summary.sides.left),
    right: withStale(right, summary.sides.right),
    ...(withAmounts && {
      proof: presentProofs({ reconciliationId: id, period, certificateId, asOf }, summary.proof),
    }),
    warnings,
  };
}

const sums = Type.Array(
  closed(
    {
      currency: nullable(Type.String()),
      records: amount(),
      held: amount(),
      open: amount(),
      excluded: amount(),
      stale: amount(),
    },
    { $id: 'CertifiedSum' },
  ),
  { description: 'By currency' },
);
const counts = closed(
  { records: count(), held: count(), open: count(), excluded: count() },
  { $id: 'CertifiedCounts' },
);

export const certificateSchema = closed(
  {
    id: uuid(),
    period: month,
    at: timestamp(),
    by: actorSchema,
    note: nullable(Type.String()),
    sums: optional(closed({ left: sums, right: sums })),
    counts: closed({ left: counts, right: counts, groups: count() }),
    proof: optional(Type.Array(proofSchema)),
    open_items_url: Type.String({ description: 'The open items of the month, with their amounts' }),
    digest: Type.String({ description: 'SHA-256 over sums, proof and open items, in hex' }),
    locked_at: nullable(timestamp()),
    locked_by: nullable(actorSchema),
    voided_at: nullable(timestamp({ description: 'When the month was opened again' })),
    voided_by: nullable(actorSchema),
    void_reason: nullable(Type.String()),
  },
  { $id: 'PeriodCertificate' },
);

const terms = ['records', 'held', 'open', 'excluded', 'stale'] as const;

function sumsOf(of: KnownSide): Static<typeof sums> {
  const currencies = [...new Set(terms.flatMap((term) => of[term].amounts.map(({ currency }) => currency)))];
  const sum = ({ amounts }: CountedAmounts, currency: string | null): number | string =>
    wire(amounts.find((one) => one.currency === currency)?.amount ?? '0.0000');
  return currencies.map((currency) => ({
    currency,
    records: sum(of.records, currency),
    held: sum(of.held, currency),
    open: sum(of.open, currency),
    excluded: sum(of.excluded, currency),
    stale: sum(of.stale, currency),
  }));
}

const countsOf = ({ records, held, open, excluded }: KnownSide): Static<typeof counts> => ({
  records: records.count,
  held: held.count,
  open: open.count,
  excluded: excluded.count,
});

/** Returns the end of the millisecond of a moment, which is more exact than a date. */
const endOf = (at: Date): string => new Date(at.getTime() + 1).toISOString();

function presentCertificate(id: string, of: PeriodCertificate, withAmounts: boolean): Static<typeof certificateSchema> {
  const { sides, groups, proof } = of.summary;
  return {
    id: of.id,
    period: of.period,
    at: of.at.toISOString(),
    by: of.by,
    note: of.note,
    ...(withAmounts && { sums: { left: sumsOf(sides.left), right: sumsOf(sides.right) } }),
    counts: {
      left: countsOf(sides.left),
      right: countsOf(sides.right),
      groups: groups.reduce((sum, group) => sum + group.count, 0),
    },
    ...(withAmounts && {
      proof: presentProofs(
        { reconciliationId: id, period: of.period, certificateId: of.id, asOf: endOf(of.at) },
        proof,
      ),
    }),
    open_items_url: `/v1/reconciliations/${id}/periods/${of.period}/open-items?certificateId=${of.id}`,
    digest: of.digest,
    locked_at: of.lockedAt && of.lockedAt.toISOString(),
    locked_by: of.lockedBy,
    voided_at: of.voidedAt && of.voidedAt.toISOString(),
    voided_by: of.voidedBy,
    void_reason: of.voidReason,
  };
}

export const periodSchema = closed(
  {
    period: month,
    status: textEnum(periodStatuses),
    certificate: nullable(certificateSchema),
    voided_certificates: Type.Array(certificateSchema, { description: 'The latest first' }),
  },
  { $id: 'Period' },
);

/** @param withAmounts for callers that see what records hold */
export const presentPeriod = (id: string, of: Period, withAmounts = true): Static<typeof periodSchema> => ({
  period: of.period,
  status: of.status,
  certificate: of.certificate && presentCertificate(id, of.certificate, withAmounts),
  voided_certificates: of.voided.map((certificate) => presentCertificate(id, certificate, withAmounts)),
});

export const shownAnnotations = {
  assignee: nullable(Type.String()),
  reason_code: nullable(Type.String(), { description: 'Of an excluded item why it was excluded' }),
  note: nullable(Type.String()),
};

export const presentAnnotations = ({ assignee, reasonCode, note }: ShownAnnotations) => ({
  assignee,
  reason_code: reasonCode,
  note,
});

export const periodItemSchema = closed(
  { ...itemSchema.properties, excluded: Type.Boolean(), ...shownAnnotations },
  { $id: 'CertifiedItem' },
);

export const presentPeriodItem = (item: PeriodItem): Static<typeof periodItemSchema> => ({
  ...presentItem(item),
  excluded: item.excluded,
  ...presentAnnotations(item),
});

export const balanceBody = closed({
  side,
  date: day('The balance is that of the end of this day'),
  amount: nullable(Type.Union([Type.Number(), Type.String({ maxLength: 40 })]), {
    description: 'Negative for what is owed; null: the day has no balance any more',
  }),
  currency: optional(nullable(Type.String({ minLength: 1, maxLength: 40 }))),
});

export const balanceSchema = closed(
  {
    id: uuid(),
    side,
    date: day(),
    currency: nullable(Type.String()),
    amount: amount(),
    dataset_id: nullable(
      Type.String({ format: 'uuid', description: 'Of the file that states it; null: given by hand' }),
    ),
    file_id: nullable(uuid()),
    account: nullable(Type.String()),
    by: actorSchema,
    valid_from: timestamp(),
    valid_to: nullable(timestamp({ description: 'When another one took its place; null: it stands' })),
  },
  { $id: 'SideBalance' },
);

export const presentBalance = (of: SideBalance): Static<typeof balanceSchema> => ({
  id: of.id,
  side: of.side,
  date: of.date,
  currency: of.currency,
  amount: wire(of.amount),
  dataset_id: of.datasetId,
  file_id: of.fileId,
  account: of.account,
  by: of.by,
  valid_from: of.validFrom.toISOString(),
  valid_to: of.validTo && of.validTo.toISOString(),
});
