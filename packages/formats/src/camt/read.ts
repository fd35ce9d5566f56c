import { detectedRows } from '../columns/named';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import { batchesOf, RowCollector } from '../rows/collector';
import { open } from '../source';
import { withoutMark } from '../text/characters';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import type { Detected, FileSource, Position, ReadOptions, RowBatch } from '../types';
import { XmlReader } from '../xml/xml-reader';
import { CamtStatements } from './statements';

const documentName = 'The camt.053 file';

/** Decides how a camt file is read. `text` is the beginning of the file. */
export function detectCamt(text: string, reading: EncodingReading, options: ReadOptions): Detected {
  const rows: Record<string, unknown>[] = [];
  const statements = new CamtStatements((row) => {
    if ('data' in row && rows.length < limits.sampleRows) rows.push(row.data);
  });
  new XmlReader(statements, documentName).push(text, false);
  return detectedRows(
    {
      format: 'camt.053',
      mimeType: mimeTypes['camt.053'],
      encoding: reading.encoding,
      encodingIsExact: reading.isExact,
    },
    rows,
    options,
  );
}

/** Reads the transactions of camt.053 statements. The line of a row is the number of its transaction. */
export async function* readCamt(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1);
  let line = 0;
  const statements = new CamtStatements((row, chars, raw) => {
    line++;
    if ('data' in row) collector.row(line, row.data, chars, () => raw);
    else collector.reject({ line, ...row.fault, raw });
  });
  const xml = new XmlReader(statements, documentName);
  const decoder = new TextReader(detected.encoding as TextEncoding);
  let isStart = true;
  for await (const { bytes, isLast } of open(source, 0)) {
    const text = decoder.push(bytes, isLast);
    yield* batchesOf(collector, isLast, () => xml.push(isStart ? withoutMark(text) : text, isLast));
    isStart &&= text === '';
  }
}
