import { noAmount, noDay, readDay, readDecimal, type StatementFault } from '../statement/values';
import { limits } from '../limits';
import type { XmlHandler } from '../xml/xml-reader';

export type OfxRow = { data: Record<string, unknown> } | { fault: StatementFault };

/** The elements that contain values: a statement, an account, a transaction or one of its parts. */
const sections = new Set([
  'STMTRS',
  'CCSTMTRS',
  'INVSTMTRS',
  'BANKACCTFROM',
  'CCACCTFROM',
  'INVACCTFROM',
  'STMTTRN',
  'PAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
]);
const statements = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);

const transactionTag = 'STMTTRN';

type Values = Map<string, string>;

/** Collects the transactions of OFX statements, each with the account of its statement. */
export class OfxStatements implements XmlHandler {
  private readonly inside: string[] = [];
  private statement: Values = new Map();
  private transaction: Values | null = null;
  private transactionChars = 0;
  private leaf = '';
  private value = '';

  constructor(private readonly onTransaction: (row: OfxRow, chars: number, raw: string) => void) {}

  open(name: string): void {
    this.endLeaf();
    if (statements.has(name)) this.statement = new Map();
    if (name === transactionTag) this.beginTransaction();
    if (sections.has(name)) this.inside.push(name);
    else this.leaf = name;
  }

  text(text: string): void {
    if (this.leaf === '') return;
    this.value = (this.value + text).slice(0, limits.rowChars);
  }

  close(name: string): void {
    this.endLeaf();
    if (!sections.has(name)) return;
    // Elements left open inside end with this one.
    while (this.inside.length > 0 && this.inside.pop() !== name);
    if (name === transactionTag) this.endTransaction();
  }

  /** Handles the end of the file. A transaction left open may lack digits of its amount. */
  finish(): void {
    const values = this.transaction;
    this.transaction = null;
    if (values === null) return;
    const raw = rawOf(values);
    this.onTransaction(
      {
        fault: {
          column: null,
          code: 'incomplete',
          message: 'The file ends within the transaction. It may have been cut: export it again.',
        },
      },
      raw.length,
      raw,
    );
  }

  private beginTransaction(): void {
    this.endTransaction();
    while (this.inside.includes(transactionTag)) this.inside.pop();
    this.transaction = new Map();
    this.transactionChars = 0;
  }

  private endLeaf(): void {
    const value = this.value.trim();
    if (this.leaf !== '' && value !== '') this.set(this.leaf, value);
    this.leaf = '';
    this.value = '';
  }

  private set(name: string, value: string): void {
    const section = this.inside.at(-1) ?? '';
    if (this.transaction !== null) {
      this.transactionChars += value.length;
      if (this.transactionChars <= limits.rowChars)
        this.transaction.set(section === transactionTag ? name : `${section}.${name}`, value);
    } else if (/^(?:BANK|CC|INV)ACCTFROM$/.test(section)) {
      this.statement.set(name, value);
    } else if (name === 'CURDEF') {
      this.statement.set(name, value);
    }
  }

  private endTransaction(): void {
    const values = this.transaction;
    this.transaction = null;
    if (values === null) return;
    const raw = rawOf(values);
    this.onTransaction(rowOf(this.statement, values), raw.length, raw);
  }
}

function rawOf(values: Values): string {
  return [...values].map(([name, value]) => `<${name}>${value}`).join('');
}

function rowOf(statement: Values, values: Values): OfxRow {
  const amountText = values.get('TRNAMT');
  const amount = amountText === undefined ? null : readDecimal(amountText);
  if (amount === null) return { fault: noAmount('TRNAMT', amountText) };
  const days: Record<string, string | null> = {};
  for (const [column, tag] of [
    ['date_posted', 'DTPOSTED'],
    ['date_user', 'DTUSER'],
    ['date_available', 'DTAVAIL'],
  ] as const) {
    const text = values.get(tag);
    const day = text === undefined ? null : dayOf(text);
    if (text !== undefined && day === null) return { fault: noDay(column, tag, text) };
    days[column] = day;
  }
  const get = (...tags: string[]): string | null =>
    tags.map((tag) => values.get(tag)).find((value) => value !== undefined) ?? null;
  return {
    data: {
      bank_id: statement.get('BANKID') ?? statement.get('BROKERID') ?? null,
      branch_id: statement.get('BRANCHID') ?? null,
      account_id: statement.get('ACCTID') ?? null,
      account_type: statement.get('ACCTTYPE') ?? null,
      currency: values.get('CURRENCY.CURSYM') ?? statement.get('CURDEF') ?? null,
      original_currency: get('ORIGCURRENCY.CURSYM'),
      exchange_rate: get('CURRENCY.CURRATE', 'ORIGCURRENCY.CURRATE'),
      type: get('TRNTYPE'),
      ...days,
      amount,
      transaction_id: get('FITID'),
      server_transaction_id: get('SRVRTID'),
      check_number: get('CHECKNUM'),
      reference: get('REFNUM'),
      name: get('NAME', 'PAYEE.NAME'),
      memo: get('MEMO'),
      counterparty_bank_id: get('BANKACCTTO.BANKID'),
      counterparty_account_id: get('BANKACCTTO.ACCTID', 'CCACCTTO.ACCTID'),
    },
  };
}

/** Returns the day of an OFX date and time (`20250131120000.000[-3:BRT]`) in the bank's own time zone. */
function dayOf(text: string): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:\d{2,6}(?:\.\d+)?)?\s*(?:\[[^\]]*\]?)?$/.exec(text);
  return match === null ? null : readDay(match[1] as string, match[2] as string, match[3] as string);
}
