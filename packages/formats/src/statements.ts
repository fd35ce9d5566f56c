import { camtAmounts } from './camt/amounts';
import { CamtStatements } from './camt/statements';
import { swiftAmounts } from './mt940/line';
import { Mt940Statements } from './mt940/statements';
import { ofxAmounts } from './ofx/amounts';
import { OfxStatements } from './ofx/statement';
import { detectQif } from './qif/notation';
import { QifAccounts } from './qif/accounts';
import { detectAmounts } from './statement/amount-evidence';
import type { KnownOfFile, ParserOf } from './statement/parser';
import { detectStatements, readStatements } from './statement/read';
import type { EncodingReading } from './text/detect-encoding';
import type { Detected, FileSource, Position, GivenOptions, RowBatch, StatementFormat } from './types';

const camt: ParserOf = (sink, known) => new CamtStatements(sink, known);
const swift: ParserOf = (sink, known) => new Mt940Statements(sink, known);

const parsers: Record<StatementFormat, ParserOf> = {
  ofx: (sink, known) => new OfxStatements(sink, known),
  qif: (sink, known) => new QifAccounts(sink, known),
  mt940: swift,
  mt942: swift,
  'camt.052': camt,
  'camt.053': camt,
  'camt.054': camt,
};

/** Matches the amounts of a format. */
const amounts: Record<Exclude<StatementFormat, 'qif'>, RegExp> = {
  ofx: ofxAmounts,
  mt940: swiftAmounts,
  mt942: swiftAmounts,
  'camt.052': camtAmounts,
  'camt.053': camtAmounts,
  'camt.054': camtAmounts,
};

/** Decides how a file of statements is read. */
export async function detectStatementFile(
  source: FileSource,
  format: StatementFormat,
  reading: EncodingReading,
  options: GivenOptions,
): Promise<Detected> {
  const known: KnownOfFile =
    format === 'qif'
      ? await detectQif(source, reading.encoding, options)
      : await detectAmounts(amounts[format], source, reading.encoding, options);
  return detectStatements(source, format, reading, { parserOf: parsers[format], known, isLocal: options.isLocal });
}

export function readStatementFile(
  source: FileSource,
  detected: Detected,
  from: Position | null,
): AsyncIterable<RowBatch> {
  return readStatements(source, detected, from, parsers[detected.format as StatementFormat]);
}
