import type { StatementRow } from '../statement/parser';
import { negated, noAmount, noDay, readDay, type StatementFault } from '../statement/values';
import type { DecimalSeparator, Security } from '../types';
import { readOfxAmount } from './amounts';
import { bankTransaction, cashEffect, investmentBankTransaction } from './kinds';

export type OfxValues = Map<string, string>;

export interface OfxTransaction {
  kind: string;
  statement: OfxValues;
  values: OfxValues;
  securities: Readonly<Record<string, Security>>;
  /** The separator of decimals that the amounts of the file prove. */
  separator: DecimalSeparator | undefined;
}

/** Builds the row of a transaction. */
export function ofxRow(transaction: OfxTransaction): StatementRow {
  const isBank = transaction.kind === bankTransaction || transaction.kind === investmentBankTransaction;
  const amount = isBank ? amountAt(transaction, 'TRNAMT') : cashAmount(transaction);
  if (typeof amount === 'object') return { fault: amount };
  const days = isBank ? bankDays : investmentDays;
  const dates: Record<string, string | null> = {};
  for (const [column, tag] of Object.entries(days)) {
    const stated = transaction.values.get(tag);
    // Some banks write zeros for a day that they do not have.
    const text = stated === undefined || /^0+$/.test(stated) ? undefined : stated;
    const day = text === undefined ? null : dayOf(text);
    if (text !== undefined && day === null) return { fault: noDay(column, tag, text) };
    dates[column] = day;
  }
  const values = isBank ? {} : investmentValues(transaction);
  return { data: { ...commonValues(transaction, dates, amount), ...values } };
}

const bankDays = { date_posted: 'DTPOSTED', date_user: 'DTUSER', date_available: 'DTAVAIL' };
const investmentDays = { date_posted: 'DTTRADE', settlement_date: 'DTSETTLE' };

function commonValues(
  { kind, statement, values }: OfxTransaction,
  dates: Record<string, string | null>,
  amount: number | string,
): Record<string, unknown> {
  const get = (...tags: string[]): string | null =>
    tags.map((tag) => values.get(tag)).find((value) => value !== undefined) ?? null;
  return {
    bank_id: statement.get('BANKID') ?? statement.get('BROKERID') ?? null,
    branch_id: statement.get('BRANCHID') ?? null,
    account_id: statement.get('ACCTID') ?? null,
    account_type: statement.get('ACCTTYPE') ?? null,
    currency: get('CURRENCY.CURSYM') ?? statement.get('CURDEF') ?? null,
    original_currency: get('ORIGCURRENCY.CURSYM'),
    exchange_rate: get('CURRENCY.CURRATE', 'ORIGCURRENCY.CURRATE'),
    transaction_kind: kind,
    type: get('TRNTYPE'),
    ...dates,
    amount,
    transaction_id: get('FITID'),
    corrected_transaction_id: get('CORRECTFITID'),
    server_transaction_id: get('SRVRTID'),
    check_number: get('CHECKNUM'),
    reference: get('REFNUM'),
    name: get('NAME', 'PAYEE.NAME'),
    memo: get('MEMO'),
    counterparty_bank_id: get('BANKACCTTO.BANKID'),
    counterparty_account_id: get('BANKACCTTO.ACCTID', 'CCACCTTO.ACCTID'),
  };
}

/** Returns the change of the account's cash: that of a purchase is negative, whatever sign a broker writes. */
function cashAmount(transaction: OfxTransaction): number | string | StatementFault {
  const effect = cashEffect(transaction.kind);
  if (effect === 'none') return transaction.values.has('FRACCASH') ? amountAt(transaction, 'FRACCASH') : 0;
  const total = amountAt(transaction, 'TOTAL');
  if (typeof total === 'object' || effect === 'total') return total;
  return String(total).startsWith('-') ? total : negated(total);
}

function amountAt({ values, separator }: OfxTransaction, tag: string): number | string | StatementFault {
  const text = values.get(tag);
  const amount = text === undefined ? null : readOfxAmount(text, separator);
  return amount ?? noAmount(tag, text);
}

const securityAmounts = {
  total: 'TOTAL',
  commission: 'COMMISSION',
  fees: 'FEES',
  load: 'LOAD',
  taxes: 'TAXES',
  withholding: 'WITHHOLDING',
  accrued_interest: 'ACCRDINT',
} as const;

function investmentValues(transaction: OfxTransaction): Record<string, unknown> {
  const { values, securities } = transaction;
  const id = values.get('UNIQUEID') ?? null;
  const security = id !== null && Object.hasOwn(securities, id) ? securities[id] : undefined;
  const amounts = Object.entries(securityAmounts).map(([column, tag]) => [column, numberAt(transaction, tag)] as const);
  return {
    security_id: id,
    security_id_type: values.get('UNIQUEIDTYPE') ?? null,
    security_name: security?.name ?? null,
    security_ticker: security?.ticker ?? null,
    units: numberAt(transaction, 'UNITS'),
    unit_price: numberAt(transaction, 'UNITPRICE'),
    ...Object.fromEntries(amounts),
    order_type:
      values.get('BUYTYPE') ?? values.get('SELLTYPE') ?? values.get('OPTBUYTYPE') ?? values.get('OPTSELLTYPE') ?? null,
    income_type: values.get('INCOMETYPE') ?? null,
  };
}

function numberAt({ values, separator }: OfxTransaction, tag: string): number | string | null {
  const text = values.get(tag);
  return text === undefined ? null : (readOfxAmount(text, separator) ?? text);
}

/** Returns the day of an OFX date and time (`20250131120000.000[-3:BRT]`) in the bank's own time zone. */
export function dayOf(text: string): string | null {
  const match =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?[\d:]{2,8}(?:[.,]\d+)?)?\s*(?:\[[^\]]*\]?|Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  return match === null ? null : readDay(match[1] as string, match[2] as string, match[3] as string);
}
