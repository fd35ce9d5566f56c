import { limits } from '../limits';
import { isDoubtfulAmount } from '../columns/amounts';
import { standardAmount } from '../statement/amount-evidence';
import { balanceDifference } from '../statement/balances';
import { Identities } from '../statement/identity';
import type { KnownOfFile, StatementParser, StatementSink } from '../statement/parser';
import { DecimalSum } from '../statement/sum';
import { FileUnreadableError, type StatementBalance } from '../types';
import { XmlReader, type XmlAttributes, type XmlHandler } from '../xml/xml-reader';
import { lacksTransactions, PartSums } from './amounts';
import { balanceOf } from './balances';
import { find, shownElement, textAt, type Element } from './element';
import { accountValues, camtRow, type EntryPart, type StatementHead } from './transaction';

/** The elements that hold entries: of camt.053, camt.052 and camt.054. */
const containers = new Set(['Stmt', 'Rpt', 'Ntfctn']);

/** Characters that an element takes in a row besides its text. */
const charsPerElement = 30;

/** An entry that is being read. Its transactions are kept until it is known how they add up. */
class OpenEntry {
  readonly details: Element[] = [];
  private sums: PartSums | null = null;
  count = 0;
  private chars = 0;

  constructor(
    readonly number: number,
    readonly element: Element,
  ) {}

  /** The element by which several transactions add up to the entry. */
  get elementThatAddsUp(): string | null {
    return this.sums?.elementThatAddsUp(this.element) ?? null;
  }

  /** False once the entry has more transactions than are kept. */
  get isKept(): boolean {
    return this.count === this.details.length;
  }

  add(detail: Element, chars: number): void {
    this.count++;
    this.chars += chars;
    if (this.count === 1) this.details.push(detail);
    else this.addNext(detail);
  }

  private addNext(detail: Element): void {
    this.sums ??= this.sumsOfFirst();
    this.sums.add(this.element, detail);
    if (this.chars <= limits.entryDetailChars) this.details.push(detail);
  }

  private sumsOfFirst(): PartSums {
    const sums = new PartSums();
    for (const first of this.details) sums.add(this.element, first);
    return sums;
  }
}

/**
 * Reads the rows of camt statements, reports and notifications. An entry gives one row per transaction where these add
 * up to it; otherwise it is one row that lists them. How a large entry adds up is known from an earlier reading.
 */
export class CamtStatements implements XmlHandler, StatementParser {
  private readonly xml = new XmlReader(this, 'The camt file');
  private readonly identities = new Identities();
  /** The elements around the current one, from the outermost kept part of the statement inwards. */
  private readonly path: Element[] = [];
  private head: StatementHead = { id: null, account: undefined };
  private balances: StatementBalance[] = [];
  private booked = new DecimalSum();
  private transactions = 0;
  private currency: string | null = null;
  private information: string | null = null;
  private inStatement = false;
  private entry: OpenEntry | null = null;
  private entries = 0;
  private elements = 0;
  private chars = 0;

  constructor(
    private readonly sink: StatementSink,
    private readonly known: KnownOfFile,
  ) {}

