import { isDoubtfulAmount } from '../columns/amounts';
import { limits } from '../limits';
import { Identities } from '../statement/identity';
import type { KnownOfFile, StatementParser, StatementSink } from '../statement/parser';
import { FileUnreadableError, type StatementBalance } from '../types';
import type { XmlHandler } from '../xml/xml-reader';
import { readOfxAmount } from './amounts';
import { bankTransaction, investmentBankTransaction, isTransaction } from './kinds';
import { OfxTags } from './tags';
import { dayOf, ofxRow, type OfxValues } from './transaction';

const statements = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);
const pendingTransaction = 'STMTTRNP';
const balanceTypes: Readonly<Record<string, string>> = {
  LEDGERBAL: 'ledger',
  AVAILBAL: 'available',
  AVAILCASH: 'available_cash',
  MARGINBALANCE: 'margin',
  SHORTBALANCE: 'short',
};
/** The elements that contain values: a statement, an account, a transaction or one of its parts. */
const sections = new Set([
  ...statements,
  'BANKACCTFROM',
  'CCACCTFROM',
  'INVACCTFROM',
  investmentBankTransaction,
  pendingTransaction,
  'PAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
  'LEDGERBAL',
  'AVAILBAL',
  'INVBAL',
  'SECINFO',
  'SONRS',
  'STATUS',
]);
const isSection = (name: string): boolean => sections.has(name) || isTransaction(name);

/** Reads the transactions of OFX statements, each with the account of its statement. */
export class OfxStatements implements XmlHandler, StatementParser {
  private readonly tags = new OfxTags(this);
  private readonly identities: Identities;
  private readonly inside: string[] = [];
  private statement: OfxValues | null = null;
  private statementCount = 0;
  private balances: StatementBalance[] = [];
  private transactions = 0;
  private total = 0;
  private kind = '';
  private transaction: OfxValues | null = null;
  private transactionChars = 0;
  /** The values of a balance, a security or a status. */
  private part: OfxValues = new Map();
  private error: string | null = null;
  private isSignOnError = false;
  private leaf = '';
  private value = '';

  constructor(
    private readonly sink: StatementSink,
    private readonly known: KnownOfFile,
  ) {
    this.identities = new Identities((id) => sink.warn('identity_repeated', `FITID ${id}`));
  }

  push(text: string, isLast: boolean): void {
    this.tags.push(text, isLast);
    if (isLast) this.finish();
  }

  open(name: string): void {
    this.endLeaf();
    if (statements.has(name)) this.beginStatement();
    if (isTransaction(name)) this.beginTransaction(name);
    if (isSection(name)) {
      if (this.transaction === null) this.part = new Map();
      this.inside.push(name);
      if (this.inside.length > limits.depth) this.inside.shift();
    } else this.leaf = name;
  }

  text(text: string): void {
    if (this.leaf === '') return;
    this.value = (this.value + text).slice(0, limits.rowChars);
  }

  close(name: string): void {
    this.endLeaf();
    if (!isSection(name)) return;
    if (this.inside.includes(name)) {
      // Elements left open inside end with this one.
      while (this.inside.pop() !== name);
    }
    if (isTransaction(name)) this.endTransaction();
    else if (this.transaction === null) this.endPart(name);
  }

  /** Handles the end of the file. A transaction left open may lack digits of its amount. */
  private finish(): void {
    const values = this.transaction;
    this.transaction = null;
    if (values !== null) {
      this.total++;
      this.sink.row({ fault: cutOff }, () => rawOf(values));
    }
    this.endStatement();
    if (this.error === null) return;
    if (this.total > 0 || (this.statementCount > 0 && !this.isSignOnError)) this.sink.warn('bank_error', this.error);
    else
      throw new FileUnreadableError(
        'bank_error',
        `The bank sent an error instead of a statement: ${this.error}. Solve it with the bank, and export the ` +
          'statement again.',
      );
  }

  private beginStatement(): void {
    this.endStatement();
    this.statement = new Map();
    this.inside.length = 0;
    this.statementCount++;
    this.identities.beginStatement();
  }

  private endStatement(): void {
    const { statement } = this;
    if (statement === null) return;
    this.sink.statement({
      id: null,
      account_id: statement.get('ACCTID') ?? null,
      currency: statement.get('CURDEF') ?? null,
      transactions: this.transactions,
      balances: this.balances,
    });
    this.statement = null;
    this.balances = [];
    this.transactions = 0;
  }

