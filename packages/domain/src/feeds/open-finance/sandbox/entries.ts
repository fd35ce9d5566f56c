import { formatDay } from '@tieout/engine';
import type { OperationType, PaymentData, Transaction } from '../shapes';
import { isInside } from './calendar';
import { digitsOf, idOf } from './random';
import type { SandboxState } from './state';

/** The part of a transaction that the sandbox computes; `transactionOf` adds the rest. */
export interface Entry {
  /** Unique in the account and stable: the id is derived from it. */
  key: string;
  day: number;
  /** Change of the account's balance. */
  cents: number;
  description: string;
  operationType: OperationType;
  category: string;
  paymentData?: PaymentData;
  /** Number of the refresh that adds it; undefined for regular data, which is there from its day on. */
  refresh?: number;
}

export const currencyCode = 'BRL';

export const reais = (cents: number): number => cents / 100;

const atNoon = (day: number): string => `${formatDay(day)}T12:00:00.000Z`;

/**
 * Transactions of the last days before the creation are pending until the next refresh; fewer days would leave some
 * items without one.
 */
const pendingDays = 7;

function isPending({ startDay, refreshes }: SandboxState, entry: Entry): boolean {
  if (entry.refresh !== undefined) return entry.refresh === refreshes && entry.key.endsWith('-0');
  return refreshes === 0 && entry.day > startDay - pendingDays;
}

export function transactionOf(state: SandboxState, accountId: string, entry: Entry): Transaction {
  const pending = isPending(state, entry);
  return {
    id: idOf(accountId, entry.key),
    accountId,
    date: formatDay(entry.day),
    description: entry.description,
    descriptionRaw: entry.description.toUpperCase(),
    type: entry.cents < 0 ? 'DEBIT' : 'CREDIT',
    amount: reais(Math.abs(entry.cents)),
    signedAmount: reais(entry.cents),
    currencyCode,
    status: pending ? 'PENDING' : 'POSTED',
    // A late transaction would change every later balance.
    balanceAfter: null,
    category: entry.category,
    operationType: entry.operationType,
    providerId: digitsOf(12, accountId, entry.key),
    paymentData: entry.paymentData ?? null,
    createdAt: atNoon(entry.day),
    updatedAt: pending ? atNoon(entry.day) : atNoon(entry.day + 1),
  };
}

export const visible = <E extends Entry>(state: SandboxState, entries: readonly E[]): E[] =>
  entries.filter(({ day }) => isInside(state, day));
