import { amountToNumber, formatDay, readAmount, readDay } from '@tieout/engine';
import { isNoValue } from '../columns/amounts';
import type { ColumnType } from '../types';
import { plainText, type Notation } from './notation';

/** Result of a coercion. `absent`: null, undefined, '' and, except for strings, texts such as `-` and `n/a`. */
export type Coercion =
  { kind: 'value'; value: unknown } | { kind: 'absent' } | { kind: 'error'; code: string; message: string };

const absent: Coercion = { kind: 'absent' };
/** The length of `YYYY-MM-DD`, the shortest text that is a day. */
const dayLength = 10;
const decimalText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const trueTexts = new Set(['true', 'yes', 'sim', '1']);
const falseTexts = new Set(['false', 'no', 'não', 'nao', '0']);
const timestampText =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))?)?$/;

/** Converts a raw value to the type of a field. What texts and nested values hold is not looked at. */
export function coerceValue(type: ColumnType, raw: unknown, notation?: Notation): Coercion {
  if (raw === null || raw === undefined || raw === '') return absent;
  if (typeof raw === 'string' && type !== 'string' && isNoValue(raw)) return absent;
  if (notation === undefined || typeof raw !== 'string') return coercions[type](raw);
  const text = plainText(type, raw, notation);
  return text === undefined
    ? failed(type, `is not written with "${notation.decimalSeparator}" as decimal separator`)
    : coercions[type](text);
}

const coercions: Record<ColumnType, (raw: unknown) => Coercion> = {
  string: toText,
  number: toNumber,
  amount: toAmount,
  boolean: toBoolean,
  date: toDate,
  datetime: toTimestamp,
  array: (raw) => (Array.isArray(raw) ? value(raw) : failed('array', 'is not an array')),
  object: (raw) => (isPlainObject(raw) ? value(raw) : failed('object', 'is not an object')),
};

function value(result: unknown): Coercion {
  return { kind: 'value', value: result };
}

function failed(type: ColumnType, message: string): Coercion {
  return { kind: 'error', code: `invalid_${type}`, message };
}

function isPlainObject(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function toText(raw: unknown): Coercion {
  if (typeof raw === 'number' && Number.isFinite(raw)) return value(String(raw));
  if (typeof raw === 'boolean') return value(String(raw));
  if (typeof raw !== 'string') return failed('string', 'is not a text, number or boolean');
  return value(raw);
}

function toNumber(raw: unknown): Coercion {
  const number = typeof raw === 'string' && decimalText.test(raw.trim()) ? Number(raw.trim()) : raw;
  if (typeof number !== 'number' || !Number.isFinite(number)) return failed('number', 'is not a number');
  return value(number);
}

function toAmount(raw: unknown): Coercion {
  const amount = readAmount(raw);
  if (amount.ok) return value(amountToNumber(amount.units, amount.scale));
  return amount.reason === 'out_of_range'
    ? { kind: 'error', code: 'amount_out_of_range', message: 'has more digits than amounts are computed with' }
    : failed('amount', 'is not an amount (a number, or digits with "." as decimal separator)');
}

function toBoolean(raw: unknown): Coercion {
  if (typeof raw === 'boolean') return value(raw);
  if (raw === 1) return value(true);
  if (raw === 0) return value(false);
  if (typeof raw === 'string') {
    const text = raw.trim().normalize('NFC').toLowerCase();
    if (trueTexts.has(text)) return value(true);
    if (falseTexts.has(text)) return value(false);
  }
  return failed('boolean', 'is not one of true, false, yes, no, sim, não, 1, 0');
}

function toDate(raw: unknown): Coercion {
  const reading = readDay(typeof raw === 'string' ? raw.trim() : raw);
  if (reading.ok && typeof raw === 'string' && raw.length === dayLength) return value(raw);
  const text = reading.ok ? formatDay(reading.day) : '';
  // The time zone can move a timestamp of the first or last year out of the calendar.
  if (!readDay(text).ok) return failed('date', 'is not a date (YYYY-MM-DD or an RFC 3339 timestamp)');
  return value(text);
}

function toTimestamp(raw: unknown): Coercion {
  const invalid = failed('datetime', 'is not a timestamp (RFC 3339 or YYYY-MM-DD)');
  const text = typeof raw === 'string' ? raw.trim() : '';
  const parts = timestampText.exec(text);
  if (parts === null || !readDay(text).ok) return invalid;
  const [
    ,
    day,
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    sign,
    offsetHours = '0',
    offsetMinutes = '0',
  ] = parts;
  // Epoch milliseconds have no leap seconds: a leap second is read as the last millisecond before it.
  const leap = second === '60';
  const milliseconds = leap ? '999' : fraction.slice(0, 3).padEnd(3, '0');
  const local = Date.parse(`${day}T${hour}:${minute}:${leap ? '59' : second}.${milliseconds}Z`);
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const utc = new Date(local - offset).toISOString();
  return readDay(utc).ok ? value(utc) : invalid;
}
