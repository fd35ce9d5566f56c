import { describeTable, givenHeader } from '../columns/description';
import { columnFormats } from '../columns/analyse';
import { headerNames } from '../columns/headers';
import { detectedRows } from '../columns/named';
import { findTable } from '../columns/table';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import { batchesOf, RowCollector } from '../rows/collector';
import { fileCut } from '../rows/cut-file';
import { open } from '../source';
import { withoutMark } from '../text/characters';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import {
  FileUnreadableError,
  type Detected,
  type FileSource,
  type Position,
  type ReadingWarning,
  type GivenOptions,
  type RowBatch,
} from '../types';
import { JsonItems } from './items';
import { rowPlace, type RecordShape, type RowPlace } from './place';
import { addJsonList, addJsonRow, isObject, parse } from './row';

/** Detects where the rows are, and the names of their values in the first items. */
export function detectJson(text: string, isWhole: boolean, reading: EncodingReading, options: GivenOptions): Detected {
  const found = rowPlace(text, isWhole);
  const place: RowPlace =
    options.path === undefined ? found : { path: options.path.split('.'), columns: found.columns, nested: [] };
  const items = firstItems(text, isWhole, place);
  if (isWhole && items.length === 0)
    throw new FileUnreadableError(
      'file_empty',
      'The file has no items. Use a list of objects: [{"name": value, …}, …].',
    );
  const values = items.map(parse);
  if (isWhole && values.every((value) => isObject(value) && Object.keys(value).length === 0))
    throw new FileUnreadableError(
      'file_empty',
      'No object of the file has a value. Use a list of objects: [{"name": value, …}, …].',
    );
  const base = {
    format: 'json',
    mimeType: mimeTypes.json,
    encoding: reading.encoding,
    encodingIsExact: reading.isExact,
    ...(place.path.length === 0 ? {} : { path: place.path }),
    ...accountBeside(isWhole ? parse(text) : null, place),
  } as const;
  const lists = values.filter((value) => Array.isArray(value));
  if (lists.length * 2 > values.length) return { ...detectedLists(values, place, options), ...base };
  const detected = detectedRows(base, values.filter(isObject), options);
  return { ...detected, warnings: [...nestedRows(place), ...(detected.warnings ?? [])] };
}

/** Keeps the account that stands beside the transactions of an answer of a bank. */
function accountBeside(value: unknown, { path }: RowPlace): Pick<Detected, 'preamble'> {
  const account = isObject(value) && path.length > 0 ? value.account : null;
  if (!isObject(account)) return {};
  const pairs = Object.entries(account).filter(([, part]) => typeof part === 'string' || typeof part === 'number');
  return pairs.length === 0
    ? {}
    : { preamble: Object.fromEntries(pairs.map(([name, part]) => [`account.${name}`, String(part).slice(0, 1_000)])) };
}

function firstItems(text: string, isWhole: boolean, { path }: RowPlace): string[] {
  const items: string[] = [];
  const splitter = new JsonItems(
    { item: (item) => items.length < limits.sampleRows && items.push(item), tooLong: () => undefined },
    path,
  );
  splitter.push(text);
  if (isWhole) splitter.finish();
  if (splitter.hasList || !isWhole) return items;
  throw new FileUnreadableError(
    'option_invalid',
    `path: the file holds no list at ${path.join('.')}. Give the names that lead to the list of rows, with points ` +
      'between them.',
  );
}

/** Describes rows that are lists of values: the first one may name the columns. */
function detectedLists(
  values: readonly unknown[],
  { columns }: RowPlace,
  options: GivenOptions,
): Omit<Detected, 'format' | 'mimeType' | 'encoding' | 'encodingIsExact'> {
  const lists = values.flatMap((value, index) =>
    Array.isArray(value) ? [{ line: index + 1, values: value as unknown[] }] : [],
  );
  const rows = lists.map(({ line, values: cells }) => ({ line, cells: cells.map(shownValue) }));
  const given = columns === null ? givenHeader(rows, options) : { hasHeader: false };
  const table = describeTable(
    rows,
    findTable(
      rows.map(({ cells }) => cells),
      given,
    ),
    columns === null ? options : { ...options, header: false },
  );
  const headers = columns === null ? table.headers : headerNames(columns);
  const from = table.reading.headerLine ?? 0;
  const formats = columnFormats(
    headers,
    lists.filter(({ line }) => line > from).map((list) => list.values),
    options,
  );
  return {
    delimiter: null,
    quote: null,
    newline: null,
    ...table.reading,
    ...formats,
    headers,
    listRows: true,
    warnings: [...table.warnings, ...formats.warnings],
    sheetNames: null,
    sheet: null,
  };
}

const shownValue = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Warns about lists of records inside of an object that is read as one row. */
function nestedRows({ nested, shape }: RowPlace): ReadingWarning[] {
  if (nested.length === 0 && shape === undefined) return [];
  const lists = nested.slice(0, 3);
  const message =
    nested.length === 0 && shape !== undefined
      ? shapes[shape]
      : `The object of the file is read as one row, which holds the list ` +
        `${lists.join(' and the list ')}, and not each element of a list as a row`;
  const remedies = lists.map((value) => ({ option: 'path' as const, value }));
  return [{ code: 'nested_rows', column: null, message, ...(lists.length === 0 ? {} : { remedies }) }];
}

const remedy = 'Use a list of objects instead: [{"name": value, …}, …]';
const shapes: Record<RecordShape, string> = {
  columns: `The object of the file holds a list of values for each column, and is read as one row. ${remedy}`,
  named: `The object of the file holds records of the same form by name, and is read as one row. ${remedy}`,
  inside:
    'The only element of the list holds a list of records itself, and is read as one row. If those are the rows, ' +
    'use that list, or the element without the brackets around it',
};

/** Reads the items of a JSON text. The line of a row is the number of its item. */
export async function* readJson(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const { firstLine = 1, headerLine } = detected;
  const collector = new RowCollector(Math.max(from?.line ?? 1, firstLine, (headerLine ?? 0) + 1));
  const add = detected.listRows === true ? addJsonList : addJsonRow;
  let line = 0;
  const sink = {
    item: (text: string): void => add(collector, detected, ++line, text),
    tooLong: (beginning: string): void =>
      collector.reject({
        line: ++line,
        column: null,
        code: 'row_too_long',
        message: `The item has more than ${limits.rowChars} characters. Split it, or leave out what is too long.`,
        raw: beginning,
      }),
  };
  const items = new JsonItems(sink, detected.path);
  const decoder = new TextReader(detected.encoding as TextEncoding);
  let isStart = true;
  for await (const { bytes, isLast } of open(source, 0)) {
    const text = decoder.push(bytes, isLast);
    yield* batchesOf(collector, isLast, () => {
      items.push(isStart ? withoutMark(text) : text);
      if (isLast && !items.finish()) {
        collector.warn(fileCut(line, detected.isLocal));
        collector.reject({
          line: ++line,
          column: null,
          code: 'incomplete',
          message: 'The file ends before its JSON does. It may have been cut: export it again.',
          raw: '',
        });
      }
    });
    isStart &&= text === '';
  }
}
