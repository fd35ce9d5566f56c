import { isDoubtfulAmount } from '../columns/amounts';
import { limits } from '../limits';
import { balanceDifference } from '../statement/balances';
import type { KnownOfFile, StatementParser, StatementSink } from '../statement/parser';
import { DecimalSum } from '../statement/sum';
import { negated } from '../statement/values';
import type { DecimalSeparator, StatementBalance } from '../types';
import { fieldTooLong, SwiftFields, type SwiftField, type SwiftHandler } from './fields';
import { informationValues } from './information';
import { readLine, swiftAmount, swiftDay } from './line';
import { joinLines, plainText } from './texts';

interface Message {
  reference: string | null;
  relatedReference: string | null;
  account: string | null;
  currency: string | null;
  number: string | null;
  reportedAt: string | null;
  balances: StatementBalance[];
  sum: DecimalSum;
  transactions: number;
  /** The message is no first page (`:60M:`), no last page (`:62M:`). */
  isContinued: boolean;
  isToContinue: boolean;
  /** Text that follows no statement line. */
  information: string[];
}

const balanceTypes: Readonly<Record<string, string>> = {
  '60F': 'opening',
  '60M': 'opening',
  '62F': 'closing',
  '62M': 'closing',
  '64': 'available',
  '65': 'forward_available',
  '90C': 'total_credits',
  '90D': 'total_debits',
};

/** Lines of text that are kept of a statement; the standard allows six. */
const maxStatementLines = 40;

/** Reads the statement lines of MT940, MT950 and MT942 messages, each with the text that follows it (`:86:`). */
export class Mt940Statements implements StatementParser, SwiftHandler {
  private readonly fields = new SwiftFields(this);
  private message: Message | null = null;
  private line: SwiftField | null = null;
  private information: string[] = [];
  private informationChars = 0;

  /** The statement whose next page is to come. */
  private openPage: string | null = null;

  constructor(
    private readonly sink: StatementSink,
    private readonly known: KnownOfFile,
  ) {}

  push(text: string, isLast: boolean): void {
    this.fields.push(text, isLast);
    if (isLast) this.endPage(null);
  }

  field(field: SwiftField): void {
    const { tag, lines } = field;
    // Some banks write the text of a transaction into the field for any text.
    if (tag === '86' || (tag === 'NS' && this.line !== null)) {
      this.addInformation(lines);
      return;
    }
    this.endLine();
    if (tag === '20') this.endMessage();
    this.message ??= emptyMessage();
    if (tag === '61') this.line = field;
    else this.headField(this.message, tag, lines);
  }

  endMessage(): void {
    this.endLine();
    const { message } = this;
    this.message = null;
    if (message === null || (message.account === null && message.transactions === 0)) return;
    const { account, currency, number, balances, transactions, sum } = message;
    const where = `account ${account ?? ''}, statement ${number ?? message.reference ?? ''}`;
    if (message.isContinued) {
      if (this.openPage === null) this.sink.warn('statement_missing', `before ${where}`);
    } else this.endPage(where);
    this.openPage = message.isToContinue ? where : null;
    const difference = balanceDifference(balances, sum);
    if (difference !== null) this.sink.warn('balance_differs', `${where}: ${difference}`);
    const [opening, closing] = ['opening', 'closing'].map((type) => balances.some((one) => one.type === type));
    if (opening === true && closing === false) this.sink.warn('closing_balance_missing', where);
    const text = plainText(joinLines(message.information));
    this.sink.statement({
      id: number,
      account_id: account,
      currency,
      transactions,
      balances,
      ...(text === null ? {} : { additional_information: text }),
    });
  }

  /** Tells of a statement that ends with a page before its last. */
  private endPage(next: string | null): void {
    if (this.openPage !== null)
      this.sink.warn('statement_missing', `after ${this.openPage}${next === null ? '' : `, before ${next}`}`);
  }

  private addInformation(lines: readonly string[]): void {
    for (const line of lines) this.informationChars += line.length + 1;
    if (this.informationChars > limits.rowChars) throw fieldTooLong;
    const information = this.line === null ? (this.message?.information ?? []) : this.information;
    for (const line of lines) if (this.line !== null || information.length < maxStatementLines) information.push(line);
  }

  private headField(message: Message, tag: string, lines: readonly string[]): void {
    const text = (lines[0] ?? '').trim();
    if (tag === '20') message.reference = text || null;
    else if (tag === '21') message.relatedReference = text || null;
    else if (tag === '28' || tag === '28C') message.number = text || null;
    else if (tag.startsWith('25')) Object.assign(message, accountOf(text));
    else if (tag.startsWith('13')) message.reportedAt = timeOf(text);
    else if (tag === '34F') message.currency ??= /^[A-Z]{3}/.exec(text)?.[0] ?? null;
    else if (tag in balanceTypes) addBalance(message, tag, { text, separator: this.known.amountSeparator });
  }

