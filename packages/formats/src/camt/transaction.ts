import type { StatementRow } from '../statement/parser';
import { negated, noAmount, noDay, readDay } from '../statement/values';
import { chargesOf, moneyOf, partOf, signed, statedMoney, sumOf, type Money } from './amounts';
import { find, findAll, textAt, textsAt, type Element } from './element';
import { counterparty, type AccountHolder } from './parties';

/** The values that a statement states before its entries. */
export interface StatementHead {
  id: string | null;
  account: Element | undefined;
}

/** The transactions that a row of an entry covers. */
export interface EntryPart {
  details: readonly Element[];
  /** The number of transactions, which may be more than are kept. */
  count: number;
  /** The element that states the part of the entry; null where the row has the amount of the whole entry. */
  element: string | null;
  /** True for the first of several rows, which has the charges of the entry. */
  isFirst: boolean;
  /** Transactions of the entry are missing. */
  isPartial?: boolean;
}

/** Builds the row of an entry, or of one of its transactions. */
export function camtRow(head: StatementHead, entry: Element, part: EntryPart): StatementRow {
  const { details, count, element } = part;
  const [detail] = details;
  const booked = moneyOf(find(entry, 'Amt'));
  if (booked === null) return { fault: noAmount('Amt', find(entry, 'Amt')?.text) };
  const amount =
    element === null || detail === undefined
      ? signed(booked.amount, textAt(entry, 'CdtDbtInd'))
      : partOf(entry, detail, element);
  if (amount === null) return { fault: noDirection };
  const booking = dayAt(entry, 'BookgDt');
  const valueDate = dayAt(entry, 'ValDt');
  if (booking.text !== null && booking.day === null) return { fault: noDay('booking_date', 'BookgDt', booking.text) };
  if (valueDate.text !== null && valueDate.day === null) return { fault: noDay('value_date', 'ValDt', valueDate.text) };
  const direction = directionOf(amount, textAt(entry, 'CdtDbtInd'));
  const isWhole = details.length > 1;
  const values = isWhole
    ? joined(details.map((one) => detailValues(head, entry, one)))
    : detailValues(head, entry, detail);
  const charges = chargesOfRow(entry, part);
  const original = isWhole
    ? sumOf(count > details.length ? [] : details.map((one) => instructedMoney(one) ?? statedMoney(one)))
    : (instructedMoney(detail) ?? instructedMoney(entry) ?? otherMoney(detail, booked, amount));
  return {
    data: {
      statement_id: head.id,
      ...accountValues(head.account),
      entry_reference: textAt(entry, 'NtryRef'),
      status: textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts'),
      booking_date: booking.day,
      value_date: valueDate.day,
      amount,
      currency: booked.currency ?? textAt(head.account, 'Ccy'),
      credit_debit: direction,
      is_reversal: isTrue(textAt(entry, 'RvslInd')),
      ...values,
      original_amount: original?.amount ?? null,
      original_currency: original?.currency ?? null,
      exchange_rate: rateOf(detail) ?? rateOf(entry),
      charges: charges?.amount ?? null,
      charges_currency: charges?.currency ?? null,
      batch_count: element === null ? batchCount(entry, count) : null,
      details: isWhole || part.isPartial === true ? details.map((one) => detailObject(head, entry, one)) : null,
    },
  };
}

const noDirection = {
  column: 'amount',
  code: 'missing_amount',
  message: 'The entry does not say whether it is a credit or a debit (CdtDbtInd). Add it.',
} as const;

const isTrue = (text: string | null): boolean => text === 'true' || text === '1';

function directionOf(amount: number | string, ofEntry: string | null): string | null {
  if (Number(amount) === 0) return ofEntry;
  return Number(amount) < 0 ? 'DBIT' : 'CRDT';
}

function dayAt(entry: Element, name: string): { text: string | null; day: string | null } {
  const text = textAt(entry, `${name}/Dt`, `${name}/DtTm`);
  const match = text === null ? null : /^(\d{4})-(\d{2})-(\d{2})(?:[T+\-Z].*)?$/.exec(text);
  return { text, day: match === null ? null : readDay(match[1] as string, match[2] as string, match[3] as string) };
}

