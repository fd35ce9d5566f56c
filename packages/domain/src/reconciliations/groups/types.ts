import type { UnreadWarning } from '../unread-values';
import type { JsonObject, Side } from '@tieout/engine';
import type { Actor } from '../../kernel/scope';

/** `pending`: it holds its records, and waits for the approval of another person. */
export const groupStatuses = ['held', 'pending', 'released'] as const;
export type GroupStatus = (typeof groupStatuses)[number];
export const groupOrigins = ['auto', 'confirmed', 'manual'] as const;
export type GroupOrigin = (typeof groupOrigins)[number];

/** A record of a group, as it was when the group was made. Amounts are decimal texts. */
export interface GroupMember {
  recordId: string;
  externalId: string | null;
  revision: number;
  /** The part of the record that the group holds; null: it has no amount. */
  amount: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  /** The record today, where amount, date or currency differ from what the group holds; null: they do not. */
  current: ChangedMember | null;
  /** The record today, where it was asked for; null: it is gone, or one of too many. */
  record?: JsonObject | null;
}

/** A record that has changed while it is held. */
export interface ChangedMember {
  /** null: the record is gone. */
  revision: number | null;
  amount: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  currency: string | null;
}

export interface GroupAdjustment {
  amount: string;
  reasonCode: string;
  note: string | null;
}

export const approvalStatuses = ['pending', 'approved', 'rejected'] as const;

/** The approval that a large group needs. */
export interface GroupApproval {
  status: (typeof approvalStatuses)[number];
  decidedAt: Date | null;
  decidedBy: Actor | null;
  note: string | null;
}

/** Records of both sides that belong together. Amounts are decimal texts. */
export interface MatchGroup {
  id: string;
  reconciliationId: string;
  status: GroupStatus;
  origin: GroupOrigin;
  kind: 'pair' | 'composite' | 'manual';
  members: Record<Side, GroupMember[]>;
  leftAmount: string | null;
  rightAmount: string | null;
  difference: string | null;
  currency: string | null;
  adjustments: GroupAdjustment[];
  matchId: string | null;
  compositeMatchId: string | null;
  matchingJobId: string | null;
  ruleSetId: string | null;
  ruleSetName: string | null;
  ruleSetVersion: number | null;
  score: number | null;
  explanation: unknown;
  /** YYYY-MM */
  period: string | null;
  note: string | null;
  stale: boolean;
  /** It counts in a later month than its records, whose own was closed. */
  late: boolean;
  /** null: it needs none. */
  approval: GroupApproval | null;
  heldAt: Date;
  heldBy: Actor;
  /** The person who confirmed what a run holds; null where there is none beside its maker. */
  confirmedAt: Date | null;
  confirmedBy: Actor | null;
  releasedAt: Date | null;
  releasedBy: Actor | null;
  releaseReason: string | null;
  releaseNote: string | null;
  warnings: UnreadWarning[];
}

/** A member of a request. Without an amount all that remains of the record is held. */
export interface MemberInput {
  recordId: string;
  amount?: number | string | undefined;
}

export interface AdjustmentInput {
  amount: number | string;
  reasonCode: string;
  note?: string | undefined;
}

export interface NewMatchGroup {
  reconciliationId: string;
  left: MemberInput[];
  right: MemberInput[];
  adjustments?: AdjustmentInput[] | undefined;
  note?: string | undefined;
}