  private beginTransaction(name: string): void {
    this.endTransaction();
    const open = this.inside.findIndex(isTransaction);
    if (open >= 0) this.inside.length = open;
    this.kind =
      name === bankTransaction && this.inside.at(-1) === investmentBankTransaction ? investmentBankTransaction : name;
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
      if (this.transactionChars > limits.rowChars) return;
      this.transaction.set(isTransaction(section) ? name : `${section}.${name}`, value);
    } else if (/^(?:BANK|CC|INV)ACCTFROM$/.test(section) || name === 'CURDEF') {
      this.statement ??= new Map();
      this.statement.set(name, value.slice(0, limits.rawBytes));
    } else if (this.part.size < limits.entryElements) {
      this.part.set(name, value.slice(0, limits.rawBytes));
    }
  }

  private endTransaction(): void {
    const values = this.transaction;
    this.transaction = null;
    if (values === null) return;
    const { kind } = this;
    const statement: OfxValues = this.statement ?? new Map<string, string>();
    const { securities = {}, amountSeparator: separator } = this.known;
    const row = ofxRow({ kind, statement, values, securities, separator });
    const stated = values.get('TRNAMT') ?? values.get('TOTAL') ?? '';
    if (separator === undefined && isDoubtfulAmount(stated) && 'data' in row)
      this.sink.warn('ambiguous_number', `${stated} as ${String(row.data.amount)}`);
    if ('data' in row && row.data.currency === null) this.sink.warn('currency_missing', stated);
    const id = values.get('FITID');
    if ('data' in row && id !== undefined) row.identity = this.identityOf(id, row.data);
    this.transactions++;
    this.total++;
    this.sink.row(row, () => rawOf(values));
  }

  private identityOf(id: string, data: Record<string, unknown>): string {
    const { bank_id, account_id, date_posted } = data as Record<string, string | null>;
    return this.identities.next(id, [bank_id ?? null, account_id ?? null], date_posted ?? null);
  }

  /** Handles the end of a section that is no part of a transaction. */
  private endPart(name: string): void {
    if (name === 'LEDGERBAL' || name === 'AVAILBAL') this.addBalance(balanceTypes[name] ?? name, 'BALAMT');
    else if (name === 'INVBAL')
      for (const tag of ['AVAILCASH', 'MARGINBALANCE', 'SHORTBALANCE']) this.addBalance(balanceTypes[tag] ?? tag, tag);
    else if (name === 'SECINFO') this.addSecurity();
    else if (name === 'STATUS') this.noteStatus();
    else if (name === pendingTransaction) this.sink.warn('pending_transactions', `not read: ${shown(this.part)}`);
  }

  private addBalance(type: string, tag: string): void {
    const amount = readOfxAmount(this.part.get(tag) ?? '', this.known.amountSeparator);
    if (amount === null || this.balances.length >= limits.balances) return;
    const date = this.part.get('DTASOF');
    this.balances.push({
      type,
      amount,
      currency: this.statement?.get('CURDEF') ?? null,
      date: date === undefined ? null : dayOf(date),
    });
  }

  private addSecurity(): void {
    const id = this.part.get('UNIQUEID');
    if (id !== undefined)
      this.sink.security(id, { name: this.part.get('SECNAME') ?? null, ticker: this.part.get('TICKER') ?? null });
  }

  private noteStatus(): void {
    const code = this.part.get('CODE');
    const severity = this.part.get('SEVERITY')?.toUpperCase();
    const isError = severity === undefined ? code !== undefined && Number(code) !== 0 : severity === 'ERROR';
    if (!isError) return;
    this.isSignOnError ||= this.inside.includes('SONRS');
    this.error ??= [code, this.part.get('MESSAGE') ?? 'without text'].filter((text) => text !== undefined).join(' ');
  }
}

const cutOff = {
  column: null,
  code: 'incomplete',
  message: 'The file ends within the transaction. It may have been cut: export it again.',
} as const;

function rawOf(values: OfxValues): string {
  return [...values].map(([name, value]) => `<${name}>${value}`).join('');
}

const shown = (values: OfxValues): string => [values.get('TRNAMT'), values.get('NAME')].join(' ').trim();