export function accountValues(account: Element | undefined): Record<string, string | null> {
  return {
    account_id: textAt(account, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN', 'Id/UPIC'),
    account_currency: textAt(account, 'Ccy'),
    account_owner: textAt(account, 'Ownr/Nm', 'Ownr/Pty/Nm'),
    bank_bic: textAt(account, 'Svcr/FinInstnId/BICFI', 'Svcr/FinInstnId/BIC'),
  };
}

function transactionCode(element: Element | undefined): string | null {
  const domain = [
    textAt(element, 'BkTxCd/Domn/Cd'),
    textAt(element, 'BkTxCd/Domn/Fmly/Cd'),
    textAt(element, 'BkTxCd/Domn/Fmly/SubFmlyCd'),
  ];
  const known = domain.filter((part) => part !== null);
  return known.length > 0 ? known.join('/') : textAt(element, 'BkTxCd/Prtry/Cd');
}

/** Banks write this where the sender or the bank gave no reference. */
const noReference = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NONREF']);

const given = (text: string | null): string | null =>
  text === null || noReference.has(text.toUpperCase()) ? null : text;

type Values = Record<string, string | string[] | null>;

/** Returns the values of one transaction; of an entry without transactions, its own. */
function detailValues(head: StatementHead, entry: Element, detail: Element | undefined): Values {
  const direction = textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  const isReturned = isTrue(textAt(entry, 'RvslInd')) || findAll(detail, 'RtrInf').length > 0;
  const account = accountValues(head.account);
  const holder: AccountHolder = { account: account.account_id ?? null, name: account.account_owner ?? null };
  const endToEndId = given(textAt(detail, 'Refs/EndToEndId'));
  const creditorReferences = textsAt(detail, 'RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/CdtrRefInf/CdtrRef');
  const documents = textsAt(detail, 'RmtInf/Strd/RfrdDocInf/Nb', 'RmtInf/Strd/RfrdDocInf/RfrdDocNb');
  const references = new Set([...(endToEndId === null ? [] : [endToEndId]), ...creditorReferences, ...documents]);
  const lines = textsAt(detail, 'RmtInf/Ustrd', 'RmtInf/Strd/AddtlRmtInf');
  return {
    bank_reference: given(textAt(detail, 'Refs/AcctSvcrRef')) ?? given(textAt(entry, 'AcctSvcrRef')),
    bank_transaction_code: transactionCode(detail) ?? transactionCode(entry),
    end_to_end_id: endToEndId,
    mandate_id: given(textAt(detail, 'Refs/MndtId')),
    transaction_id: given(textAt(detail, 'Refs/TxId')),
    instruction_id: given(textAt(detail, 'Refs/InstrId')),
    payment_information_id: given(textAt(detail, 'Refs/PmtInfId') ?? textAt(entry, 'NtryDtls/Btch/PmtInfId')),
    message_id: given(textAt(detail, 'Refs/MsgId') ?? textAt(entry, 'NtryDtls/Btch/MsgId')),
    check_number: textAt(detail, 'Refs/ChqNb'),
    ...counterparty(detail, holder, { isIncoming: direction === 'CRDT', isReturned }),
    remittance_information: lines.length > 0 ? lines.join(' ') : null,
    creditor_reference: creditorReferences.join(', ') || null,
    creditor_reference_type: textAt(
      detail,
      'RmtInf/Strd/CdtrRefInf/Tp/CdOrPrtry/Cd',
      'RmtInf/Strd/CdtrRefInf/Tp/CdOrPrtry/Prtry',
    ),
    document_number: documents.join(', ') || null,
    references: references.size > 0 ? [...references] : null,
    return_reason: textAt(detail, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry'),
    additional_information: textAt(detail, 'AddtlTxInf') ?? textAt(entry, 'AddtlNtryInf'),
  };
}

/** Combines the values of several transactions: the distinct ones, joined. */
function joined(all: readonly Values[]): Values {
  const result: Values = {};
  for (const name of Object.keys(all[0] ?? {})) {
    const texts = new Set(all.flatMap((values) => values[name] ?? []));
    const isList = all.some((values) => Array.isArray(values[name]));
    result[name] = texts.size === 0 ? null : isList ? [...texts] : [...texts].join(', ');
  }
  return result;
}

const instructedMoney = (element: Element | undefined): Money | null => moneyOf(find(element, 'AmtDtls/InstdAmt/Amt'));

/** Returns the amount that a transaction states, where it is not what was booked. */
function otherMoney(detail: Element | undefined, booked: Money, amount: number | string): Money | null {
  const money = detail === undefined ? null : statedMoney(detail);
  if (money === null) return null;
  const isBooked = money.currency === null || money.currency === booked.currency;
  return isBooked && (money.amount === amount || negated(money.amount) === amount) ? null : money;
}

function rateOf(element: Element | undefined): string | null {
  return textAt(
    element,
    ...['InstdAmt', 'TxAmt', 'CntrValAmt', 'AnncdPstngAmt'].map((name) => `AmtDtls/${name}/CcyXchg/XchgRate`),
  );
}

/** Returns the charges of the row's transactions; the charges of the entry belong to its first row. */
function chargesOfRow(entry: Element, { details, isFirst }: EntryPart): Money | null {
  const ofDetails = sumOf(details.map(chargesOf).filter((money) => money !== null));
  return ofDetails ?? (isFirst ? chargesOf(entry) : null);
}

function batchCount(entry: Element, count: number): number | null {
  const stated = textAt(entry, 'NtryDtls/Btch/NbOfTxs');
  if (count > 1) return count;
  return stated !== null && /^\d{1,9}$/.test(stated) ? Number(stated) : null;
}

/** Describes a transaction of an entry that is kept whole. */
function detailObject(head: StatementHead, entry: Element, detail: Element): Record<string, unknown> {
  const money = statedMoney(detail);
  const direction = textAt(detail, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  const charges = chargesOf(detail);
  const values = {
    amount: money === null ? null : signed(money.amount, direction),
    currency: money?.currency ?? null,
    ...detailValues(head, entry, detail),
    charges: charges?.amount ?? null,
    charges_currency: charges?.currency ?? null,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
