import { limits } from '../limits';
import { FileUnreadableError } from '../types';
import type { XmlAttributes, XmlHandler } from '../xml/xml-reader';
import type { Element } from './element';
import { camtRow, hasOwnAmount, type CamtRow, type StatementHead } from './transaction';

/**
 * Collects the rows of camt.053 statements. An entry gives one row, or one per transaction where these state their own
 * amounts. At most two transactions are kept, since an entry may hold all transactions of a day.
 */
export class CamtStatements implements XmlHandler {
  /** The elements around the current one, from the outermost kept part of the statement inwards. */
  private readonly path: Element[] = [];
  private head: StatementHead = { id: null, account: undefined };
  private inStatement = false;
  private entry: Element | null = null;
  /** The last transaction of the entry, kept until it is known whether others follow. */
  private waiting: Element | null = null;
  private isSplit = false;
  private elements = 0;
  private chars = 0;

  constructor(private readonly onRow: (row: CamtRow, chars: number, raw: string) => void) {}

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'Stmt' && this.path.length === 0) {
      this.inStatement = true;
      this.head = { id: null, account: undefined };
    } else if (this.inStatement) {
      this.path.push(this.begin(name, attributes));
    }
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
    if (element === undefined) {
      if (name === 'Stmt') this.inStatement = false;
      return;
    }
    if (this.path.length === 0) this.endPart(element);
    else if (name === 'TxDtls') this.endTransaction(element);
  }

  private begin(name: string, attributes: XmlAttributes): Element {
    const element: Element = { name, attributes, text: '', children: [] };
    const parent = this.path.at(-1);
    if (parent === undefined) {
      this.elements = 0;
      this.chars = 0;
      this.waiting = null;
      this.isSplit = false;
      this.entry = name === 'Ntry' ? element : null;
    } else if (name !== 'TxDtls') {
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
    if (element.name === 'Id') this.head.id = element.text.trim();
    else if (element.name === 'Acct') this.head.account = element;
    else if (element.name === 'Ntry') this.endEntry(element);
  }

  private endTransaction(detail: Element): void {
    const entry = this.entry;
    if (entry === null) return;
    const first = this.waiting;
    if (first !== null && (this.isSplit || hasOwnAmount(first))) {
      this.isSplit = true;
      this.add(entry, first, true);
      this.waiting = detail;
    } else {
      this.waiting ??= detail;
    }
    this.elements = 0;
    this.chars = 0;
  }

  private endEntry(entry: Element): void {
    this.add(entry, this.waiting ?? undefined, this.isSplit);
    this.waiting = null;
  }

  private add(entry: Element, detail: Element | undefined, isPart: boolean): void {
    const row = camtRow(this.head, entry, detail, isPart);
    const raw = shown({
      ...entry,
      children:
        detail === undefined ? entry.children : [...entry.children.filter(({ name }) => name !== 'NtryDtls'), detail],
    });
    this.onRow(row, raw.length, raw);
  }
}

/** Formats an element as text, so that people find it in the file. */
function shown({ name, text, children }: Element): string {
  return `<${name}>${text}${children.map(shown).join('')}</${name}>`;
}
