import { limits } from '../limits';
import { latinDigits } from '../text/characters';
import { decimalEvidence, isNoValue } from './amounts';
import { dateParts } from './date-text';
import { isDayOfMonth } from './yearless';

/** The kind of a cell, as far as the cell itself shows it. `mixed`: several values with a delimiter between them. */
export type CellKind = 'empty' | 'integer' | 'decimal' | 'date' | 'time' | 'text' | 'mixed';

const timeText = /^\d{1,2}:\d{2}(?::\d{2})?$/;
const digitsOnly = /^[-+]?\d+$/;
const otherMarks = /[;,|\t]/;

/** Tells the kind of a cell. `isSplit` says that the text was cut at a delimiter, and others may be left in it. */
export function kindOf(cell: string, isSplit = true): CellKind {
  if (isNoValue(cell)) return 'empty';
  const text = latinDigits(cell.trim());
  if (text.length <= limits.valueChars && /\d/.test(text)) {
    if (digitsOnly.test(text)) return 'integer';
    if (timeText.test(text)) return 'time';
    if (dateParts(text) !== null || isDayOfMonth(text)) return 'date';
    if (decimalEvidence(text) !== 'no number') return 'decimal';
  }
  return isSplit && holdsValues(text) ? 'mixed' : 'text';
}

/** Returns whether a text is several cells that another delimiter would separate: at least one of them is a value. */
function holdsValues(text: string): boolean {
  if (text.length > 4 * limits.valueChars || !otherMarks.test(text)) return false;
  return [';', ',', '|', '\t'].some((mark) => {
    const parts = text.split(mark);
    return parts.length > 1 && parts.some((part) => ['integer', 'decimal', 'date'].includes(kindOf(part, false)));
  });
}

/** Kinds of values that the name of a column can reveal. */
export const isValueKind = (kind: CellKind): boolean => kind !== 'text' && kind !== 'empty' && kind !== 'mixed';
