import { columnFormats } from '../columns/analyse';
import { describeTable, evidenceOf, givenHeader, repeatsHeader, uncertainReading } from '../columns/description';
import { totalsAmong, totalsWarning, withoutFooter } from '../columns/footer';
import { findTable, isBlankCell } from '../columns/table';
import { limits } from '../limits';
import { RowCollector } from '../rows/collector';
import { mimeTypes, recognisedFormat, withRecognised } from '../recognised';
import {
  FileUnreadableError,
  type Detected,
  type FileSource,
  type Position,
  type ReadingWarning,
  type GivenOptions,
  type RowBatch,
} from '../types';
import { sheetToRead } from './choose-sheet';
import { readPart } from './part';
import { readSharedTexts } from './shared-texts';
import { SheetHandler, type CellValue, type SheetSink } from './sheet';
import { readNumberKinds } from './styles';
import { chooseSheet, readWorkbook, type Sheet, type Workbook } from './workbook';
import { openZip, type ZipParts } from './zip';

interface SheetRow {
  line: number;
  cells: CellValue[];
}

/** Detects the sheet, its columns and their formats. */
export async function detectXlsx(source: FileSource, options: GivenOptions): Promise<Detected> {
  const zip = await openZip(source);
  try {
    const workbook = await readWorkbook(zip);
    const sheetNames = workbook.sheets.map(({ name }) => name);
    return await withRecognised(recognisedFormat('xlsx', sheetNames), () =>
      detectSheet(zip, workbook, sheetNames, options),
    );
  } finally {
    zip.close();
  }
}

async function detectSheet(
  zip: ZipParts,
  workbook: Workbook,
  sheetNames: string[],
  options: GivenOptions,
): Promise<Detected> {
  const { sheet, warnings } = await sheetToRead(zip, workbook, options);
  const start = await firstRows(zip, workbook, sheet);
  const sample = start.rows.filter(({ line }) => line > (options.skipLines ?? 0));
  if (sample.length === 0)
    throw new FileUnreadableError('file_empty', `The sheet "${sheet.name}" is empty. Name one with rows in "sheet".`);
  const rows = sample.map(({ line, cells }) => ({ line, cells: cells.map(shown) }));
  const found = findTable(
    rows.map(({ cells }) => cells),
    givenHeader(rows, options),
  );
  const table = describeTable(rows, found, options);
  const lines = new Set(table.data.map(({ line }) => line));
  const readable = sample.filter(({ line, cells }) => lines.has(line) && isReadable(cells, table.headers.length));
  const data = readable.map(({ cells }) => cells);
  const endsHere = sample.length < limits.sampleRows;
  const formats = columnFormats(table.headers, endsHere ? withoutFooter(data) : data, options);
  const evidence = evidenceOf([{ delimiter: null, table: found, score: found.score }], rows, options);
  return {
    format: 'xlsx',
    mimeType: mimeTypes.xlsx,
    encoding: null,
    encodingIsExact: true,
    delimiter: null,
    quote: null,
    newline: null,
    ...table.reading,
    ...formats,
    ...(options.skipLines === undefined ? {} : { skipLines: options.skipLines }),
    ...(options.footer === undefined ? {} : { footer: options.footer }),
    evidence,
    warnings: [
      ...uncertainReading(evidence, { headerLine: table.reading.headerLine }),
      ...warnings,
      ...table.warnings,
      ...formats.warnings,
      ...table.headers.flatMap((name, column) => {
        const text = start.longNumbers.get(column);
        return text === undefined ? [] : [longNumber(name, text)];
      }),
      ...totalsWarning(totalsAmong(readable)),
    ],
    sheetNames,
    sheet: sheet.name,
  };
}

/** The first rows of a sheet, and the first long number of each of their columns. */
interface SheetStart {
  rows: SheetRow[];
  longNumbers: Map<number, string>;
}

