import { isBlank, usedColumns } from './columns';
import { CsvParser } from './parser';
import type { Dialect } from './dialect';

const delimiters = [';', ',', '\t', '|'] as const;
const SAMPLE_RECORDS = 200;

/** Records of a sample, without blank ones; the last one is left out where the sample may cut it. */
export function sampleRecords(text: string, dialect: Dialect, isWhole: boolean, max: number): string[][] {
  const records: string[][] = [];
  const parser = new CsvParser(dialect, null, 1, {
    record: (_line, cells) => {
      if (records.length < max && !isBlank(cells)) records.push(cells);
    },
    fault: () => undefined,
  });
  parser.push(text, isWhole);
  return records;
}

/** LF also where CR goes before it; CR alone only where no LF occurs. */
export function newlineOf(text: string): Dialect['newline'] {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/** The delimiter of Excel's first line `sep=;`. */
export function declaredDelimiter(text: string): { delimiter: string; length: number } | null {
  const match = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i.exec(text);
  return match === null ? null : { delimiter: match[1] as string, length: match[0].length };
}

/**
 * The delimiter that cuts the header and the most rows into the same number of columns; with several such, the one
 * that makes more columns. Null: no delimiter does, the file has one column.
 */
export function findDelimiter(text: string, quote: string, newline: Dialect['newline'], isWhole: boolean): string | null {
  let best: { delimiter: string; share: number; columns: number } | null = null;
  for (const delimiter of delimiters) {
    const records = sampleRecords(text, { delimiter, quote, newline }, isWhole, SAMPLE_RECORDS);
    const columns = usedColumns(records[0] ?? []);
    if (columns < 2) continue;
    const alike = records.filter((cells) => usedColumns(cells) <= columns && cells.length >= columns).length;
    const share = Math.round((alike / records.length) * 20);
    if (best === null || share > best.share || (share === best.share && columns > best.columns)) best = { delimiter, share, columns };
  }
  return best === null ? null : best.delimiter;
}

/** `"` unless it does not occur and cells in apostrophes do. */
export function findQuote(text: string): string {
  if (text.includes('"')) return '"';
  const apostrophes = text.match(/(?<=^|[;,\t|\n\r])'[^'\r\n]*'(?=$|[;,\t|\r\n])/g)?.length ?? 0;
  return apostrophes > 1 ? "'" : '"';
}