  push(text: string, isLast: boolean): void {
    this.xml.push(text, isLast);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.inStatement) this.path.push(this.begin(name, attributes));
    else if (containers.has(name)) this.beginStatement();
  }

  text(text: string): void {
    const element = this.path.at(-1);
    if (element === undefined || text.trim() === '') return;
    this.chars += text.length;
    this.checkSize();
    element.text += text;
  }

  close(name: string): void {
    const element = this.path.pop();
    if (element !== undefined && name.endsWith('Amt')) this.readAmount(element);
    if (element === undefined) {
      if (this.inStatement && containers.has(name)) this.endStatement();
    } else if (this.path.length === 0) this.endPart(element);
    else if (name === 'TxDtls') this.endTransaction(element);
  }

  private readAmount(element: Element): void {
    const { text } = element;
    element.text = standardAmount(text, this.known.amountSeparator);
    if (this.known.amountSeparator === undefined && text.includes(',') && isDoubtfulAmount(text))
      this.sink.warn('ambiguous_number', text.trim());
  }

  private beginStatement(): void {
    this.inStatement = true;
    this.head = { id: null, account: undefined };
    this.balances = [];
    this.booked = new DecimalSum();
    this.transactions = 0;
    this.currency = null;
    this.information = null;
    this.identities.beginStatement();
  }

  private begin(name: string, attributes: XmlAttributes): Element {
    const element: Element = { name, attributes, text: '', children: [] };
    const parent = this.path.at(-1);
    if (parent === undefined) {
      this.elements = 0;
      this.chars = 0;
      this.entry = name === 'Ntry' ? new OpenEntry(++this.entries, element) : null;
    } else if (name !== 'TxDtls' || this.entry === null) {
      parent.children.push(element);
    }
    this.elements++;
    this.checkSize();
    return element;
  }

  private checkSize(): void {
    if (this.elements > limits.entryElements || this.chars > limits.rowChars) {
      throw new FileUnreadableError(
        'file_damaged',
        `An entry of the statement has more than ${limits.entryElements} elements or ${limits.rowChars} ` +
          'characters. Export the statement again for a shorter time, or with single transactions.',
      );
    }
  }

  /** Handles the end of a direct part of a statement. */
  private endPart(element: Element): void {
    if (element.name === 'Id') this.head.id = element.text.trim() || null;
    else if (element.name === 'Acct') this.head.account = element;
    else if (element.name === 'Bal' && this.balances.length < limits.balances)
      this.balances.push(...balanceOf(element));
    else if (element.name === 'Ntry') this.endEntry();
    else if (/^Addtl(?:Stmt|Rpt|Ntfctn)Inf$/.test(element.name)) this.information = element.text.trim() || null;
  }

  private endTransaction(detail: Element): void {
    const { entry } = this;
    if (entry === null) return;
    entry.add(detail, this.chars + this.elements * charsPerElement);
    this.elements = 0;
    this.chars = 0;
    const element = this.known.largeEntries?.[entry.number];
    if (typeof element === 'string')
      this.add(entry, { details: [detail], count: 1, element, isFirst: entry.count === 1 });
  }

  private endEntry(): void {
    const { entry } = this;
    this.entry = null;
    if (entry === null) return;
    const known = this.known.largeEntries?.[entry.number];
    if (typeof known === 'string') return;
    const { details, count } = entry;
    const element = entry.elementThatAddsUp;
    const [only] = details;
    const isPartial = count === 1 && only !== undefined && lacksTransactions(entry.element, only);
    if (!entry.isKept) this.sink.largeEntry(entry.number, element);
    if (element !== null && entry.isKept)
      details.forEach((one, i) => this.add(entry, { details: [one], count, element, isFirst: i === 0 }));
    else this.add(entry, { details, count, element: null, isFirst: true, isPartial });
    const stated = textAt(entry.element, 'Amt') ?? '';
    if (/^-.*[1-9]/.test(stated))
      this.sink.warn(
        'negative_amounts',
        `entry ${entry.number}: ${stated} ${textAt(entry.element, 'CdtDbtInd') ?? ''}`,
      );
    if (find(entry.element, 'Amt')?.attributes.Ccy === undefined)
      this.sink.warn('currency_missing', `entry ${entry.number}: ${stated}`);
    if (isPartial || (count > 1 && element === null))
      this.sink.warn('batch_kept_whole', `entry ${entry.number}: ${textAt(entry.element, 'Amt') ?? ''} booked`);
  }

  private add({ element: entry }: OpenEntry, part: EntryPart): void {
    const row = camtRow(this.head, entry, part);
    this.transactions++;
    if ('data' in row) {
      const { status, amount, currency } = row.data as Record<'status' | 'currency', string | null> & {
        amount: number | string;
      };
      this.currency ??= currency;
      if (status === null || status === 'BOOK') this.booked.add(amount);
      else this.sink.warn('pending_transactions', `${String(amount)}: ${status}`);
      row.identity = this.identityOf(row.data);
    }
    this.sink.row(row, () =>
      shownElement({
        ...entry,
        children: [...entry.children.filter(({ name }) => name !== 'NtryDtls'), ...part.details],
      }),
    );
  }

  /**
   * Identifies a transaction by the bank's reference, which fees and reversals of a transaction share; else by the
   * reference of the entry, which may be a mere number within the statement.
   */
  private identityOf(data: Record<string, unknown>): string | undefined {
    const { account_id, bank_reference, entry_reference, amount, booking_date, value_date } = data as Record<
      string,
      string | null
    >;
    const context = [account_id ?? null, amount ?? null];
    const day = booking_date ?? value_date ?? null;
    if (bank_reference) return this.identities.next(bank_reference, context, day);
    return entry_reference ? this.identities.next(entry_reference, [...context, day], null) : undefined;
  }

  private endStatement(): void {
    this.inStatement = false;
    const { account_id = null, account_currency = null } = accountValues(this.head.account);
    const currency = account_currency ?? this.balances[0]?.currency ?? this.currency;
    const difference = balanceDifference(this.balances, this.booked);
    if (difference !== null) this.sink.warn('balance_differs', `statement ${this.head.id ?? ''}: ${difference}`);
    this.sink.statement({
      id: this.head.id,
      account_id,
      currency,
      transactions: this.transactions,
      balances: this.balances,
      ...(this.information === null ? {} : { additional_information: this.information }),
    });
  }
}
