import { count } from '../text/characters';
import type { Dialect } from './dialect';

/** `end` follows the record's line break; `lines` counts its lines. */
export type RecordReading =
  | { kind: 'record'; cells: string[]; end: number; lines: number }
  /** The text ends before the record does. */
  | { kind: 'incomplete' }
  /** A quoted cell continues after its closing quote, at `end`. */
  | { kind: 'malformed'; end: number };

/**
 * Reads the record at `from` according to RFC 4180: a quoted cell may hold delimiters, line breaks and doubled quotes;
 * blanks around the quotes are dropped. A quote inside an unquoted cell is an ordinary character. `isLast` says that no
 * text follows.
 */
export function readRecord(
  text: string,
  from: number,
  { delimiter, quote, newline }: Dialect,
  isLast: boolean,
): RecordReading {
  const cells: string[] = [];
  let lines = 1;
  let at = from;
  for (;;) {
    const opening = quote === '' ? -1 : openingQuote(text, at, quote, delimiter);
    if (opening < 0) {
      const next = unquotedEnd(text, at, delimiter, newline);
      if (next < 0 && !isLast) return { kind: 'incomplete' };
      const end = next < 0 ? text.length : next;
      const atDelimiter = next >= 0 && text.startsWith(delimiter, next);
      cells.push(text.slice(at, atDelimiter ? end : withoutReturn(text, at, end)));
      if (!atDelimiter) return { kind: 'record', cells, end: next < 0 ? end : end + 1, lines };
      at = end + 1;
      continue;
    }
    const closing = closingQuote(text, opening + 1, quote);
    if (closing < 0 || (closing === text.length - 1 && !isLast)) return { kind: 'incomplete' };
    const inner = text.slice(opening + 1, closing);
    cells.push(inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner);
    lines += count(inner, newline);
    const after = skipBlanks(text, closing + 1, delimiter);
    if (after >= text.length) return isLast ? { kind: 'record', cells, end: after, lines } : { kind: 'incomplete' };
    if (text[after] === delimiter) {
      at = after + 1;
      continue;
    }
    const breakAt = text[after] === '\r' && newline === '\n' ? after + 1 : after;
    if (breakAt >= text.length) return isLast ? { kind: 'record', cells, end: breakAt, lines } : { kind: 'incomplete' };
    if (text[breakAt] !== newline) return { kind: 'malformed', end: breakAt };
    return { kind: 'record', cells, end: breakAt + 1, lines };
  }
}

/** Returns the position of the opening quote of the cell at `at`, or -1 where the cell is not quoted. */
function openingQuote(text: string, at: number, quote: string, delimiter: string): number {
  const first = skipBlanks(text, at, delimiter);
  return text[first] === quote ? first : -1;
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while (text[at] === ' ' && delimiter !== ' ') at++;
  return at;
}

/** Returns the first quote that is not doubled, or -1. */
function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at;
}

function unquotedEnd(text: string, from: number, delimiter: string, newline: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === delimiter || char === newline) return at;
  }
  return -1;
}

/** Returns the end of a line's content, before the CR of a CR LF break. */
export function withoutReturn(text: string, from: number, end: number): number {
  return end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

/**
 * Reads a line that is no proper CSV, or returns null when it makes no sense. A quoted cell ends at the first quote
 * before a delimiter or the end, so inner quotes need not be doubled. A cell that contains quotes but does not end with
 * one is taken literally.
 */
export function readLoosely(line: string, { delimiter, quote }: Dialect): string[] | null {
  const cells: string[] = [];
  let at = 0;
  let mayClose = true;
  for (;;) {
    const opening = openingQuote(line, at, quote, delimiter);
    const quoted = opening < 0 || !mayClose ? null : looseCell(line, opening, delimiter, quote);
    // A cell without an end leaves those after it without one too.
    if (opening >= 0 && quoted === null) mayClose = false;
    if (quoted !== null) {
      cells.push(quoted.cell);
      if (quoted.end >= line.length) return cells;
      at = quoted.end + 1;
      continue;
    }
    const next = line.indexOf(delimiter, at);
    const cell = line.slice(at, next < 0 ? line.length : next);
    if (opening >= 0 && count(cell, quote) % 2 === 1) return null;
    cells.push(cell);
    if (next < 0) return cells;
    at = next + 1;
  }
}

function looseCell(
  line: string,
  opening: number,
  delimiter: string,
  quote: string,
): { cell: string; end: number } | null {
  for (let at = line.indexOf(quote, opening + 1); at >= 0; at = line.indexOf(quote, at + 1)) {
    const after = skipBlanks(line, at + 1, delimiter);
    if (after >= line.length || line[after] === delimiter) {
      return { cell: line.slice(opening + 1, at).replaceAll(quote + quote, quote), end: after };
    }
  }
  return null;
}
