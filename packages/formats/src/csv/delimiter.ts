import type { Candidate } from '../columns/description';
import { isValueKind, kindOf } from '../columns/kinds';
import { findTable, isBlank, maxSearchRows, type GivenHeader } from '../columns/table';
import { CsvParser } from './parser';
import type { Dialect, SampleRecord } from './dialect';
import { splitRemarks } from './remarks';

const usualDelimiters = [';', '\t', '|', ','] as const;
/** Tried only where most lines have one. */
const rareDelimiters = ['^', '~', '¦', '；', '，'] as const;
/** Tried only where commas cut numbers: texts hold these too. */
const unlistedDelimiters = [':', '!', '*', '=', '§', '\\', '/', '>', '#', '&'] as const;
/** Exports of databases separate cells with a control character, which no cell holds. */
const controlDelimiter = /[\u0001-\u0008\u000e-\u0019\u001b-\u001f]/;

export const isControlDelimiter = (mark: string): boolean => controlDelimiter.test(mark);

/** Returns the non-blank records of a sample. The last one is left out where the sample may cut it. */
export function sampleRecords(
  text: string,
  dialect: Dialect,
  { line, isWhole, max }: { line: number; isWhole: boolean; max: number },
): SampleRecord[] {
  const records: SampleRecord[] = [];
  const parser = new CsvParser(dialect, null, line, {
    record: (at, cells) => {
      if (!isBlank(cells)) records.push({ line: at, cells });
    },
    isFull: () => records.length >= max,
    fault: () => undefined,
  });
  parser.push(text, isWhole);
  return records;
}

/** Detects the line break: LF also where CR precedes it; CR alone only where no LF occurs. */
export function newlineOf(text: string): Dialect['newline'] {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/** Reads the delimiter of Excel's first line `sep=;`. */
export function declaredDelimiter(text: string): { delimiter: string; length: number } | null {
  const match = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i.exec(text);
  return match === null ? null : { delimiter: match[1] as string, length: match[0].length };
}

export interface SampleText {
  text: string;
  quote: string;
  newline: Dialect['newline'];
  isWhole: boolean;
  /** Number of the first line. */
  line: number;
  /** Undefined where the content decides. */
  comment: string | undefined;
  /** The line that names the columns, where the sender says so. */
  headerRow: number | undefined;
  skipLines: number;
}

/** A list of single cells is less than a table of the same consistency. */
const oneColumnShare = 0.6;
/** Commas followed by a blank are those of sentences. */
const blankCost = 0.08;
const headChars = 65_536;

type HeaderOf = (records: readonly SampleRecord[]) => GivenHeader;

/** Judges each delimiter, or the given one, by the table that it gives; the best comes first. */
export function tableCandidates(sample: SampleText, given: string | undefined, headerOf: HeaderOf): Candidate[] {
  if (given !== undefined) return [candidate(sample, given, headerOf)];
  const head = sample.text.slice(0, headChars);
  const lines = head.split(sample.newline).length - 1;
  const control = controlDelimiter.exec(head) ?? [];
  const rare = [...rareDelimiters, ...control].filter((mark) => lines > 0 && head.split(mark).length > lines);
  const isDecimalComma = areDecimalCommas(head);
  const candidates = [...usualDelimiters, ...rare]
    .filter((delimiter) => sample.text.includes(delimiter) && !(delimiter === ',' && isDecimalComma))
    .map((delimiter) => candidate(sample, delimiter, headerOf))
    .filter(({ table }) => table.columns > 1);
  const unlisted =
    isDecimalComma || candidates.some(({ isDoubtful }) => isDoubtful === true)
      ? unlistedDelimiters.filter((mark) => dividesLines(head, sample, mark))
      : [];
  const others = unlisted.map((delimiter) => ({ ...candidate(sample, delimiter, headerOf), isDoubtful: true }));
  return [...candidates, ...others, candidate(sample, null, headerOf)].sort((a, b) => b.score - a.score);
}

/** Returns whether each line has a character equally often, and not within dates, times or numbers. */
function dividesLines(head: string, { newline, isWhole }: SampleText, mark: string): boolean {
  const all = head.split(newline).filter((line) => line.trim() !== '');
  const lines = isWhole ? all : all.slice(0, -1);
  const counts = new Set(lines.map((line) => count(line, mark)));
  const inNumbers = lines.filter((line) => new RegExp(`\\d\\${mark}\\d`).test(line)).length;
  return (
    lines.length > 1 &&
    counts.size === 1 &&
    !counts.has(0) &&
    inNumbers * 2 < lines.length &&
    !head.includes(mark + mark)
  );
}

const amountBeforeText = /^\s*[-+]?\d{1,9},\d{2}\s+\p{L}{2}/u;
const decimalComma = /(?<=\d),\d{2}(?!\d|\.\d)/g;

/** Returns whether all commas stand within amounts, behind other text: another delimiter, or none, is between cells. */
function areDecimalCommas(text: string): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => line.includes(','));
  const isAmount = (line: string): boolean =>
    count(line, ',') === (line.match(decimalComma)?.length ?? 0) &&
    (kindOf(line.slice(0, line.indexOf(','))) === 'text' || amountBeforeText.test(line));
  return lines.length > 0 && lines.every(isAmount);
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** A character that no text holds: each line is one cell. */
export const noDelimiter = '\uffff';

