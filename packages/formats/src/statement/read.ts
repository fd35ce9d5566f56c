import { mimeTypes } from '../recognised';
import { batchesOf, RowCollector } from '../rows/collector';
import { open } from '../source';
import { withoutMark } from '../text/characters';
import { TextReader, type TextEncoding } from '../text/decoder';
import type { EncodingReading } from '../text/detect-encoding';
import type { Detected, FileSource, Position, RowBatch, StatementFormat } from '../types';
import { Findings } from './findings';
import type { KnownOfFile, ParserOf, StatementParser, StatementSink } from './parser';

/**
 * Describes a file of statements. It is read to its end, since the last line may tell what the first one means. Rows
 * are not kept.
 */
export async function detectStatements(
  source: FileSource,
  format: StatementFormat,
  { encoding, isExact }: EncodingReading,
  { parserOf, known, isLocal }: { parserOf: ParserOf; known: KnownOfFile; isLocal: boolean | undefined },
): Promise<Detected> {
  const findings = new Findings(isLocal);
  const parser = parserOf(findings, known);
  await pushAll(source, encoding, {
    push: (text, isLast) => {
      if (!isExact && text.includes(brokenCharacter)) findings.warn('invalid_characters', '');
      parser.push(text, isLast);
    },
  });
  return {
    format,
    mimeType: mimeTypes[format],
    encoding,
    encodingIsExact: isExact,
    delimiter: null,
    quote: null,
    newline: null,
    decimalSeparator: null,
    decimalSeparators: {},
    dateFormats: {},
    headerLine: null,
    sheetNames: null,
    sheet: null,
    ...known,
    ...findings.reading,
  };
}

const brokenCharacter = '\ufffd';

/** Reads a text to its end. */
export async function pushAll(source: FileSource, encoding: TextEncoding, parser: StatementParser): Promise<void> {
  for await (const { text, isLast } of texts(source, encoding)) parser.push(text, isLast);
}

async function* texts(
  source: FileSource,
  encoding: TextEncoding,
): AsyncGenerator<{ text: string; isLast: boolean }, void, void> {
  const decoder = new TextReader(encoding);
  let isStart = true;
  for await (const { bytes, isLast } of open(source, 0)) {
    const text = decoder.push(bytes, isLast);
    yield { text: isStart ? withoutMark(text) : text, isLast };
    isStart &&= text === '';
  }
}

/** Reads the transactions of statements. The line of a row is the number of its transaction. */
export async function* readStatements(
  source: FileSource,
  detected: Detected,
  from: Position | null,
  parserOf: ParserOf,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(from?.line ?? 1);
  const parser = parserOf(rowsInto(collector), detected);
  for await (const { text, isLast } of texts(source, detected.encoding as TextEncoding))
    yield* batchesOf(collector, isLast, () => parser.push(text, isLast));
}

function rowsInto(collector: RowCollector): StatementSink {
  let line = 0;
  return {
    row: (row, rawOf) => {
      line++;
      const raw = rawOf();
      if ('fault' in row) collector.reject({ line, ...row.fault, raw });
      else {
        const { data, identity } = row;
        collector.row({ line, data, ...(identity === undefined ? {} : { identity }) }, raw.length, () => raw);
      }
    },
    // Detection has collected the rest.
    statement: () => undefined,
    warn: () => undefined,
    largeEntry: () => undefined,
    security: () => undefined,
  };
}
