import type { Detected, Security, StatementSummary, StatementWarning } from '../types';
import type { StatementFault } from './values';

/** A transaction as read, or the reason why it is none. */
export type StatementRow = { data: Record<string, unknown>; identity?: string | undefined } | { fault: StatementFault };

/** Receives what a file of statements holds, in order. */
export interface StatementSink {
  /** `raw` returns the transaction as read, in case it is rejected. */
  row(row: StatementRow, raw: () => string): void;
  statement(summary: StatementSummary): void;
  /** Notes a point that the sender should check, with the place where it was found. */
  warn(code: StatementWarning, example: string): void;
  /** Notes by which element the transactions of a large entry add up to it. */
  largeEntry(entry: number, element: string | null): void;
  security(id: string, security: Security): void;
}

/** The findings in a file that reading its rows needs. */
export type KnownOfFile = Pick<Detected, 'qif' | 'amountSeparator' | 'largeEntries' | 'securities'>;

/** Reads text that arrives in pieces and passes what it finds to a sink. */
export interface StatementParser {
  push(text: string, isLast: boolean): void;
}

export type ParserOf = (sink: StatementSink, known: KnownOfFile) => StatementParser;
