import { refuseType } from './failure';
import { memoiseTexts } from './memo';

/** A number with its separators, between which a space or an apostrophe groups thousands. */
const numberText = /\d+(?:[ \u00a0\u202f'’]\d{3}(?!\d))*(?:[.,]\d+)*|[.,]\d+/g;
const negative = /^\s*\(.*\)\s*$|-\s*(?:\p{Sc}|\p{L})*\s*[.,]?\d|[\d.,]\s*-\s*(?:\p{Sc}|\p{L})*\s*$/u;
/** Longer texts are not amounts. */
const maxLength = 64;

/** Wraps a result, because a memo holds texts and objects only. */
const readLenient = memoiseTexts((text: string): { value: number | undefined } => {
  if (text.length > maxLength) return { value: undefined };
  const plain = text.normalize('NFKC').replaceAll('−', '-');
  const found = plain.match(numberText) ?? [];
  const [digits] = found;
  if (digits === undefined || found.length > 1) return { value: undefined };
  const value = Number(decimalOf(digits));
  if (!Number.isFinite(value)) return { value: undefined };
  return { value: negative.test(plain) ? 0 - value : value };
});

/**
 * Returns the decimal text of a number. The last separator is the decimal one, unless it occurs before, or is a comma
 * before three digits.
 */
function decimalOf(text: string): string {
  const compact = text.replace(/[^\d.,]/g, '');
  const at = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','));
  if (at === -1) return compact;
  const separator = compact.charAt(at);
  const isGrouping = compact.indexOf(separator) < at || (separator === ',' && /^\d{1,3},\d{3}$/.test(compact));
  if (isGrouping) return compact.replace(/[.,]/g, '');
  return `${compact.slice(0, at).replace(/[.,]/g, '')}.${compact.slice(at + 1)}`;
}

/** Returns the one number in a text, whatever currency and separators are written with it; nothing where none is. */
export function lenientAmount(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? readLenient(value).value : refuseType('amount', 1);
}
