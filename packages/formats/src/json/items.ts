import { limits } from '../limits';
import { FileUnreadableError } from '../types';

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
 * Splits a JSON text that arrives in pieces into the texts of its items, without parsing them. Items are the elements
 * of the list at `path`; without a path, those of a top-level list, or else consecutive top-level values.
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

  /** Walks to the list; null once it is reached. */
  private walk: ListWalk | null;

  constructor(
    private readonly sink: JsonSink,
    path: readonly string[] = [],
  ) {
    this.walk = path.length === 0 ? null : new ListWalk(path);
  }

  /** Returns whether the list has been found. */
  get hasList(): boolean {
    return this.walk === null;
  }

  push(piece: string): void {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (this.walk !== null) {
        if (this.walk.step(code, piece.charAt(at))) this.enterWalked(this.walk.open);
      } else if (this.inString) {
        this.stepInString(code);
      } else if (code === quote) {
        if (this.begin()) from = at;
        this.inString = true;
      } else if (code === openObject || code === openList) {
        if (code === openList && this.open.length === 0 && !this.inItem && !this.isPastList) this.level = 1;
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

  /** Returns whether the text ends where it may end. */
  finish(): boolean {
    const isWhole = this.open.length === 0 && !this.inString && (this.walk === null || this.walk.isAtEnd);
    if (this.inItem) this.end('');
    return isWhole;
  }

  private stepInString(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === backslash) this.isEscaped = true;
    else if (code === quote) this.inString = false;
  }

  /** Returns whether an item begins here. */
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
    if (this.longItem === null && this.text.length <= limits.rowChars) return;
    this.longItem ??= this.text.slice(0, limits.rawBytes);
    this.text = '';
  }

  private end(part: string): void {
    this.keep(part);
    this.inItem = false;
    if (this.longItem === null) this.sink.item(this.text);
    else this.sink.tooLong(this.longItem);
  }

  private enterWalked(open: readonly number[]): void {
    this.walk = null;
    this.open.push(...open);
    this.level = this.open.length;
  }

  private enter(code: number): void {
    if (this.open.length >= maxOpen) throw damaged(`is nested deeper than ${maxOpen}`);
    this.open.push(code === openList ? closeList : closeObject);
  }

  private pop(code: number): void {
    if (this.open.pop() !== code) throw damaged(`has a ${String.fromCharCode(code)} that closes nothing`);
    if (this.open.length >= this.level && !this.isPastList) return;
    // A top-level list may be followed by other values, the list of an object only by its end.
    this.isPastList = this.open.length > 0;
    if (!this.isPastList) this.level = 0;
  }
}

/** Follows the names of a path through nested objects, to the list at its end. */
class ListWalk {
  /** The closing characters of the open objects and of the list. */
  readonly open: number[] = [];
  /** The number of open objects along the path. */
  private matched = 0;
  private inString = false;
  private isEscaped = false;
  private written = '';
  private key: string | null = null;

  constructor(private readonly path: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.open.length === 0;
  }

  /** Takes a character; true if it opens the list. */
  step(code: number, character: string): boolean {
    if (this.inString) this.stepInString(code, character);
    else if (code === quote) {
      this.inString = true;
      this.written = '';
    } else if (code === colon) this.key = this.open.length === this.matched ? keyOf(this.written) : null;
    else if (code === comma) this.key = null;
    else if (code === openObject || code === openList) return this.enter(code);
    else if (code === closeObject || code === closeList) this.leave(code);
    return false;
  }

  private stepInString(code: number, character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === backslash) this.isEscaped = true;
    else if (code === quote) {
      this.inString = false;
      return;
    }
    if (this.written.length <= maxKeyChars) this.written += character;
  }

  private enter(code: number): boolean {
    if (this.open.length >= maxOpen) throw damaged(`is nested deeper than ${maxOpen}`);
    const isNext = this.matched === 0 || this.key === this.path[this.matched - 1];
    const isOnPath = this.open.length === this.matched && isNext;
    this.open.push(code === openList ? closeList : closeObject);
    this.key = null;
    if (isOnPath && code === openObject && this.matched < this.path.length) this.matched++;
    return isOnPath && code === openList && this.matched === this.path.length;
  }

  private leave(code: number): void {
    if (this.open.pop() !== code) throw damaged(`has a ${String.fromCharCode(code)} that closes nothing`);
    this.matched = Math.min(this.matched, this.open.length);
  }
}

const colon = 58;
const maxKeyChars = 1_000;

/** Decodes a name as written in JSON; null if it is invalid. */
function keyOf(written: string): string | null {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return null;
  }
}

function damaged(reason: string): FileUnreadableError {
  return new FileUnreadableError(
    'file_damaged',
    `The JSON of the file ${reason}, so that the ends of its rows are unknown. None of them was taken. ` +
      'Export the file again, or correct that place, and use the whole file.',
  );
}
