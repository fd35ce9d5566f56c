import { open } from '../source';
import { canBeEntered, encodedLength, TextReader, type TextEncoding } from '../text/decoder';
import type { FileSource, Position, RowBatch } from '../types';
import type { Dialect } from './dialect';
import { CsvParser, type CsvSink } from './parser';
import { declaredDelimiter } from './delimiter';

export interface RecordFile extends Dialect {
  encoding: TextEncoding;
  encodingIsExact: boolean;
  /** The number of columns that a record should have. */
  width: number;
}

export interface RecordSink extends CsvSink {
  /** Called with all text before its records. */
  watch?(text: string): void;
  /** Called before the last batch, where the text ends without a line break. */
  endOpen?(lastLine: number): void;
  /** Returns the batches since the last call, and the position at which reading may resume. */
  take(next: Position): RowBatch[];
}

/** The maximum number of characters before the first record. */
const leadInChars = 10;

/** Reads the records of a text file from a position on, in batches at whose ends reading may resume. */
export async function* readRecords(
  source: FileSource,
  file: RecordFile,
  from: Position | null,
  sink: RecordSink,
): AsyncGenerator<RowBatch> {
  const entry = from === null || from.offset === null ? null : { line: from.line, offset: from.offset };
  const decoder = new TextReader(file.encoding);
  let readBytes = entry?.offset ?? 0;
  let parser = entry === null ? null : new CsvParser(file, file.width, entry.line, sink);
  let start = '';
  for await (const { bytes, isLast } of open(source, readBytes)) {
    readBytes += bytes.length;
    let text = decoder.push(bytes, isLast);
    if (parser === null) {
      start += text;
      if (start.length < leadInChars && !isLast) continue;
      const before = leadIn(start, file);
      parser = new CsvParser(file, file.width, before.lines + 1, sink);
      text = start.slice(before.length);
    }
    sink.watch?.(text);
    let isFull = true;
    while (isFull) {
      isFull = parser.push(text, isLast);
      text = '';
      if (isLast && !isFull && parser.endsOpen) sink.endOpen?.(parser.nextLine - 1);
      const isEntry = isEntryPoint(file, parser);
      const offset = isEntry ? readBytes - decoder.pendingBytes - encodedLength(parser.pending, file.encoding) : null;
      yield* sink.take({ line: parser.nextLine, offset });
    }
  }
}

/** Broken UTF-8 has another length in bytes than the text it is decoded to. */
function isEntryPoint({ encoding, encodingIsExact }: RecordFile, parser: CsvParser): boolean {
  return !parser.isInTooLongLine && canBeEntered(encoding) && (encoding !== 'utf-8' || encodingIsExact);
}

/** Measures what precedes the first record: a byte order mark, and in a table the line that names the delimiter. */
function leadIn(text: string, { delimiter, newline }: Dialect): { length: number; lines: number } {
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  const declared = delimiter === newline ? null : declaredDelimiter(text.slice(mark));
  return { length: mark + (declared?.length ?? 0), lines: declared === null ? 0 : 1 };
}
