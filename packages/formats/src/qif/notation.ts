import { decimalEvidence } from '../columns/amounts';
import { limits } from '../limits';
import { readDecimal } from '../statement/values';
import type { KnownOfFile } from '../statement/parser';
import { pushAll } from '../statement/read';
import type { TextEncoding } from '../text/decoder';
import type { FileSource, QifNotation, ReadOptions } from '../types';
import { datePartsOf, dayIn, orders, type DateOrder } from './dates';
import { QifRecords, type QifField, type QifHandler } from './records';
import { sectionOf, type QifSection } from './sections';

/** Reads the whole file to find how its dates and amounts are written. Options of the sender come first. */
export async function detectQif(
  source: FileSource,
  encoding: TextEncoding,
  options: ReadOptions,
): Promise<KnownOfFile> {
  const evidence = new Evidence();
  const records = new QifRecords(evidence);
  await pushAll(source, encoding, records);
  const order = options.dateFormat === undefined ? undefined : orderOf(options.dateFormat);
  return {
    qif: {
      ...(options.decimalSeparator === undefined ? evidence.numbers : { decimalSeparator: options.decimalSeparator }),
      ...(order === undefined ? evidence.dates : { dateOrder: order }),
    },
  };
}

/** Returns the order of a format such as `DD/MM/YYYY`. */
function orderOf(format: string): DateOrder | undefined {
  const letters = format
    .toUpperCase()
    .replace(/[^DMY]/g, '')
    .replace(/(.)\1+/g, '$1');
  return orders.find((order) => order === letters);
}

/** Counts what proves an order of day and month, and a decimal separator. */
class Evidence implements QifHandler {
  private section: QifSection = 'transactions';
  private dateCount = 0;
  private example = '';
  private readonly against: Record<DateOrder, number> = { DMY: 0, MDY: 0, YMD: 0 };
  /** The last day in each order, and the steps forwards and backwards in time. */
  private readonly last: Partial<Record<DateOrder, string>> = {};
  private readonly steps: Record<DateOrder, { forwards: number; backwards: number }> = {
    DMY: { forwards: 0, backwards: 0 },
    MDY: { forwards: 0, backwards: 0 },
    YMD: { forwards: 0, backwards: 0 },
  };
  private readonly separators = { '.': 0, ',': 0 };
  private unclear: string | null = null;

  header(text: string): void {
    this.section = sectionOf(text) ?? this.section;
  }

  record(fields: readonly QifField[]): void {
    if (this.section !== 'transactions' && this.section !== 'investments') return;
    for (const { code, value } of fields) {
      if (code === 'D') this.addDate(value);
      else if ('TU$'.includes(code)) this.addAmount(value);
    }
  }

  private addDate(text: string): void {
    const parts = datePartsOf(text);
    if (parts === null) return;
    this.dateCount++;
    this.example ||= text;
    for (const order of orders) {
      const day = dayIn(parts, order);
      if (day === null) {
        this.against[order]++;
        continue;
      }
      const last = this.last[order];
      if (last !== undefined && day > last) this.steps[order].forwards++;
      if (last !== undefined && day < last) this.steps[order].backwards++;
      this.last[order] = day;
    }
  }

  private addAmount(text: string): void {
    const evidence = decimalEvidence(text);
    if (evidence === '.' || evidence === ',') this.separators[evidence]++;
    else if (evidence === 'none' && /[.,]/.test(text)) this.unclear ??= text;
  }

  /** The separator of the amounts: a point where nothing proves one, as Quicken writes. */
  get numbers(): Pick<QifNotation, 'decimalSeparator' | 'doubtfulNumber'> {
    const { '.': points, ',': commas } = this.separators;
    const isOpen = points === commas && this.unclear !== null;
    return {
      decimalSeparator: commas > points ? ',' : '.',
      ...(isOpen ? { doubtfulNumber: this.unclear as string } : {}),
    };
  }

  /** The order of the dates. */
  get dates(): Pick<QifNotation, 'dateOrder' | 'doubtfulDate'> {
    const minAgainst = Math.min(...orders.map((order) => this.against[order]));
    const [first = 'MDY', ...others] = orders.filter((order) => this.against[order] === minAgainst);
    if (this.dateCount === 0 || others.length === 0) return { dateOrder: first };
    const sorted = [first, ...others].filter((order) => this.isSorted(order));
    const dateOrder = sorted.length === 1 ? (sorted[0] as DateOrder) : first;
    return { dateOrder, doubtfulDate: this.example };
  }

  private isSorted(order: DateOrder): boolean {
    const { forwards, backwards } = this.steps[order];
    return forwards === 0 || backwards === 0;
  }
}

/** Reads an amount in the notation of its file; null where it is none. */
export function readQifAmount(text: string, { decimalSeparator }: QifNotation): number | string | null {
  if (text.length > limits.valueChars) return null;
  const grouping = decimalSeparator === '.' ? /,/g : /\./g;
  const plain = text
    .replace(/[\s'\u00a0\u202f$€£]/g, '')
    .replace(grouping, '')
    .replace(',', '.')
    .replace(/^(.*\d)-$/, '-$1')
    .replace(/^\((.*)\)$/, '-$1');
  return readDecimal(plain);
}

/** Reads a date in the order of its file; null where it is none. */
export function readQifDay(text: string, { dateOrder }: QifNotation): string | null {
  const parts = datePartsOf(text);
  if (parts === null) return null;
  // A four-digit year in front, or a named month, leaves no other order.
  return dayIn(parts, dateOrder) ?? (parts.parts[0].length === 4 ? dayIn(parts, 'YMD') : null);
}
