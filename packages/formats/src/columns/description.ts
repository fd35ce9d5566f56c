import type { Detected, ReadingEvidence, ReadingRemedy, ReadingWarning, GivenOptions } from '../types';
import { FileUnreadableError } from '../types';
import { headerLines, joinedNames } from './header-lines';
import { headerNames, numberedNames } from './headers';
import { usedColumns, type GivenHeader, type TableReading } from './table';

/** A row of a table as text, with its line. */
export interface TextRow {
  line: number;
  cells: readonly string[];
}

/** The place of a table in its file, and the names of its columns. */
export interface TableDescription<R extends TextRow> {
  reading: Pick<Detected, 'headers' | 'headerLine' | 'firstLine' | 'preamble'>;
  headers: string[];
  data: readonly R[];
  warnings: ReadingWarning[];
}

/** Translates the options of the sender to rows of the sample. */
export function givenHeader(rows: readonly TextRow[], options: GivenOptions): GivenHeader {
  const { headerRow, header } = options;
  if (headerRow === undefined) return { hasHeader: header };
  const row = rows.findIndex(({ line }) => line === headerRow);
  if (row >= 0) return { row };
  throw new FileUnreadableError(
    'option_invalid',
    `headerRow: line ${headerRow} holds no row among the first ${rows.at(-1)?.line ?? 0} lines. Give the ` +
      `number of the ` +
      'line that names the columns.',
  );
}

/**
 * Names the columns of a table, and keeps what stands above it. `isExact`: the header names all columns, so that
 * longer rows are faulty.
 */
export function describeTable<R extends TextRow>(
  rows: readonly R[],
  table: TableReading,
  options: GivenOptions,
  isExact = options.headerRow !== undefined,
): TableDescription<R> {
  const all = rows.map(({ cells }) => cells);
  const { header, first } = options.headerRow === undefined ? headerLines(all, table) : table;
  const below = rows.slice(first);
  const above = rows.slice(0, header ?? first);
  const isJoined = header !== null && first > header + 1;
  const named = header === null ? [] : joinedNames(all.slice(header, first));
  const names = header === null ? null : headerNames(withoutRemarkSigns(isJoined ? named : (all[header] ?? [])));
  const unnamed = names === null || isExact ? 0 : namelessColumns(names.length, named.length, below);
  const width = options.header === false ? Math.max(...below.map(({ cells }) => usedColumns(cells))) : table.columns;
  const headers =
    names === null ? numberedNames(width) : headerNames([...names, ...numberedFrom(names.length, unnamed)]);
  const headerLine = header === null ? null : (rows[header] as R).line;
  const preamble = preambleOf(above);
  const data = headerLine === null ? below : below.filter(({ cells }) => !repeatsHeader(headers, cells));
  return {
    headers,
    data,
    reading: {
      headers,
      headerLine,
      ...((header === null && first > 0) || isJoined ? { firstLine: data[0]?.line ?? 1 } : {}),
      ...(Object.keys(preamble).length === 0 ? {} : { preamble }),
    },
    warnings: [
      ...(headerLine === null ? noHeader(options, data[0]) : []),
      ...(above.length === 0 || options.headerRow !== undefined ? [] : [skippedLines(headerLine, data[0]?.line)]),
      ...(isJoined ? [joinedHeader(headerLine, rows[first - 1]?.line)] : []),
      ...(unnamed === 0 ? [] : [columnsWithoutName(names?.length ?? 0, unnamed)]),
      ...repeatedHeader(headerLine === null ? [] : below.filter(({ cells }) => repeatsHeader(headers, cells))),
    ],
  };
}

/** Some programs write the names of the columns as a remark, `# Date;Text`, or each of them, `#Date;#Text`. */
function withoutRemarkSigns(cells: readonly string[]): string[] {
  const isEach = cells.every((cell) => cell.trim() === '' || cell.trim().startsWith('#'));
  return cells.map((cell, index) => (isEach || index === 0 ? withoutRemarkSign(cell.trimStart()) : cell));
}

const numberedFrom = (from: number, count: number): string[] => numberedNames(from + count).slice(from);

/**
 * Returns the number of columns without a name: those that rows fill below empty cells of the header, else those that
 * most rows have, if it is the same number in them.
 */
