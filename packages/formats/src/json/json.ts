import { open } from '../source';
import { batchesOf, RowCollector } from '../rows/collector';
import { withoutMark } from '../text/characters';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import {
  FileUnreadableError,
  type Detected,
  type FileSource,
  type Position,
  type ReadOptions,
  type RowBatch,
} from '../types';
import { detectedRows } from '../columns/named';
import { JsonItems } from './items';
import { addJsonRow, isObject, parse } from './row';

/** Detects the names of the values in the first items. */
export function detectJson(text: string, isWhole: boolean, reading: EncodingReading, options: ReadOptions): Detected {
  const items: string[] = [];
  const splitter = new JsonItems({
    item: (item) => items.length < limits.sampleRows && items.push(item),
    tooLong: () => undefined,
  });
  splitter.push(text);
  if (isWhole) splitter.finish();
  if (isWhole && items.length === 0)
    throw new FileUnreadableError(
      'file_empty',
      'The file has no items. Upload a list of objects: [{"name": value, …}, …].',
    );
  return detectedRows(
    { format: 'json', mimeType: mimeTypes.json, encoding: reading.encoding, encodingIsExact: reading.isExact },
    items.map(parse).filter(isObject),
    options,
  );
}

/** Reads the items of a JSON text. The line of a row is the number of its item. */
export async function* readJson(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1);
  let line = 0;
  const items = new JsonItems({
    item: (text) => addJsonRow(collector, detected, ++line, text),
    tooLong: (beginning) =>
      collector.reject({
        line: ++line,
        column: null,
        code: 'row_too_long',
        message: `The item has more than ${limits.rowChars} characters. Split it, or leave out what is too long.`,
        raw: beginning,
      }),
  });
  const decoder = new TextReader(detected.encoding as TextEncoding);
  let isStart = true;
  for await (const { bytes, isLast } of open(source, 0)) {
    const text = decoder.push(bytes, isLast);
    yield* batchesOf(collector, isLast, () => {
      items.push(isStart ? withoutMark(text) : text);
      if (isLast && !items.finish())
        collector.reject({
          line: ++line,
          column: null,
          code: 'incomplete',
          message: 'The file ends before its JSON does. It may have been cut: export it again.',
          raw: '',
        });
    });
    isStart &&= text === '';
  }
}
