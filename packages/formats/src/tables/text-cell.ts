/** Matches what some spreadsheet or another takes for the end of a cell or row: their separator may be `;` or a tab. */
const needsQuotes = /[",;\t\r\n]/;
/**
 * Parts that a spreadsheet with another separator takes for cells: to it, the quotes of a cell that is not the first of
 * its line are not quotes, and a line break inside of them ends the row.
 */
const afterSeparator = /(?<=[;\t\r\n])[^;\t\r\n]+/g;
/** The signs of formulas in each form that Unicode has for them, such as full width, and the minus sign. */
const equalsSigns = '=@＝＠﹦﹫⁼₌';
const plusMinusSigns = '\ufb29+\\-＋－﹢﹣⁺⁻₊₋−';
/**
 * Matches the beginning of text that a spreadsheet may run: a sign of a formula, also behind white space and characters
 * without width that an import may drop; and the white space that separates cells and rows.
 */
const formulaStart = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{Cc}\\p{Cf}]*[${equalsSigns}${plusMinusSigns}])`, 'u');
/**
 * Matches what such a text needs to reach further than its own sheet: a call, a program or another workbook. A part of
 * a text that begins with a plus or minus is mostly prose, such as a list with dashes.
 */
const reachesBeyondSheet = new RegExp(`^[\\s\\p{Cc}\\p{Cf}]*[${equalsSigns}]|[(|!（｜！﹙﹗⁽₍︵]`, 'u');
/** Matches an amount as people write it: `-5.00`, `+1.234,56`, `-1 234`, `−2`, `-2e5`, `-3%`. */
export const numberText = /^ *[+\-−]?[.,]?\d[\d.,'’ \u00a0\u202f]*(?:e[+-]?\d+)?%?$/i;

export const csvLineEnd = '\r\n';

/** Joins cells to a row of RFC 4180. */
export const csvRow = (cells: readonly string[]): string => cells.join(',') + csvLineEnd;

export const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns whether a spreadsheet would run a text. A number it would not, also one that is kept as text. */
export const isFormula = (text: string): boolean => formulaStart.test(text) && !numberText.test(text);

/** Puts an apostrophe before text that a spreadsheet would run, and before parts that it would run as cells. */
export function guarded(text: string): string {
  const parts = text.replace(afterSeparator, (part) =>
    isFormula(part) && reachesBeyondSheet.test(part) ? `'${part}` : part,
  );
  return isFormula(text) ? `'${parts}` : parts;
}