function namelessColumns(named: number, headerCells: number, data: readonly TextRow[]): number {
  const widest = Math.max(named, ...data.map(({ cells }) => usedColumns(cells)));
  if (widest <= headerCells) return widest - named;
  const counts = new Map<number, number>();
  for (const { cells } of data) counts.set(usedColumns(cells), (counts.get(usedColumns(cells)) ?? 0) + 1);
  const [width = 0, rows = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return rows > 1 && rows * 2 > data.length ? Math.max(0, width - named) : 0;
}

const maxPreamble = 100;
const maxPreambleChars = 1_000;

/** Reads the pairs above a table: `Account;DE12`, or `Account: DE12`. A line that is no pair is kept by its number. */
function preambleOf(rows: readonly TextRow[]): Record<string, string> {
  const preamble = new Map<string, string>();
  for (const { line, cells } of rows.slice(0, maxPreamble)) {
    const filled = cells.map((cell) => cell.replace(/^#+\s*/, '').trim()).filter((cell) => cell !== '');
    const [only = ''] = filled;
    const inCell = filled.length === 1 ? /^([^:]{1,80}):\s*(.+)$/s.exec(only) : null;
    const [name, value] =
      inCell !== null
        ? [inCell[1] as string, inCell[2] as string]
        : filled.length > 1
          ? [only, filled.slice(1).join(' ')]
          : [`line_${line}`, only];
    if (value === '') continue;
    const key = name.replace(/\s*:$/, '').slice(0, 200);
    preamble.set(preamble.has(key) || key === '__proto__' ? `${key}_${line}` : key, value.slice(0, maxPreambleChars));
  }
  return Object.fromEntries(preamble);
}

function noHeader({ header }: GivenOptions, first: TextRow | undefined): ReadingWarning[] {
  if (header === false || first === undefined) return [];
  const message =
    `Line ${first.line} holds values and no names of columns, so that it is read as a row, and the columns are ` +
    'column_1, column_2 …';
  const remedies: ReadingRemedy[] = [{ option: 'headerRow', value: String(first.line) }];
  return [{ code: 'no_header', column: null, message, remedies }];
}

/** Warns about rows that are read as titles. */
function skippedLines(headerLine: number | null, firstLine: number | undefined): ReadingWarning {
  const above = `The rows above line ${headerLine ?? firstLine ?? 1} are read as titles`;
  const [message, remedy]: [string, ReadingRemedy] =
    headerLine === null
      ? [`${above}, and not as part of the table`, { option: 'header', value: 'false' }]
      : [`${above}, and line ${headerLine} as the names of the columns`, { option: 'headerRow', value: null }];
  return { code: 'lines_skipped', column: null, message, remedies: [remedy] };
}

function joinedHeader(headerLine: number | null, last: number | undefined): ReadingWarning {
  const message =
    `Lines ${headerLine ?? 1} and ${last ?? 1} both name the columns, and their names are joined: line ` +
    `${last ?? 1} is no row`;
  const remedies: ReadingRemedy[] = [{ option: 'headerRow', value: String(headerLine ?? 1) }];
  return { code: 'header_joined', column: null, message, remedies };
}

function columnsWithoutName(named: number, unnamed: number): ReadingWarning {
  const message =
    `Rows have ${named + unnamed} columns, the header names ${named}. The others are called ` +
    `column_${named + 1} …: ` +
    'check that the names stand above their columns, or name all columns in the header';
  return { code: 'columns_without_name', column: null, message };
}

/** Removes the sign that makes a remark of the names of columns. */
export const withoutRemarkSign = (name: string): string =>
  name.startsWith('#') ? name.replace(/^#+\s*(?=\p{L}{2})/u, '') : name;

/** Returns whether a row repeats the names of the columns, as printed pages do. */
export function repeatsHeader(headers: readonly string[], cells: readonly string[]): boolean {
  if (headers.length < 2 || usedColumns(cells) !== headers.length) return false;
  return headers.every((header, index) => {
    const cell = (cells[index] ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
    const name = header.toLowerCase();
    const base = cell === '' ? `column_${index + 1}` : withoutRemarkSign(cell);
    return name === base || name === cell || (name.startsWith(`${base}_`) && /^\d+$/.test(name.slice(base.length + 1)));
  });
}

function repeatedHeader(rows: readonly TextRow[]): ReadingWarning[] {
  if (rows.length === 0) return [];
  const message = `Line ${rows
    .slice(0, 3)
    .map(({ line }) => line)
    .join(', ')} repeats the names of the columns. Such lines are left out`;
  return [{ code: 'repeated_header', column: null, message, remedies: [{ option: 'header', value: 'false' }] }];
}

/** Below this confidence a warning says what to check. */
export const minConfidence = 0.5;

/** Returns whether the names of the columns may be values of a row: nothing of the file shows what they are. */
export const areNamesDoubtful = ({ headerLine, evidence }: Pick<Detected, 'headerLine' | 'evidence'>): boolean =>
  headerLine !== null && evidence !== undefined && evidence.confidence < minConfidence;

/** A reading among others. */
export interface Candidate {
  delimiter: string | null;
  table: TableReading;
  score: number;
  /** The delimiter is no usual one, or stands within numbers. */
  isDoubtful?: boolean;
}

/** Says how sure the best of several readings is: how far it leads the second, and how clear its header is. */
export function evidenceOf(
  candidates: readonly Candidate[],
  rows: readonly TextRow[],
  options: GivenOptions,
): ReadingEvidence {
  const [best, ...others] = candidates as [Candidate, ...Candidate[]];
  const lead = (score: number): number => Math.max(0, (best.score - score) / Math.max(best.score, 0.01));
  const ofLead = (share: number): number => (share < 0.1 ? share * 5 : Math.min(1, 0.5 + share));
  const delimiter = others[0] === undefined ? 1 : ofLead(lead(others[0].score));
  const isHeaderGiven = options.header !== undefined || options.headerRow !== undefined;
  const isDoubtful = best.isDoubtful === true && !(isHeaderGiven && best.delimiter === null);
  const header = isHeaderGiven ? 1 : Math.min(1, 0.5 + best.table.headerMargin);
  const confidence = Math.min(delimiter, header, best.score > 0 ? 1 : 0.1, isDoubtful ? 0.4 : 1);
  const { rivalHeader } = best.table;
  const rival = isHeaderGiven || rivalHeader === undefined ? [] : [{ ...best, table: { header: rivalHeader } }];
  return {
    confidence: rounded(confidence),
    alternatives: [...rival, ...others.filter(({ score }) => score > 0)].slice(0, 3).map((other) => ({
      delimiter: other.delimiter,
      headerLine: other.table.header === null ? null : (rows[other.table.header]?.line ?? null),
      confidence: rounded((1 - confidence) * Math.min(1, other.score / Math.max(best.score, 0.01))),
    })),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Warns about a reading that leads others by little. A format without delimiters has none. */
export function uncertainReading(
  { confidence, alternatives }: ReadingEvidence,
  { delimiter, headerLine }: { delimiter?: string | null; headerLine: number | null },
): ReadingWarning[] {
  if (confidence >= minConfidence) return [];
  const shown = (other: string | null | undefined, line: number | null): string[] => [
    ...(other === undefined ? [] : [shownDelimiter(other)]),
    ...(line === null ? [] : [`line ${line} as the names of the columns`]),
  ];
  const ownWays = shown(delimiter, headerLine);
  const others = alternatives.flatMap((other) =>
    shown(other.delimiter === delimiter ? undefined : other.delimiter, other.headerLine).slice(0, 1),
  );
  const message =
    `The content does not show clearly how the file is read (confidence ${confidence})` +
    `${ownWays.length === 0 ? '' : `: it is read with ${ownWays.join(' and ')}`}` +
    `${others.length === 0 ? '' : `, and could be read with ${others.join(' or ')}`}. Check the columns` +
    `${headerLine === null ? '' : `, and whether line ${headerLine} is a row`}`;
  const remedies: ReadingRemedy[] = [
    ...(delimiter === undefined ? [] : [{ option: 'delimiter' as const, value: null }]),
    { option: 'headerRow', value: null },
    ...(headerLine === null ? [] : [{ option: 'header' as const, value: 'false' }]),
  ];
  return [{ code: 'reading_uncertain', column: null, message, remedies }];
}

const shownDelimiter = (delimiter: string | null): string =>
  delimiter === null
    ? 'one cell in each line'
    : delimiter === '\t'
      ? 'a tab as delimiter'
      : `"${delimiter}" as delimiter`;
