import { limits } from '../limits';
import { FileUnreadableError } from '../types';

/** Matches the keys under which a top-level object may hold the list of items. */
const listKey = /"(?:items|data|records|rows|results|transactions)"\s*:\s*$/;
/** The number of characters before a list that are searched for its key. */
const keyChars = 100;
/** The maximum nesting that is tracked. Values nested deeper than a row allows are reported per row. */
const maxOpen = 1_000;

const quote = 34;
const backslash = 92;
const comma = 44;
const openObject = 123;
const closeObject = 125;
const openList = 91;
const closeList = 93;
const space = 32;

export interface JsonSink {
  /** Called with the text of one item. */
  item(text: string): void;
  /** Called with the beginning of an item that exceeds the maximum length of a row. */
  tooLong(beginning: string): void;
}

/**
 * Splits a JSON text that arrives in pieces into the texts of its items, without parsing them: the elements of a
 * top-level list, or of the first list under one of the usual keys of a top-level object, or else the consecutive
 * top-level values.
 */
export class JsonItems {
  /** The closing characters of all open lists and objects, from the outermost. */
  private readonly open: number[] = [];
  /** The number of open brackets around each item: 0 at the top, 1 in a top-level list, 2 in the list of an object. */
  private level = 0;
  private inItem = false;
  private text = '';
  private longItem: string | null = null;
  private inString = false;
  private isEscaped = false;
  /** True after the list of an object has ended: only the end of the object may follow. */
  private isPastList = false;

  constructor(private readonly sink: JsonSink) {}

  push(piece: string): void {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (this.inString) {
        this.stepInString(code);
      } else if (code === quote) {
        if (this.begin()) from = at;
        this.inString = true;
      } else if (code === openObject || code === openList) {
        if (code === openList && this.isList(piece, from, at)) this.enterList();
        else if (this.begin()) from = at;
        this.enter(code);
      } else if (code === closeObject || code === closeList) {
        if (this.isAtItemLevel()) this.end(piece.slice(from, at));
        this.pop(code);
        if (this.isAtItemLevel()) this.end(piece.slice(from, at + 1));
      } else if (code === comma || code <= space) {
        if (this.isAtItemLevel()) this.end(piece.slice(from, at));
      } else if (this.begin()) {
        from = at;
      }
    }
    if (this.inItem) this.keep(piece.slice(from));
  }

  /** Tells whether the text ends where it may end. */
  finish(): boolean {
    const isWhole = this.open.length === 0 && !this.inString;
    if (this.inItem) this.end('');
    return isWhole;
  }

  private stepInString(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === backslash) this.isEscaped = true;
    else if (code === quote) this.inString = false;
  }

  /** Tells whether an item begins here. */
  private begin(): boolean {
    if (this.inItem || this.isPastList) return false;
    this.inItem = true;
    this.text = '';
    this.longItem = null;
    return true;
  }

  private isAtItemLevel(): boolean {
    return this.inItem && this.open.length === this.level;
  }

  private keep(part: string): void {
    this.text += part;
    if (this.text.length <= limits.rowChars) return;
    this.longItem ??= this.text.slice(0, limits.rawBytes);
    this.text = this.text.slice(-keyChars);
  }

  private end(part: string): void {
    this.keep(part);
    this.inItem = false;
    if (this.longItem === null) this.sink.item(this.text);
    else this.sink.tooLong(this.longItem);
  }

  /** Tells whether the list that begins here is the list of items. */
  private isList(piece: string, from: number, at: number): boolean {
    if (this.isPastList) return false;
    if (this.open.length === 0) return !this.inItem;
    if (this.level !== 0 || this.open.length !== 1 || this.open[0] !== closeObject) return false;
    const before = piece.slice(Math.max(from, at - keyChars), at);
    return listKey.test(before.length === keyChars ? before : this.text.slice(-keyChars) + before);
  }

  private enterList(): void {
    this.inItem = false;
    this.level = this.open.length + 1;
  }

  private enter(code: number): void {
    if (this.open.length >= maxOpen) throw damaged(`is nested deeper than ${maxOpen}`);
    this.open.push(code === openList ? closeList : closeObject);
  }

  private pop(code: number): void {
    if (this.open.pop() !== code) throw damaged(`has a ${String.fromCharCode(code)} that closes nothing`);
    if (this.open.length >= this.level && !this.isPastList) return;
    // After the list of items other values may follow at the top level; in an object only its end may.
    this.isPastList = this.open.length > 0;
    if (!this.isPastList) this.level = 0;
  }
}

function damaged(reason: string): FileUnreadableError {
  return new FileUnreadableError(
    'file_damaged',
    `The JSON of the file ${reason}, so that nobody can tell where its rows end. None of them was taken. ` +
      'Export the file again, or correct that place, and upload the whole file.',
  );
}