async function firstRows(zip: ZipParts, workbook: Workbook, sheet: Sheet): Promise<SheetStart> {
  const rows: SheetRow[] = [];
  const longNumbers = new Map<number, string>();
  const sink: SheetSink = {
    row: (line, cells) => {
      if (rows.length < limits.sampleRows) rows.push({ line, cells });
    },
    longNumber: (column, text) => {
      if (!longNumbers.has(column)) longNumbers.set(column, text);
    },
  };
  for await (const _ of readSheet(zip, workbook, sheet, sink)) if (rows.length === limits.sampleRows) break;
  return { rows, longNumbers };
}

function longNumber(column: string, text: string): ReadingWarning {
  const message =
    `"${text.slice(0, 40)}" has more than 15 digits, which spreadsheet programs round: different numbers may have ` +
    'become one. The column stays text as the file has it: give it the format of text before the numbers are entered';
  return { code: 'number_not_exact', column, message };
}

/** Reads the non-empty rows of a sheet, one piece of the sheet per step. */
async function* readSheet(zip: ZipParts, workbook: Workbook, sheet: Sheet, sink: SheetSink): AsyncGenerator<void> {
  const texts = await readSharedTexts(zip, workbook.sharedTextsPart);
  const kinds = await readNumberKinds(zip, workbook.stylesPart);
  const handler = new SheetHandler(
    { texts, kinds, from1904: workbook.from1904 },
    {
      ...sink,
      row: (line, cells) => {
        if (!cells.every((cell) => cell === null || (typeof cell === 'string' && isBlankCell(cell))))
          sink.row(line, cells);
      },
    },
  );
  yield* readPart(zip, sheet.part, handler);
}

export async function* readXlsx(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const zip = await openZip(source);
  const { headerLine, firstLine = 1, skipLines = 0, headers } = detected;
  const collector = new RowCollector(Math.max(from?.line ?? 1, firstLine, skipLines + 1, (headerLine ?? 0) + 1));
  try {
    const workbook = await readWorkbook(zip);
    const sheet = chooseSheet(workbook.sheets, detected.sheet ?? undefined);
    const add = (line: number, cells: CellValue[]): void => {
      if (headerLine === null || typeof cells[0] === 'number' || !repeatsHeader(headers ?? [], cells.map(shown)))
        addRow(collector, headers ?? [], line, cells);
    };
    for await (const _ of readSheet(zip, workbook, sheet, { row: add })) yield* collector.take(false);
    yield* collector.take(true);
  } catch (error) {
    if (error instanceof FileUnreadableError) yield* collector.take(true);
    throw error;
  } finally {
    zip.close();
  }
}

function addRow(collector: RowCollector, headers: readonly string[], line: number, cells: readonly CellValue[]): void {
  const raw = (): string => cells.map(shown).join('\t');
  const data: Record<string, unknown> = {};
  let chars = 0;
  for (const [index, cell] of cells.entries()) {
    const column = headers[index];
    if (isFault(cell)) {
      collector.reject({
        line,
        column: column ?? null,
        code: cell.fault.code,
        message: `"${column ?? `column ${index + 1}`}" ${cell.fault.message}`,
        raw: raw(),
      });
      return;
    }
    if (column === undefined && cell !== null && cell !== '') {
      collector.reject({
        line,
        column: null,
        code: 'too_many_columns',
        message:
          `The row has a value in column ${index + 1}, the header has ${headers.length} columns. Name that ` +
          'column, or clear the cell.',
        raw: raw(),
      });
      return;
    }
    if (typeof cell === 'string') chars += cell.length;
  }
  collector.fill(headers.length - cells.length);
  for (const [index, header] of headers.entries()) {
    data[header] = cells[index] ?? null;
    chars += header.length;
  }
  collector.row({ line, data }, chars, raw);
}

/** Returns whether a row is not rejected: rejected ones prove nothing about the columns. */
function isReadable(cells: readonly CellValue[], columns: number): boolean {
  return !cells.some((cell, index) => isFault(cell) || (index >= columns && cell !== null && cell !== ''));
}

function isFault(cell: CellValue): cell is Exclude<CellValue, string | number | boolean | null> {
  return typeof cell === 'object' && cell !== null;
}

/** Formats a cell as text. */
function shown(cell: CellValue): string {
  if (cell === null) return '';
  return isFault(cell) ? cell.fault.text : String(cell);
}
