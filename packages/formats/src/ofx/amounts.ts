import { decimalEvidence, plainAmount } from '../columns/amounts';
import type { KnownOfFile, StatementParser } from '../statement/parser';
import { pushAll } from '../statement/read';
import { readDecimal } from '../statement/values';
import type { TextEncoding } from '../text/decoder';
import type { DecimalSeparator, FileSource, ReadOptions } from '../types';

/** Matches the amounts of money, with cents in most files. */
const amountTag = /<(?:TRNAMT|TOTAL|BALAMT)>\s*([-+\d.,]{1,40})\s*(?=[<\r\n])/gi;
/** A tag and its amount are no longer. */
const maxTagChars = 100;

/**
 * Reads the amounts of the whole file to find which of `.` and `,` precedes the decimals: the standard allows both, and
 * no thousands, which some programs write all the same. The option of the sender comes first.
 */
export async function detectOfx(
  source: FileSource,
  encoding: TextEncoding,
  { decimalSeparator }: ReadOptions,
): Promise<KnownOfFile> {
  if (decimalSeparator !== undefined) return { amountSeparator: decimalSeparator };
  const evidence = new AmountEvidence();
  await pushAll(source, encoding, evidence);
  return evidence.separator === null ? {} : { amountSeparator: evidence.separator };
}

class AmountEvidence implements StatementParser {
  private readonly counts = { '.': 0, ',': 0 };
  private rest = '';

  push(piece: string): void {
    const text = this.rest + piece;
    let end = 0;
    for (const match of text.matchAll(amountTag)) {
      end = match.index + match[0].length;
      const evidence = decimalEvidence(match[1] as string);
      if (evidence === '.' || evidence === ',') this.counts[evidence]++;
    }
    this.rest = text.slice(Math.max(end, text.length - maxTagChars));
  }

  /** The separator that amounts prove; null where none does, or they differ. */
  get separator(): DecimalSeparator | null {
    const { '.': points, ',': commas } = this.counts;
    if (points > 0 === commas > 0) return null;
    return points > 0 ? '.' : ',';
  }
}

/** Reads an amount in the notation of its file; null where it is none. */
export function readOfxAmount(text: string, separator: DecimalSeparator | undefined): number | string | null {
  const known = separator ?? groupsOnly(text);
  const plain = known === undefined ? undefined : plainAmount(text, known);
  return (plain === undefined ? null : readDecimal(plain)) ?? readDecimal(text);
}

/** Returns the separator that a number with thousands alone proves: `1,234,567`. */
function groupsOnly(text: string): DecimalSeparator | undefined {
  const evidence = decimalEvidence(text);
  return (evidence === '.' || evidence === ',') && !text.includes(evidence) ? evidence : undefined;
}

/** Returns whether a number may have thousands or decimals: `1,234`. */
export const isDoubtfulAmount = (text: string): boolean => decimalEvidence(text) === 'none' && /[.,]/.test(text);
