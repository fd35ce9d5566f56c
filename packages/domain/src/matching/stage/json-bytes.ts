import { amountFits, readAmount, readDay, type AmountReading, type DayReading } from '@tieout/engine';

const quote = 34;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;

/** Max digits that are within the range of amounts whatever their value. */
const maxShortDigits = 13;
const maxScale = 4;

/**
 * Reads an amount from the bytes of a JSON value as `readAmount` does from the value, almost always without a string.
 * An amount outside the range is `out_of_range`. A reading is valid until the next one.
 */
export class AmountReader {
  private readonly reading = { ok: true as const, units: 0, scale: 0 };

  /** Reads the value in [from, to). */
  read(bytes: Buffer, from: number, to: number): AmountReading {
    if (this.readShort(bytes, from, to)) return this.reading;
    const amount = readAmount(JSON.parse(bytes.toString('utf8', from, to)));
    return !amount.ok || amountFits(amount) ? amount : { ok: false, reason: 'out_of_range' };
  }

  /** Reads digits with at most one dot between them, as a number or in quotes. */
  private readShort(bytes: Buffer, from: number, to: number): boolean {
    const quoted = bytes[from] === quote;
    let at = quoted ? from + 1 : from;
    const end = quoted ? to - 1 : to;
    const negative = bytes[at] === minus;
    if (negative) at++;
    let units = 0;
    let digits = 0;
    let scale = -1;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= zero && byte <= nine) {
        units = units * 10 + (byte - zero);
        digits++;
        if (scale >= 0) scale++;
      } else if (byte === dot && scale === -1 && digits > 0) scale = 0;
      else return false;
    }
    if (digits === 0 || digits > maxShortDigits || scale === 0 || scale > maxScale) return false;
    if (scale === -1) scale = 0;
    while (scale > 0 && units % 10 === 0) {
      units /= 10;
      scale--;
    }
    this.reading.units = negative && units !== 0 ? -units : units;
    this.reading.scale = scale;
    return true;
  }
}

/** Bytes of a date in quotes. */
const dateBytes = 12;

/** Reads a day from the bytes of a JSON value as `readDay` does from the value, and caches plain dates. */
export class DayReader {
  private readonly cache = new Map<number, DayReading>();

  /** @param readValue reads any value, such as a timestamp */
  constructor(private readonly readValue: (value: unknown) => DayReading = (value) => readDay(value)) {}

  /** Reads the value in [from, to). */
  read(bytes: Buffer, from: number, to: number): DayReading {
    const key = to - from === dateBytes ? dateKey(bytes, from + 1) : -1;
    const found = key === -1 ? undefined : this.cache.get(key);
    if (found) return found;
    const reading = this.readValue(JSON.parse(bytes.toString('utf8', from, to)));
    if (key !== -1) this.cache.set(key, reading);
    return reading;
  }
}

/** Returns the eight digits of `YYYY-MM-DD` as a number; -1 for anything else. */
function dateKey(bytes: Buffer, from: number): number {
  let key = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[from + i] as number;
    if (i === 4 || i === 7) {
      if (byte !== minus) return -1;
    } else if (byte >= zero && byte <= nine) key = key * 10 + (byte - zero);
    else return -1;
  }
  return key;
}
