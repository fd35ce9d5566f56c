import { readRecords } from '../csv/read-records';
import { detectedRows } from '../columns/named';
import { RowCollector } from '../rows/collector';
import { fileCut } from '../rows/cut-file';
import { newlineOf } from '../csv/delimiter';
import type { TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import {
  FileUnreadableError,
  type Detected,
  type FileSource,
  type Position,
  type GivenOptions,
  type RowBatch,
} from '../types';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import { addJsonRow, isObject, parse } from './row';

const maxFirstLines = 20;

/** Returns whether each of several lines is an object of its own. */
export function looksLikeNdjson(text: string, isWhole: boolean): boolean {
  const lines = firstLines(text, isWhole, maxFirstLines);
  const objects = lines.filter((line) => isObject(parse(line))).length;
  return objects >= 2 && objects * 2 > lines.length;
}

function firstLines(text: string, isWhole: boolean, maxLines: number): string[] {
  const lines = text.split(/\r\n|\n|\r/, maxLines + 1);
  return (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '');
}

export function detectNdjson(
  text: string,
  isWhole: boolean,
  reading: EncodingReading,
  options: GivenOptions,
): Detected {
  const lines = firstLines(text, isWhole, limits.sampleRows);
  if (isWhole && lines.length === 0)
    throw new FileUnreadableError(
      'file_empty',
      'The file has no line with anything in it. Write one object on each line.',
    );
  const file = {
    format: 'ndjson',
    mimeType: mimeTypes.ndjson,
    encoding: reading.encoding,
    encodingIsExact: reading.isExact,
    newline: newlineOf(text),
  } as const;
  return detectedRows(file, lines.map(parse).filter(isObject), options);
}

/** Reads an object from each line. To the reader of delimited texts each line is a record of one cell. */
export async function* readNdjson(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1, false);
  const newline = detected.newline ?? '\n';
  const file = {
    delimiter: newline,
    quote: '',
    newline,
    encoding: detected.encoding as TextEncoding,
    encodingIsExact: detected.encodingIsExact,
    width: 1,
  };
  let last = { line: 1, text: '' };
  yield* readRecords(source, file, from, {
    record: (line, [text = '']) => {
      if (text.trim() === '') return;
      addJsonRow(collector, detected, line, text);
      last = { line, text };
    },
    endOpen: () => {
      if (parse(last.text) instanceof SyntaxError) collector.warn(fileCut(last.line, detected.isLocal));
    },
    fault: (line, code, message, raw) => collector.reject({ line, column: null, code, message, raw }),
    isFull: () => collector.size >= limits.batchRows,
    take: (next) => collector.takeUntil(next),
  });
}
