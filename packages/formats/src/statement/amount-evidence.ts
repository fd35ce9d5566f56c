import { decimalEvidence, plainAmount } from '../columns/amounts';
import type { TextEncoding } from '../text/decoder';
import type { DecimalSeparator, FileSource, ReadOptions } from '../types';
import type { KnownOfFile, StatementParser } from './parser';
import { pushAll } from './read';

/** An amount, with the tag before it, is no longer. */
const maxChars = 100;

/**
 * Reads the amounts of the whole file, which a pattern with one group finds, to learn which of `.` and `,` precedes the
 * decimals: some programs write thousands, which no standard allows. The option of the sender comes first.
 */
export async function detectAmounts(
  pattern: RegExp,
  source: FileSource,
  encoding: TextEncoding,
  { decimalSeparator }: ReadOptions,
): Promise<KnownOfFile> {
  if (decimalSeparator !== undefined) return { amountSeparator: decimalSeparator };
  const evidence = new AmountEvidence(pattern);
  await pushAll(source, encoding, evidence);
  return evidence.separator === null ? {} : { amountSeparator: evidence.separator };
}

class AmountEvidence implements StatementParser {
  private readonly counts = { '.': 0, ',': 0 };
  private rest = '';

  constructor(private readonly pattern: RegExp) {}

  push(piece: string): void {
    const text = this.rest + piece;
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      end = match.index + match[0].length;
      const evidence = decimalEvidence(match[1] as string);
      if (evidence === '.' || evidence === ',') this.counts[evidence]++;
    }
    this.rest = text.slice(Math.max(end, text.length - maxChars));
  }

  /** The separator that amounts prove; null where none does, or they differ. */
  get separator(): DecimalSeparator | null {
    const { '.': points, ',': commas } = this.counts;
    if (points > 0 === commas > 0) return null;
    return points > 0 ? '.' : ',';
  }
}

/** Writes an amount with a point before its decimals, by the separator that the amounts of its file prove. */
export function standardAmount(text: string, separator: DecimalSeparator | undefined): string {
  const isStandard = separator === undefined || (separator === '.' && !text.includes(','));
  return isStandard ? text : (plainAmount(text.trim(), separator) ?? text);
}
