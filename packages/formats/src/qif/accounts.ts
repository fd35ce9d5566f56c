import type { KnownOfFile, StatementParser, StatementRow, StatementSink } from '../statement/parser';
import { DecimalSum } from '../statement/sum';
import type { QifNotation, StatementBalance } from '../types';
import { QifRecords, type QifField, type QifHandler } from './records';
import { readQifAmount, readQifDay } from './notation';
import { sectionOf, typeOf, type QifSection } from './sections';
import { investmentRow, transactionRow, type QifAccount } from './transaction';

/** Reads the transactions of QIF files, each with the account that the file names before them. */
export class QifAccounts implements StatementParser, QifHandler {
  private readonly records = new QifRecords(this);
  private readonly notation: QifNotation;
  private section: QifSection = 'transactions';
  private account: QifAccount = { name: null, type: null };
  /** True after an account, until the header of its transactions. */
  private isAnnounced = false;
  private balances: StatementBalance[] = [];
  private transactions = 0;

  constructor(
    private readonly sink: StatementSink,
    { qif }: KnownOfFile,
  ) {
    this.notation = qif ?? { dateOrder: 'MDY', decimalSeparator: '.' };
    const { doubtfulDate, doubtfulNumber } = this.notation;
    if (doubtfulDate !== undefined) sink.warn('ambiguous_date', `${doubtfulDate} as ${this.notation.dateOrder}`);
    if (doubtfulNumber !== undefined) {
      const read = readQifAmount(doubtfulNumber, this.notation);
      sink.warn('ambiguous_number', `${doubtfulNumber} as ${String(read)}`);
    }
  }

  push(text: string, isLast: boolean): void {
    this.records.push(text, isLast);
    if (isLast) this.endAccount();
  }

  header(text: string): void {
    const section = sectionOf(text);
    if (section === null) return;
    this.section = section;
    if (section !== 'transactions' && section !== 'investments') return;
    if (this.isAnnounced) this.account.type ??= typeOf(text);
    else this.beginAccount({ name: null, type: typeOf(text) });
    this.isAnnounced = false;
  }

  record(fields: readonly QifField[], isEnded: boolean): void {
    if (this.section === 'account') this.announce(fields);
    if (this.section !== 'transactions' && this.section !== 'investments') return;
    this.transactions++;
    this.sink.row(isEnded ? this.rowOf(fields) : { fault: cutOff }, () =>
      fields.map(({ code, value }) => code + value).join('\n'),
    );
  }

  private rowOf(fields: readonly QifField[]): StatementRow {
    if (this.section === 'investments') return investmentRow(this.account, fields, this.notation);
    this.account.name ??= openingAccount(fields);
    const row = transactionRow(this.account, fields, this.notation);
    if ('data' in row) this.checkSplits(row.data);
    return row;
  }

  private checkSplits({ amount, date, splits }: Record<string, unknown>): void {
    if (!Array.isArray(splits)) return;
    const sum = new DecimalSum();
    for (const split of splits as { amount: number | string | null }[]) {
      if (split.amount === null) return;
      sum.add(split.amount);
    }
    if (!sum.equals(amount as number | string))
      this.sink.warn('splits_differ', `${String(date)}: ${String(amount)}, splits ${sum.text}`);
  }

  private announce(fields: readonly QifField[]): void {
    const valueOf = (code: string): string | null => fields.find((field) => field.code === code)?.value || null;
    this.beginAccount({ name: valueOf('N'), type: valueOf('T') });
    this.isAnnounced = true;
    const amount = readQifAmount(valueOf('$') ?? valueOf('B') ?? '', this.notation);
    const day = valueOf('/');
    if (amount === null) return;
    const date = day === null ? null : readQifDay(day, this.notation);
    this.balances.push({ type: 'ledger', amount, currency: null, date });
  }

  private beginAccount(account: QifAccount): void {
    this.endAccount();
    this.account = account;
  }

  private endAccount(): void {
    const { balances, transactions } = this;
    this.balances = [];
    this.transactions = 0;
    if (transactions === 0 && balances.length === 0) return;
    this.sink.statement({ id: null, account_id: this.account.name, currency: null, transactions, balances });
  }
}

/** Returns the name of the account that an opening balance states. */
function openingAccount(fields: readonly QifField[]): string | null {
  const isOpening = fields.some(({ code, value }) => code === 'P' && /^opening balance$/i.test(value));
  const category = fields.find(({ code }) => code === 'L')?.value ?? '';
  return isOpening ? (/^\[(.+)\]$/.exec(category)?.[1] ?? null) : null;
}

const cutOff = {
  column: null,
  code: 'incomplete',
  message: 'The file ends within the transaction. It may have been cut: export it again.',
} as const;
