import { detectedRows } from '../columns/named';
import { limits } from '../limits';
import { RowCollector } from '../rows/collector';
import { open } from '../source';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import type { Detected, FileSource, Position, ReadOptions, RowBatch } from '../types';
import { XmlReader } from '../xml/xml-reader';
import { CamtStatements } from './statements';

const WHAT = 'The camt.053 file';

/** `text` is the beginning of the file. */
export function detectCamt(text: string, reading: EncodingReading, options: ReadOptions): Detected {
  const rows: Record<string, unknown>[] = [];
  const statements = new CamtStatements((row) => {
    if ('data' in row && rows.length < limits.sampleRows) rows.push(row.data);
  });
  new XmlReader(statements, WHAT).push(text, false);
  return detectedRows({ format: 'camt.053', mimeType: 'application/xml', encoding: reading.encoding, encodingIsExact: reading.isExact }, rows, options);
}

/** Reads the transactions of camt.053 statements; the line of a row is the number of its transaction. */
export async function* readCamt(source: FileSource, detected: Detected, from: Position | null): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1);
  let line = 0;
  const statements = new CamtStatements((row, chars, raw) => {
    line += 1;
    if ('data' in row) collector.row(line, row.data, chars, () => raw);
    else collector.reject(line, row.fault.column, row.fault.code, row.fault.message, raw);
  });
  const xml = new XmlReader(statements, WHAT);
  const decoder = new TextReader(detected.encoding as TextEncoding);
  let isStart = true;
  for await (const { bytes, isLast } of open(source, 0)) {
    const text = decoder.push(bytes, isLast);
    yield* pushed(xml, isStart && text.startsWith('\ufeff') ? text.slice(1) : text, isLast, collector);
    isStart &&= text === '';
  }
}

/** The batches that a piece completes; where it breaks off, first what was read before. */
function* pushed(xml: XmlReader, text: string, isLast: boolean, collector: RowCollector): Generator<RowBatch> {
  try {
    xml.push(text, isLast);
  } catch (error) {
    yield* collector.take(true);
    throw error;
  }
  yield* collector.take(isLast);
}
