import type { TableCell, TableColumn, TableColumnKind, TableRow } from './table';
import { isFormula } from './text-cell';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const formats = ['#,##0.00##', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss'];
const firstCustomFormat = 164;
const font = '<sz val="11"/><name val="Calibri"/>';
/** Excel takes the first two fills for its own. */
const fills = ['none', 'gray125'].map((pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`);

/** The formats of cells. `quotePrefix` marks a text that stays one when somebody edits the cell. */
const cellFormats = {
  plain: '',
  header: 'fontId="1" applyFont="1"',
  text: 'quotePrefix="1"',
  count: 'numFmtId="3" applyNumberFormat="1"',
  amount: `numFmtId="${firstCustomFormat}" applyNumberFormat="1"`,
  day: `numFmtId="${firstCustomFormat + 1}" applyNumberFormat="1"`,
  moment: `numFmtId="${firstCustomFormat + 2}" applyNumberFormat="1"`,
};
type CellFormat = keyof typeof cellFormats;

const indexes = Object.fromEntries(Object.keys(cellFormats).map((name, index) => [name, index])) as Record<
  CellFormat,
  number
>;

const list = (name: string, items: readonly string[]): string =>
  `<${name} count="${items.length}">${items.join('')}</${name}>`;

export const stylesXml = [
  `${xmlHead}<styleSheet xmlns="${mainNamespace}">`,
  list(
    'numFmts',
    formats.map((code, index) => `<numFmt numFmtId="${firstCustomFormat + index}" formatCode="${code}"/>`),
  ),
  list('fonts', [`<font>${font}</font>`, `<font><b/>${font}</font>`]),
  list('fills', fills),
  list('borders', ['<border/>']),
  list('cellStyleXfs', ['<xf/>']),
  list(
    'cellXfs',
    Object.values(cellFormats).map((attributes) => `<xf ${attributes}/>`),
  ),
  list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
  '</styleSheet>',
].join('');

const widths: Record<TableColumnKind, number> = { text: 24, count: 12, amount: 16, number: 12, day: 12, moment: 20 };

/** The beginning of a sheet: the first row stays in view. */
export const sheetStart = (columns: readonly TableColumn[]): string =>
  `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns
    .map(({ kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${widths[kind]}" customWidth="1"/>`)
    .join('') +
  '</cols><sheetData>';

export const sheetEnd = '</sheetData></worksheet>';

export const headerRow = (columns: readonly TableColumn[]): string =>
  rowOf(
    1,
    columns.map(({ title }, at) => textCell(reference(at, 1), 'header', title)),
  );

/** Writes a row of a sheet; `number` counts from 1. */
export const rowXml = (columns: readonly TableColumn[], number: number, row: TableRow): string =>
  rowOf(
    number,
    row.map((value, at) => cellXml(reference(at, number), columns[at]?.kind ?? 'text', value)),
  );

const rowOf = (number: number, cells: readonly string[]): string => `<row r="${number}">${cells.join('')}</row>`;

const lettersInAlphabet = 26;
const letterA = 65;

/** Names a cell; `at` counts from 0. */
const reference = (at: number, row: number): string => columnName(at) + String(row);

/** The letters of a column: A to Z, then AA. */
function columnName(at: number): string {
  const before = at < lettersInAlphabet ? '' : columnName(Math.floor(at / lettersInAlphabet) - 1);
  return before + String.fromCharCode(letterA + (at % lettersInAlphabet));
}

function cellXml(at: string, kind: TableColumnKind, value: TableCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return numberCell(at, kind === 'amount' || kind === 'count' ? kind : 'plain', value);
  if (kind === 'day' || kind === 'moment') {
    const serial = serialOf(value);
    if (serial !== null) return numberCell(at, kind, serial);
  }
  return textCell(at, isFormula(value) ? 'text' : 'plain', value);
}

const numberCell = (at: string, format: CellFormat, value: number): string =>
  `<c r="${at}" s="${indexes[format]}"><v>${value}</v></c>`;

/** A text in its own cell is never a formula, and needs no table of shared texts. */
const textCell = (at: string, format: CellFormat, text: string): string =>
  `<c r="${at}" s="${indexes[format]}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

const msPerDay = 86_400_000;
const serialEpochMs = Date.UTC(1899, 11, 30);
/** 1 March 1900: spreadsheets do not agree about days before. */
const firstSerial = 61;

/** Gives a day or moment, in UTC, as spreadsheets count; null for a day before they agree. */
function serialOf(iso: string): number | null {
  const serial = (Date.parse(iso) - serialEpochMs) / msPerDay;
  return serial >= firstSerial ? serial : null;
}

/** A cell of a spreadsheet holds this many characters. */
const maxCellChars = 32_767;
const special = /[&<>]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Matches characters that XML cannot contain, and text that reads as the notation for one. */
const unwritable = /[^\P{Cc}\t\n]|[\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;

const escaped = (text: string): string =>
  text
    .slice(0, maxCellChars)
    .replace(unwritable, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(special, (found) => entities[found] as string);
