import { standardAmount } from '../statement/amount-evidence';
import type { DecimalSeparator } from '../types';
import { negated, readDay, readDecimal, type StatementFault } from '../statement/values';

/** The values of a statement line (`:61:`). */
export interface StatementLine {
  value_date: string;
  booking_date: string | null;
  amount: number | string;
  credit_debit: 'CRDT' | 'DBIT';
  is_reversal: boolean;
  /** The digits of the amount as written. */
  written: string;
  /** The bank expects the transaction, but has not booked it. */
  isExpected: boolean;
  /** True if both dates are as written; false where a day that February does not have was replaced. */
  isDayKept: boolean;
  transaction_type: string | null;
  customer_reference: string | null;
  bank_reference: string | null;
  supplementary_details: string | null;
}

const pattern =
  /^\s*(\d{2})(\d{2})(\d{2})\s?(\d{4})?\s?(RC|RD|EC|ED|C|D)([A-Z])?\s?([\d., ]+)((?!NONREF)[NFS][A-Z0-9 ]{3})?(.*)$/s;

/** Matches the amounts of a file. */
export const swiftAmounts =
  /(?<![^\r\n]):(?:61:\d{6,10}R?[CD][A-Z]?|6[0245][FM]?:R?[CD]\d{6}[A-Z]{3}|90[CD]:\d*[A-Z]{3})\s?([\d.,]{1,40})/g;

/** Reads an amount, which may have blanks. */
export const swiftAmount = (text: string, separator: DecimalSeparator | undefined): number | string | null =>
  readDecimal(standardAmount(text.replaceAll(' ', ''), separator));

/** Reads a statement line; `isEnded` is false where the file ends within it. */
export function readLine(
  lines: readonly string[],
  isEnded: boolean,
  separator?: DecimalSeparator,
): StatementLine | { fault: StatementFault } {
  const isWrapped = lines.length > 1 && !pattern.test(lines[0] ?? '');
  const [first = '', ...others] = isWrapped ? [lines.slice(0, 2).join(''), ...lines.slice(2)] : lines;
  const match = pattern.exec(first);
  if (match === null) return { fault: noLine(first) };
  const [, year = '', month = '', day = '', entry = '', mark = '', , digits = '', type, references = ''] = match;
  if (type === undefined && !isEnded && others.length === 0) return { fault: cutLine };
  const amount = swiftAmount(digits, separator);
  if (amount === null) return { fault: noLine(first) };
  const valueDate = swiftDay(year, month, day);
  if (valueDate === null) return { fault: noDayIn(`${year}${month}${day}`) };
  const isDebit = mark === 'D' || mark === 'RC' || mark === 'ED';
  const at = references.indexOf('//');
  const bookingDate = entryDay(valueDate, entry);
  return {
    value_date: valueDate,
    booking_date: bookingDate,
    amount: isDebit ? negated(amount) : amount,
    credit_debit: isDebit ? 'DBIT' : 'CRDT',
    is_reversal: mark.startsWith('R'),
    written: digits.trim(),
    isExpected: mark.startsWith('E'),
    isDayKept: valueDate.endsWith(day) && (bookingDate === null || bookingDate.endsWith(entry.slice(2))),
    transaction_type: type?.trim() ?? null,
    customer_reference: reference(at < 0 ? references : references.slice(0, at)),
    bank_reference: at < 0 ? null : reference(references.slice(at + 2)),
    supplementary_details: others.join(' ').trim() || null,
  };
}

function reference(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.toUpperCase() === 'NONREF' ? null : trimmed;
}

const firstYearOf1900s = 80;

/** Returns the day of a date with two digits of the year. Banks that count 30 days a month write 30 February. */
export function swiftDay(year: string, month: string, day: string): string | null {
  const fullYear = String(Number(year) + (Number(year) < firstYearOf1900s ? 2000 : 1900));
  const days = month === '02' && (day === '29' || day === '30') ? [day, '29', '28'] : [day];
  for (const one of days) {
    const found = readDay(fullYear, month, one);
    if (found !== null) return found;
  }
  return null;
}

const months = 12;

/** Returns the day of an entry (`MMDD`) that is nearest to the value date: the two may lie in different years. */
function entryDay(valueDate: string, entry: string): string | null {
  if (entry === '' || entry === '0000') return null;
  const later = Number(entry.slice(0, 2)) - Number(valueDate.slice(5, 7));
  const shift = later > months / 2 ? -1 : later < -months / 2 ? 1 : 0;
  const year = String(Number(valueDate.slice(2, 4)) + shift + 100).slice(-2);
  return swiftDay(year, entry.slice(0, 2), entry.slice(2));
}

const noLine = (text: string): StatementFault => ({
  column: null,
  code: 'value_out_of_range',
  message: `:61: is "${text.slice(0, 80)}", which is not a statement line: date, C or D, amount and type. Correct it.`,
});

const noDayIn = (text: string): StatementFault => ({
  column: 'value_date',
  code: 'value_out_of_range',
  message: `:61: begins with "${text}", which is not a day. Correct it.`,
});

const cutLine: StatementFault = {
  column: null,
  code: 'incomplete',
  message: 'The file ends within the statement line. It may have been cut: export it again.',
};
