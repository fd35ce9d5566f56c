/** Returns whether a cell of a text may be written as spreadsheet programs do. */
export const mayBeMarked = (text: string): boolean =>
  text.includes('="') || text.includes("'") || text.includes('_x00');

const formulaText = /^="((?:[^"]|"")*)"$/;
const textMark = /^'(?=[-+=@\t]|[\d.,/: -]+$|[\dA-Z]+(?:-[\dA-Z]+)+$)/;
const controlCode = /_x00([01][\dA-Fa-f])_/g;

/** Removes what keeps a text from being taken for a number: `="00123"` and `'00123` are `00123`. */
export function unmarked(cell: string): string {
  const trimmed = cell.trim();
  const formula = trimmed.startsWith('=') ? formulaText.exec(trimmed) : null;
  return formula === null ? cell.replace(textMark, '') : (formula[1] as string).replaceAll('""', '"');
}

/**
 * Returns the text that a cell shows in a spreadsheet program: without marks, and with the control characters that
 * `_x000D_` and the like stand for.
 */
export function plainCell(cell: string): string {
  const text = unmarked(cell);
  return text.includes('_x00')
    ? text.replace(controlCode, (code, digits: string) =>
        digits === '00' ? code : String.fromCharCode(parseInt(digits, 16)),
      )
    : text;
}
