import { limits } from '../limits';
import { daysInMonth } from '../text/calendar';
import type { RowFault } from '../types';

const decimalText = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
/** With both separators in a number it is clear which one precedes the decimals. */
const groupedText = /^[+-]?\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.)\d+$/;

/**
 * Reads an amount of a statement with a comma or a point before its decimals. Returns a number, or decimal text where
 * no number is exact. Returns null for anything else.
 */
export function readDecimal(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed.length > limits.valueChars || !(decimalText.test(trimmed) || groupedText.test(trimmed))) return null;
  const plain = canonical(trimmed.replace(/[.,](?=.*[.,])/g, '').replace(',', '.'));
  const number = Number(plain);
  return String(number) === plain ? number : plain;
}

/** Removes the plus sign, leading zeros, and zeros at the end of the decimals. */
function canonical(text: string): string {
  const [whole = '', decimals = ''] = text.replace(/^[+-]/, '').split('.');
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  const fraction = decimals.replace(/0+$/, '');
  const magnitude = fraction === '' ? integer : `${integer}.${fraction}`;
  return text.startsWith('-') && magnitude !== '0' ? `-${magnitude}` : magnitude;
}

export function negated(amount: number | string): number | string {
  if (typeof amount === 'number') return amount === 0 ? 0 : -amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Returns `YYYY-MM-DD` for a valid calendar day, else null. */
export function readDay(year: string, month: string, day: string): string | null {
  const isDay = Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month));
  return isDay && year.length === 4 && month.length === 2 && day.length === 2 ? `${year}-${month}-${day}` : null;
}

/** The fault of a transaction of a statement. */
export interface StatementFault {
  column: string | null;
  code: RowFault;
  message: string;
}

export function noAmount(tag: string, text: string | undefined): StatementFault {
  return text === undefined
    ? { column: 'amount', code: 'missing_amount', message: `The transaction has no amount (${tag}). Add it.` }
    : {
        column: 'amount',
        code: 'value_out_of_range',
        message: `${tag} is "${text.slice(0, 40)}", which is not an amount. Correct it.`,
      };
}

export function noDay(column: string, tag: string, text: string): StatementFault {
  return {
    column,
    code: 'value_out_of_range',
    message: `${tag} is "${text.slice(0, 40)}", which is not a day. Correct it.`,
  };
}
