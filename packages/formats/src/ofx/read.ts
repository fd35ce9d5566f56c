import { detectedRows } from '../columns/named';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import { batchesOf, RowCollector } from '../rows/collector';
import { open } from '../source';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import type { Detected, FileSource, Position, ReadOptions, RowBatch } from '../types';
import { OfxStatements, type OfxRow } from './statement';
import { OfxTags } from './tags';

export function detectOfx(text: string, reading: EncodingReading, options: ReadOptions): Detected {
  const rows: Record<string, unknown>[] = [];
  const tags = new OfxTags(
    new OfxStatements((row: OfxRow) => {
      if ('data' in row && rows.length < limits.sampleRows) rows.push(row.data);
    }),
  );
  tags.push(text, false);
  return detectedRows(
    { format: 'ofx', mimeType: mimeTypes.ofx, encoding: reading.encoding, encodingIsExact: reading.isExact },
    rows,
    options,
  );
}

/** Reads the transactions of OFX statements. The line of a row is the number of its transaction. */
export async function* readOfx(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1);
  let line = 0;
  const statements = new OfxStatements((row, chars, raw) => {
    line++;
    if ('data' in row) collector.row(line, row.data, chars, () => raw);
    else collector.reject({ line, ...row.fault, raw });
  });
  const tags = new OfxTags(statements);
  const decoder = new TextReader(detected.encoding as TextEncoding);
  for await (const { bytes, isLast } of open(source, 0)) {
    yield* batchesOf(collector, isLast, () => {
      tags.push(decoder.push(bytes, isLast), isLast);
      if (isLast) statements.finish();
    });
  }
}
