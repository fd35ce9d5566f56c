import type { Side } from '@tieout/engine';
import type { Actor } from '../../kernel/scope';
import type { JsonObject } from '../../kernel/ports';
import type { UnmatchedReason } from '../../results/unmatched';
import type { ItemProposals } from './proposals';
import type { UnreadWarning } from '../unread-values';

/** The reason for which a record takes no part, and its author. */
export interface ItemExclusion {
  reasonCode: string;
  note: string | null;
  /** ISO 8601 */
  at: string;
  by: Actor;
}

/** A record of a reconciliation. Amounts are decimal texts. */
export interface RecordAsItem {
  recordId: string;
  side: Side;
  datasetId: string;
  externalId: string | null;
  revision: number;
  amount: string | null;
  /** The part of the amount that no group holds. */
  remaining: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  currency: string | null;
  /** Dated in a month that was closed before it came. */
  late: boolean;
}

/**
 * The annotations of an item as certificates and reports show them; for an excluded item, the reason of its exclusion.
 */
export interface ShownAnnotations {
  assignee: string | null;
  reasonCode: string | null;
  note: string | null;
}

/** A record that no group holds wholly. */
export interface OpenItem extends RecordAsItem {
  /** Days since its date, today in the time zone of the reconciliation; null without a date. */
  ageDays: number | null;
  /** Data overlaid with the normalised fields. */
  record: JsonObject;
  assignee: string | null;
  reasonCode: string | null;
  note: string | null;
  /** YYYY-MM-DD */
  snoozedUntil: string | null;
  excluded: ItemExclusion | null;
  warnings: UnreadWarning[];
  /** The reason for which the latest run gave it no MATCH; null where that run did not see it. */
  reason: UnmatchedReason | null;
  bestPossible: ItemProposals['bestPossible'];
  bestPossibleComposite: ItemProposals['bestPossibleComposite'];
}

export const openItemSorts = ['age', '-age', 'date', '-date', 'amount', '-amount'] as const;
export type OpenItemSort = (typeof openItemSorts)[number];

export interface OpenItemFilter {
  /** undefined: both. */
  side?: Side | undefined;
  /** Words, or beginnings of words, in any field. */
  q?: string | undefined;
  amountMin?: number | undefined;
  amountMax?: number | undefined;
  /** YYYY-MM-DD, both inclusive. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** YYYY-MM-DD: dated up to this day, or without a date, as the proof counts. */
  upTo?: string | undefined;
  /** Empty: records without one. */
  currency?: string | undefined;
  minAgeDays?: number | undefined;
  /** true: only excluded ones; else only those that are not. */
  excluded?: boolean | undefined;
  assignee?: string | undefined;
  reasonCode?: string | undefined;
  /** true: only those with an assignee; false: without them. */
  assigned?: boolean | undefined;
  /** true: only those with a reason code or a note; false: without them. */
  explained?: boolean | undefined;
  /** true: only those dated in a month that was closed before they came; false: without them. */
  late?: boolean | undefined;
  /** true: only those snoozed to a later day; false: without them. */
  snoozed?: boolean | undefined;
  /** true: only those that a proposal of the latest run names; false: without them. */
  suggested?: boolean | undefined;
}

/** The number of items, and the sum of their remaining amounts for each currency. */
export interface OpenItemTotals {
  count: number;
  amounts: { currency: string | null; amount: string }[];
}

/** A change of what people say about items. Undefined: as it is; null: removed. */
export interface ItemAnnotation {
  assignee?: string | null | undefined;
  reasonCode?: string | null | undefined;
  note?: string | null | undefined;
  snoozedUntil?: string | null | undefined;
  excluded?: { reasonCode: string; note?: string | undefined } | null | undefined;
}
