/** Returns whether a cell of a text may be written as spreadsheet programs do. */
export const mayBeMarked = (text: string): boolean =>
  text.includes('="') || text.includes("'") || text.includes('_x00');

const formulaText = /^="((?:[^"]|"")*)"$/;
const textMark = /^'(?=[-+=@\t]|[\d.,/: -]+$|[\dA-Z]+(?:-[\dA-Z]+)+$)/;
const controlCode = /_x00([01][\dA-Fa-f])_/g;

/**
 * Returns the text that a cell shows in a spreadsheet program: `="00123"` and `'00123` keep a text from being taken
 * for a number, and `_x000D_` stands for a control character.
 */
export function plainCell(cell: string): string {
  const trimmed = cell.trim();
  const formula = trimmed.startsWith('=') ? formulaText.exec(trimmed) : null;
  const text = formula === null ? cell.replace(textMark, '') : (formula[1] as string).replaceAll('""', '"');
  return text.includes('_x00')
    ? text.replace(controlCode, (code, digits: string) =>
        digits === '00' ? code : String.fromCharCode(parseInt(digits, 16)),
      )
    : text;
}
