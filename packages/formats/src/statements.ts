import { CamtStatements } from './camt/statements';
import { Mt940Statements } from './mt940/statements';
import { detectOfx } from './ofx/amounts';
import { OfxStatements } from './ofx/statement';
import { detectQif } from './qif/notation';
import { QifAccounts } from './qif/accounts';
import type { KnownOfFile, ParserOf } from './statement/parser';
import { detectStatements, readStatements } from './statement/read';
import type { EncodingReading } from './text/detect-encoding';
import type { Detected, FileSource, Position, ReadOptions, RowBatch, StatementFormat } from './types';

const camt: ParserOf = (sink, known) => new CamtStatements(sink, known);
const swift: ParserOf = (sink) => new Mt940Statements(sink);

const parsers: Record<StatementFormat, ParserOf> = {
  ofx: (sink, known) => new OfxStatements(sink, known),
  qif: (sink, known) => new QifAccounts(sink, known),
  mt940: swift,
  mt942: swift,
  'camt.052': camt,
  'camt.053': camt,
  'camt.054': camt,
};

/** Decides how a file of statements is read. */
export async function detectStatementFile(
  source: FileSource,
  format: StatementFormat,
  reading: EncodingReading,
  options: ReadOptions,
): Promise<Detected> {
  const detect = format === 'qif' ? detectQif : format === 'ofx' ? detectOfx : null;
  const known: KnownOfFile = detect === null ? {} : await detect(source, reading.encoding, options);
  return detectStatements(source, format, reading, { parserOf: parsers[format], known });
}

export function readStatementFile(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncIterable<RowBatch> {
  return readStatements(source, detected, from, parsers[detected.format as StatementFormat]);
}
