import { negated, noAmount, noDay, readDay, readDecimal, type StatementFault } from '../statement/values';
import { findAll, textAt, type Element } from './element';

export type CamtRow = { data: Record<string, unknown> } | { fault: StatementFault };

/** The values that a statement states before its entries. */
export interface StatementHead {
  id: string | null;
  account: Element | undefined;
}

/** Tells whether a detail of an entry states its own amount, so that it becomes a row. */
export function hasOwnAmount(detail: Element): boolean {
  return amountElement(detail) !== undefined;
}

/** Finds the amount in the account's currency: its own element since version 04, the transaction amount before. */
function amountElement(detail: Element): Element | undefined {
  return findAll(detail, 'Amt')[0] ?? findAll(detail, 'AmtDtls/TxAmt/Amt')[0];
}

/**
 * Builds the row of an entry, or of one of its transactions (`detail`). With `isPart` the entry has several
 * transactions and the amount is that of the detail.
 */
export function camtRow(head: StatementHead, entry: Element, detail: Element | undefined, isPart: boolean): CamtRow {
  const amount = isPart && detail !== undefined ? amountElement(detail) : findAll(entry, 'Amt')[0];
  const direction = (isPart ? textAt(detail, 'CdtDbtInd') : null) ?? textAt(entry, 'CdtDbtInd');
  const value = amount === undefined ? null : readDecimal(amount.text);
  if (amount === undefined || value === null) return { fault: noAmount('Amt', amount?.text) };
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    return {
      fault: {
        column: 'amount',
        code: 'missing_amount',
        message: 'The entry does not say whether it is a credit or a debit (CdtDbtInd). Add it.',
      },
    };
  }
  const booking = dayAt(entry, 'BookgDt');
  const valueDate = dayAt(entry, 'ValDt');
  if (booking.text !== null && booking.day === null) return { fault: noDay('booking_date', 'BookgDt', booking.text) };
  if (valueDate.text !== null && valueDate.day === null) return { fault: noDay('value_date', 'ValDt', valueDate.text) };
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd') ?? '');
  return {
    data: {
      statement_id: head.id,
      account_id: textAt(head.account, 'Id/IBAN', 'Id/Othr/Id'),
      account_currency: textAt(head.account, 'Ccy'),
      account_owner: textAt(head.account, 'Ownr/Nm', 'Ownr/Pty/Nm'),
      bank_bic: textAt(head.account, 'Svcr/FinInstnId/BICFI', 'Svcr/FinInstnId/BIC'),
      entry_reference: textAt(entry, 'NtryRef'),
      status: textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts'),
      booking_date: booking.day,
      value_date: valueDate.day,
      amount: direction === 'DBIT' ? negated(value) : value,
      currency: amount.attributes.Ccy ?? null,
      credit_debit: direction,
      is_reversal: isReversal,
      bank_reference: textAt(detail, 'Refs/AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef'),
      bank_transaction_code: transactionCode(detail) ?? transactionCode(entry),
      ...references(detail),
      ...counterparty(detail, (direction === 'CRDT') !== isReversal),
      ...remittance(detail),
      original_amount: originalAmount(detail),
      original_currency: findAll(detail, 'AmtDtls/InstdAmt/Amt')[0]?.attributes.Ccy ?? null,
      exchange_rate: textAt(
        detail,
        'AmtDtls/InstdAmt/CcyXchg/XchgRate',
        'AmtDtls/TxAmt/CcyXchg/XchgRate',
        'AmtDtls/CntrValAmt/CcyXchg/XchgRate',
      ),
      return_reason: textAt(detail, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry'),
      additional_information: textAt(detail, 'AddtlTxInf') ?? textAt(entry, 'AddtlNtryInf'),
    },
  };
}

function dayAt(entry: Element, name: string): { text: string | null; day: string | null } {
  const text = textAt(entry, `${name}/Dt`, `${name}/DtTm`);
  const match = text === null ? null : /^(\d{4})-(\d{2})-(\d{2})(?:[T+\-Z].*)?$/.exec(text);
  return { text, day: match === null ? null : readDay(match[1] as string, match[2] as string, match[3] as string) };
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

/** Banks write this where the sender gave no reference. */
const notProvided = 'NOTPROVIDED';

function references(detail: Element | undefined): Record<string, string | null> {
  const endToEnd = textAt(detail, 'Refs/EndToEndId');
  return {
    end_to_end_id: endToEnd === notProvided ? null : endToEnd,
    mandate_id: textAt(detail, 'Refs/MndtId'),
    transaction_id: textAt(detail, 'Refs/TxId'),
    instruction_id: textAt(detail, 'Refs/InstrId'),
    payment_information_id: textAt(detail, 'Refs/PmtInfId'),
    message_id: textAt(detail, 'Refs/MsgId'),
    check_number: textAt(detail, 'Refs/ChqNb'),
  };
}

/** Returns the other party: the payer of incoming money, the payee of outgoing money. */
function counterparty(detail: Element | undefined, isPayer: boolean): Record<string, string | null> {
  const role = isPayer ? 'Dbtr' : 'Cdtr';
  const party = `RltdPties/${role}`;
  const agent = `RltdAgts/${role}Agt/FinInstnId`;
  return {
    counterparty_name: textAt(
      detail,
      `${party}/Nm`,
      `${party}/Pty/Nm`,
      `RltdPties/Ultmt${role}/Nm`,
      `RltdPties/Ultmt${role}/Pty/Nm`,
    ),
    counterparty_account: textAt(detail, `${party}Acct/Id/IBAN`, `${party}Acct/Id/Othr/Id`),
    counterparty_bic: textAt(detail, `${agent}/BICFI`, `${agent}/BIC`),
  };
}

function remittance(detail: Element | undefined): Record<string, string | null> {
  const lines = findAll(detail, 'RmtInf/Ustrd')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
  return {
    remittance_information: lines.length > 0 ? lines.join(' ') : textAt(detail, 'RmtInf/Strd/AddtlRmtInf'),
    creditor_reference: textAt(detail, 'RmtInf/Strd/CdtrRefInf/Ref'),
    document_number: textAt(detail, 'RmtInf/Strd/RfrdDocInf/Nb'),
  };
}

function originalAmount(detail: Element | undefined): number | string | null {
  const text = textAt(detail, 'AmtDtls/InstdAmt/Amt');
  return text === null ? null : readDecimal(text);
}