  private endLine(): void {
    const { line, message, information } = this;
    this.line = null;
    this.information = [];
    this.informationChars = 0;
    if (line === null || message === null) return;
    message.transactions++;
    const raw = (): string =>
      [`:61:${line.lines.join('\n')}`, ...(information.length > 0 ? [`:86:${information.join('\n')}`] : [])].join('\n');
    const { amountSeparator } = this.known;
    const read = readLine(line.lines, line.isEnded, amountSeparator);
    if ('fault' in read) {
      this.sink.row(read, raw);
      return;
    }
    const { isExpected, isDayKept, written, ...values } = read;
    if (amountSeparator === undefined && written.includes('.') && isDoubtfulAmount(written))
      this.sink.warn('ambiguous_number', written);
    if (message.currency === null) this.sink.warn('currency_missing', written);
    if (!isDayKept) this.sink.warn('day_corrected', (line.lines[0] ?? '').slice(0, 20));
    if (isExpected) this.sink.warn('pending_transactions', String(read.amount));
    else message.sum.add(read.amount);
    const data = {
      statement_id: message.number,
      statement_reference: message.reference,
      related_reference: message.relatedReference,
      ...(message.reportedAt === null ? {} : { reported_at: message.reportedAt }),
      account_id: message.account,
      currency: message.currency,
      status: isExpected ? 'PDNG' : 'BOOK',
      ...values,
      booking_date: read.booking_date ?? read.value_date,
      ...informationValues(information, read),
    };
    this.sink.row({ data }, raw);
  }
}

const emptyMessage = (): Message => ({
  reference: null,
  relatedReference: null,
  account: null,
  currency: null,
  number: null,
  reportedAt: null,
  balances: [],
  sum: new DecimalSum(),
  transactions: 0,
  isContinued: false,
  isToContinue: false,
  information: [],
});

const iban = /[A-Z]{2}\d{2}[A-Z0-9]{11,30}/;

/** Reads the account of field `:25:`: its IBAN, or else its text, and the currency that may follow. */
function accountOf(text: string): Pick<Message, 'account' | 'currency'> {
  const plain = text.replace(/^\/+/, '');
  const [, account = plain, currency = null] = /^(.*\d)\s*[ /]?([A-Z]{3})$/.exec(plain) ?? [];
  const found = iban.exec(account.replace(/\s/g, ''))?.[0];
  return { account: (found ?? account.trim()) || null, currency };
}

/** Returns the time of a report (`:13D:2601021530+0100`) as ISO text. */
function timeOf(text: string): string | null {
  const match = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?:([+-]\d{2})(\d{2}))?/.exec(text);
  const day = match === null ? null : swiftDay(match[1] as string, match[2] as string, match[3] as string);
  if (match === null || day === null) return null;
  return `${day}T${match[4]}:${match[5]}:00${match[6] === undefined ? '' : `${match[6]}:${match[7]}`}`;
}

interface WrittenBalance {
  text: string;
  separator: DecimalSeparator | undefined;
}

function addBalance(message: Message, tag: string, written: WrittenBalance): void {
  if (tag === '60M') message.isContinued = true;
  message.isToContinue ||= tag === '62M';
  const balance = tag.startsWith('90') ? totalOf(tag, written) : balanceOf(tag, written);
  if (balance === null || message.balances.length >= limits.balances) return;
  message.currency = tag.startsWith('60') ? balance.currency : (message.currency ?? balance.currency);
  message.balances.push(balance);
}

function balanceOf(tag: string, { text, separator }: WrittenBalance): StatementBalance | null {
  const match = /^(R?[CD])\s?(\d{2})(\d{2})(\d{2})\s?([A-Z]{3})\s?([\d., ]+)/.exec(text);
  const amount = match === null ? null : swiftAmount(match[6] as string, separator);
  if (match === null || amount === null) return null;
  const [, mark = '', year = '', month = '', day = '', currency = ''] = match;
  const isDebit = mark === 'D' || mark === 'RC';
  return {
    type: balanceTypes[tag] ?? tag,
    amount: isDebit ? negated(amount) : amount,
    currency,
    date: swiftDay(year, month, day),
  };
}

/** Reads the number and the sum of an interim report's entries (`:90D:12EUR345,67`). */
function totalOf(tag: string, { text, separator }: WrittenBalance): StatementBalance | null {
  const match = /^\d*\s?([A-Z]{3})\s?([\d., ]+)/.exec(text);
  const amount = match === null ? null : swiftAmount(match[2] as string, separator);
  if (match === null || amount === null) return null;
  return {
    type: balanceTypes[tag] ?? tag,
    amount: tag === '90D' ? negated(amount) : amount,
    currency: match[1] as string,
    date: null,
  };
}
