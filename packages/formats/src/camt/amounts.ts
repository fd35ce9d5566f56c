import { DecimalSum } from '../statement/sum';
import { negated, readDecimal } from '../statement/values';
import { find, findAll, textAt, type Element } from './element';

/** An amount with its own currency. */
export interface Money {
  amount: number | string;
  currency: string | null;
}

/** Matches the amounts of a file. */
export const camtAmounts = /Amt(?: [^<>]{0,60})?>\s*([-+\d.,]{1,40})\s*</g;

/** Reads the amount of an element; null where it is none. */
export function moneyOf(element: Element | undefined): Money | null {
  const amount = element === undefined ? null : readDecimal(element.text);
  return amount === null ? null : { amount, currency: element?.attributes.Ccy?.trim() || null };
}

/** Returns the amount with the sign of a direction, null without a direction. */
export function signed(amount: number | string, direction: string | null): number | string | null {
  if (direction === 'CRDT') return amount;
  return direction === 'DBIT' ? negated(amount) : null;
}

/**
 * The elements of a transaction that may state its part of the entry: its own amount since version 04, amounts of its
 * details before. The instructed amount comes last, since it is that of the sender.
 */
const partPaths: Readonly<Record<string, string>> = {
  Amt: 'Amt',
  TxAmt: 'AmtDtls/TxAmt/Amt',
  CntrValAmt: 'AmtDtls/CntrValAmt/Amt',
  InstdAmt: 'AmtDtls/InstdAmt/Amt',
};
/** Stands for the first element in the currency of the entry, transaction by transaction. */
const firstOfAny = 'first';
export const partElements: readonly string[] = [...Object.keys(partPaths), firstOfAny];

/** Returns the signed part of an entry that a transaction states in an element, in the entry's currency. */
export function partOf(entry: Element, detail: Element, name: string): number | string | null {
  const currency = moneyOf(find(entry, 'Amt'))?.currency ?? null;
  const paths = name === firstOfAny ? Object.values(partPaths) : [partPaths[name] ?? ''];
  for (const path of paths) {
    const money = moneyOf(find(detail, path));
    if (money === null || (money.currency !== null && currency !== null && money.currency !== currency)) continue;
    return signed(money.amount, textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd'));
  }
  return null;
}

/** Returns the first amount that a transaction states, in whatever currency. */
export function statedMoney(detail: Element): Money | null {
  for (const path of Object.values(partPaths)) {
    const money = moneyOf(find(detail, path));
    if (money !== null) return money;
  }
  return null;
}

/** Adds up the parts that the transactions of an entry state, by element. */
export class PartSums {
  private readonly sums = new Map(partElements.map((name) => [name, new DecimalSum()]));

  add(entry: Element, detail: Element): void {
    for (const [name, sum] of this.sums) {
      const part = partOf(entry, detail, name);
      if (part === null) this.sums.delete(name);
      else sum.add(part);
    }
  }

  /** Returns the element by which all transactions add up to the entry; null if there is none. */
  elementThatAddsUp(entry: Element): string | null {
    const money = moneyOf(find(entry, 'Amt'));
    const booked = money === null ? null : signed(money.amount, textAt(entry, 'CdtDbtInd'));
    if (booked === null) return null;
    for (const [name, sum] of this.sums) if (sum.equals(booked)) return name;
    return null;
  }
}

/**
 * Returns whether the only transaction of an entry states less or more than was booked, and its charges do not make up
 * the difference: other transactions of the entry are missing.
 */
export function lacksTransactions(entry: Element, detail: Element): boolean {
  const booked = moneyOf(find(entry, 'Amt'));
  const part = partOf(entry, detail, 'Amt') ?? partOf(entry, detail, 'TxAmt');
  if (booked === null || part === null) return false;
  const size = (amount: number | string): string => String(amount).replace('-', '');
  const difference = new DecimalSum();
  difference.add(size(booked.amount));
  difference.add(negated(size(part)));
  const charges = chargesOf(detail) ?? chargesOf(entry);
  return size(difference.text) !== '0' && size(difference.text) !== size(charges?.amount ?? '0');
}

const totalChargesPath = 'Chrgs/TtlChrgsAndTaxAmt';

/** Returns the charges that an entry or a transaction states: their total, or the sum of the single ones. */
export function chargesOf(element: Element | undefined): Money | null {
  const total = moneyOf(find(element, totalChargesPath));
  if (total !== null) return total;
  const single = [...findAll(element, 'Chrgs/Rcrd'), ...findAll(element, 'Chrgs')].flatMap((charge) => {
    const money = moneyOf(find(charge, 'Amt'));
    if (money === null) return [];
    return [{ ...money, amount: textAt(charge, 'CdtDbtInd') === 'CRDT' ? negated(money.amount) : money.amount }];
  });
  return sumOf(single);
}

/** Adds up amounts of one currency; null for none, or for several currencies. */
export function sumOf(amounts: readonly (Money | null)[]): Money | null {
  const [first] = amounts;
  if (first === undefined || first === null) return null;
  const sum = new DecimalSum();
  for (const money of amounts) {
    if (money === null || money.currency !== first.currency) return null;
    sum.add(money.amount);
  }
  return { amount: readDecimal(sum.text) ?? sum.text, currency: first.currency };
}
