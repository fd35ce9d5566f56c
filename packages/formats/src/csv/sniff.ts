import { holdsValues } from '../columns/headers';
import { findTable, isBlank } from '../columns/table';
import { CsvParser } from './parser';
import type { Dialect } from './dialect';

const delimiters = [';', ',', '\t', '|'] as const;
const maxSampleRecords = 200;

export interface SampleRecord {
  line: number;
  cells: string[];
}

/**
 * Tells whether a blank line precedes a record: more lines lie between it and the previous record than that one has.
 */
export function isApart(records: readonly SampleRecord[], index: number): boolean {
  const [before, at] = [records[index - 1], records[index]];
  if (before === undefined || at === undefined) return false;
  const breaks = before.cells.join('').match(/\r\n|\n|\r/g)?.length ?? 0;
  return at.line - before.line > 1 + breaks;
}

/** Returns the non-blank records of a sample. The last one is left out where the sample may cut it. */
export function sampleRecords(
  text: string,
  dialect: Dialect,
  { line, isWhole, max }: { line: number; isWhole: boolean; max: number },
): SampleRecord[] {
  const records: SampleRecord[] = [];
  const parser = new CsvParser(dialect, null, line, {
    record: (at, cells) => {
      if (records.length < max && !isBlank(cells)) records.push({ line: at, cells });
    },
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

/** The penalty for a reading with titles above the table or without column names, which is less likely. */
const titlesCost = 0.1;
const noNamesCost = 0.5;

/**
 * Chooses the delimiter: the one that splits the most rows into the same number of columns. Among equals the one with
 * more columns wins. Returns null where none does, so the file has one column.
 */
export function findDelimiter(
  text: string,
  quote: string,
  newline: Dialect['newline'],
  isWhole: boolean,
): string | null {
  let best: { delimiter: string; likelihood: number; columns: number } | null = null;
  for (const delimiter of delimiters) {
    const records = sampleRecords(text, { delimiter, quote, newline }, { line: 1, isWhole, max: maxSampleRecords });
    const rows = records.map(({ cells }) => cells);
    const { header, columns, share } = findTable(rows, (row) => isApart(records, row));
    if (columns < 2) continue;
    const likelihood = share - (header > 0 ? titlesCost : 0) - (holdsValues(rows[header] ?? []) ? noNamesCost : 0);
    if (best === null || likelihood > best.likelihood || (likelihood === best.likelihood && columns > best.columns))
      best = { delimiter, likelihood, columns };
  }
  return best === null ? null : best.delimiter;
}

/** Chooses the quote: `"`, or an apostrophe where no `"` occurs and cells in apostrophes do. */
export function findQuote(text: string): string {
  if (text.includes('"')) return '"';
  const apostrophes = text.match(/(?<=^|[;,\t|\n\r])'[^'\r\n]*'(?=$|[;,\t|\r\n])/g)?.length ?? 0;
  return apostrophes > 1 ? "'" : '"';
}