function candidate(sample: SampleText, delimiter: string | null, headerOf: HeaderOf): Candidate {
  const { text, line, isWhole, ...dialect } = sample;
  const parsed = sampleRecords(
    text,
    { ...dialect, comment: sample.comment ?? '', delimiter: delimiter ?? noDelimiter },
    { line, isWhole, max: maxSearchRows + 1 },
  );
  const records = sample.comment === undefined ? splitRemarks(parsed, sample.headerRow).records : parsed;
  const rows = records.map(({ cells }) => cells);
  const table = findTable(rows, headerOf(records));
  if (delimiter === null) return { delimiter, table, score: table.score * oneColumnShare };
  const data = rows.slice(table.first);
  const names = table.header === null ? [] : (rows[table.header] ?? []);
  const mayCut = delimiter === ',' && !areNamed(names, data[0]?.length ?? 0);
  const isDecimals = mayCut && table.columns === 2 && data.length > 0 && data.every(isDecimal);
  const isDoubtful = mayCut && cutsNumbers(data);
  const score = (isDecimals || isDoubtful ? table.score / 2 : table.score) - shareOfBlanks(rows) * blankCost;
  return { delimiter, table, score, isDoubtful };
}

/** Returns whether a header gives each column a name: then its delimiter stands between cells of the rows too. */
const areNamed = (names: readonly string[], columns: number): boolean =>
  names.length === columns && names.every((cell) => cell !== '' && !cell.startsWith(' '));

/** Returns whether commas stand within numbers of most rows, and not beside points. */
function cutsNumbers(data: readonly (readonly string[])[]): boolean {
  const cut = data.filter(cutsNumber).length;
  return cut * 2 > data.length && !data.some((cells) => cells.some((cell) => /^\s*[-+]?\d+\.\d{1,2}\s*$/.test(cell)));
}

/** Returns whether a comma stands within a number, as one of the cells around it is no value: `a:1,5`. */
const cutsNumber = (cells: readonly string[]): boolean =>
  cells.some((cell, index) => {
    const before = cells[index - 1] ?? '';
    if (!/\d$/.test(before) || !/^\d{1,2}(?!\d)/.test(cell)) return false;
    return !isValueKind(kindOf(before)) || !isValueKind(kindOf(cell));
  });

/** Returns whether two cells may be one number: `1,50`. */
const isDecimal = ([whole = '', cents = '', ...rest]: readonly string[]): boolean =>
  rest.length === 0 && /^-?\d+$/.test(whole) && /^\d{2}$/.test(cents);

/** Returns the share of cells behind a delimiter that begin with a blank. */
export function shareOfBlanks(rows: readonly (readonly string[])[]): number {
  const cells = rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== '');
  return cells.length === 0 ? 0 : cells.filter((cell) => /^ \S/.test(cell)).length / cells.length;
}

/** Chooses the quote: `"`, or an apostrophe where no `"` occurs and cells in apostrophes do. */
export function findQuote(text: string): string {
  if (text.includes('"')) return '"';
  const apostrophes = text.match(/(?<=^|[;,\t|\n\r])'[^'\r\n]*'(?=$|[;,\t|\r\n])/g)?.length ?? 0;
  return apostrophes > 1 ? "'" : '"';
}
