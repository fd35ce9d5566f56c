import type { Side } from '@tieout/engine';

/** `auto`: a MATCH becomes a held group. `review`: it is a proposal until somebody confirms it. */
export const acceptModes = ['auto', 'review'] as const;
export type AcceptMode = (typeof acceptModes)[number];

export const amountSignModes = ['same', 'opposite'] as const;
export type AmountSignMode = (typeof amountSignModes)[number];

/** Dotted paths of amount, date and currency; null: the side has none. */
export interface ItemKeys {
  amount: string | null;
  date: string | null;
  currency: string | null;
}

/** When a reconciliation runs by itself. */
export interface RunTriggers {
  schedule?: { cron: string; timezone?: string | undefined } | undefined;
  onArrival?: { quietSeconds?: number | undefined; maxWaitSeconds?: number | undefined } | undefined;
}

/** The outcome of the latest run that was not a dry run, or of a later trigger that could not start a run. */
export interface LastRun {
  /** Null for a run that was refused. */
  matchingJobId: string | null;
  /** The status of the matching job, or `refused`. */
  status: string;
  trigger: string;
  /** ISO 8601 */
  at: string;
  error: { code: string; message: string } | null;
  /** When a refused run is tried again at the earliest, ISO 8601. */
  nextAttemptAt: string | null;
}

export interface Reconciliation {
  id: string;
  name: string;
  datasetIds: Record<Side, string[]>;
  /** Its passes, in order. */
  ruleSetIds: string[];
  timezone: string;
  accept: AcceptMode;
  keys: Record<Side, ItemKeys>;
  amountSign: AmountSignMode;
  /** Groups with a larger amount wait for the approval of another person; null: none does. A decimal text. */
  approvalAbove: string | null;
  triggers: RunTriggers;
  /** When its schedule starts a run next; null without one. */
  nextRunAt: Date | null;
  /** Null before the first one. */
  lastRun: LastRun | null;
  archived: boolean;
  /** False while records that were there before it are still made items. */
  filled: boolean;
  /** Holds once a group was held: keys and sign are fixed. */
  heldOnce: boolean;
  /** The last day of the last closed month, and of the last locked one, YYYY-MM-DD; null: none is. */
  closedTo: string | null;
  lockedTo: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Keys of a request. Undefined: by default; null: none. */
export type KeyInput = string | null | undefined;

export interface NewReconciliation {
  name: string;
  leftDatasetIds: string[];
  rightDatasetIds: string[];
  ruleSetIds: string[];
  timezone?: string | undefined;
  accept?: AcceptMode | undefined;
  amountKeyLeft?: KeyInput;
  amountKeyRight?: KeyInput;
  dateKeyLeft?: KeyInput;
  dateKeyRight?: KeyInput;
  currencyKeyLeft?: KeyInput;
  currencyKeyRight?: KeyInput;
  amountSign?: AmountSignMode | undefined;
  /** null: no group needs approval. */
  approvalAbove?: number | string | null | undefined;
  triggers?: RunTriggers | undefined;
}

export type ReconciliationChange = Partial<NewReconciliation> & { archived?: boolean | undefined };
