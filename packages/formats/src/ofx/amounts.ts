import { decimalEvidence, plainAmount } from '../columns/amounts';
import { readDecimal } from '../statement/values';
import type { DecimalSeparator } from '../types';

/** Matches the amounts of money, with cents in most files. */
export const ofxAmounts = /<(?:TRNAMT|TOTAL|BALAMT)>\s*([-+\d.,]{1,40})\s*(?=[<\r\n])/gi;

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
