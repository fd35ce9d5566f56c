import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { maxExternalIdLength, type BulkLine, type JsonObject, type LineFault } from '@tieout/domain';
import { AppError, openBrace, countByte, findInexactInteger, findUnstorable, inexactInteger } from '@tieout/infra';

export const maxRecordBytes = 1 << 20;

/** A line takes memory beyond its text: a body of tiny lines would take many times its size. */
export const maxBulkLines = 200_000;

/** An upper bound for the records of a body: each has its own opening brace and one of its data. */
export const maxRecordsOf = (body: Buffer): number => Math.ceil(countByte(body, openBrace) / 2);

const tooMany = (): AppError => new AppError('body_too_large', `The body has more than ${maxBulkLines} lines`);

/** Lines that are read before other requests run. */
const batchLines = 500;
/** Bytes after which a batch ends: parsed lines take many times the size of their text. */
const batchBytes = 128 << 10;

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the records of a bulk request in batches: NDJSON, or the elements of one JSON array. */
export async function* readBulk(body: Buffer, form: 'ndjson' | 'array'): AsyncGenerator<BulkLine[], void, void> {
  const bytes = body.subarray(0, 3).equals(byteOrderMark) ? body.subarray(3) : body;
  let batch: BulkLine[] = [];
  let lines = 0;
  let begin = 0;
  const position: Position = { at: 0 };
  for (const line of form === 'ndjson' ? ndjsonLines(bytes, position) : arrayElements(bytes, position)) {
    if (++lines > maxBulkLines) throw tooMany();
    batch.push(line);
    if (batch.length < batchLines && position.at - begin < batchBytes) continue;
    yield batch;
    batch = [];
    begin = position.at;
    await setImmediate();
  }
  if (batch.length > 0) yield batch;
}

interface Position {
  /** Bytes of the body that have been read. */
  at: number;
}

/** Reads the lines of NDJSON; blank lines are counted but are not records. */
function* ndjsonLines(bytes: Buffer, position: Position): Generator<BulkLine> {
  const isAllUtf8 = isUtf8(bytes);
  let line = 0;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found;
    if (++line > maxBulkLines) throw tooMany();
    const text = bytes.subarray(start, end);
    start = end + 1;
    position.at = start;
    if (!isBlank(text)) yield readLine(line, text, isAllUtf8);
  }
}

function isBlank(text: Buffer): boolean {
  for (const byte of text) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

function readLine(line: number, text: Buffer, isKnownUtf8: boolean): BulkLine {
  if (text.length > maxRecordBytes) {
    return { line, error: { code: 'record_too_large', message: `is larger than ${maxRecordBytes} bytes` } };
  }
  if (!isKnownUtf8 && !isUtf8(text)) return { line, error: { code: 'malformed_json', message: 'is not valid UTF-8' } };
  const json = text.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { line, error: { code: 'malformed_json', message: 'is not valid JSON' } };
  }
  return toLine(line, value, json);
}

const known = new Set(['externalId', 'body']);

function toLine(line: number, value: unknown, json: string): BulkLine {
  if (!isObject(value))
    return { line, error: { code: 'type', message: 'must be an object with body and, if known, externalId' } };
  const { externalId, body } = value;
  const error = faultOf(value) ?? inexactFault(json);
  return error
    ? { line, error }
    : { line, externalId: (externalId as string | undefined) ?? null, body: body as JsonObject };
}

function inexactFault(json: string): LineFault | undefined {
  const digits = findInexactInteger(json);
  return digits === undefined ? undefined : inexactInteger(digits);
}

/** Applies the rules for a single record. */
function faultOf(value: JsonObject): LineFault | undefined {
  for (const key of Object.keys(value)) {
    if (!known.has(key))
      return { code: 'unknown_key', message: `/${key} is not a known key; known keys: externalId, body` };
  }
  const { externalId, body } = value;
  if (body === undefined) return { code: 'required', message: '/body is required' };
  if (!isObject(body)) return { code: 'type', message: '/body must be object' };
  if (externalId !== undefined) {
    if (typeof externalId !== 'string') return { code: 'type', message: '/externalId must be string' };
    if (externalId === '') return { code: 'minLength', message: '/externalId must NOT have fewer than 1 characters' };
    if (externalId.length > maxExternalIdLength && [...externalId].length > maxExternalIdLength) {
      return { code: 'maxLength', message: `/externalId must NOT have more than ${maxExternalIdLength} characters` };
    }
  }
  const fault = findUnstorable(value);
  return fault && { code: fault.code, message: `${fault.path} ${fault.message}` };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the elements of a JSON array one by one, so that memory holds one parsed record at a time.
 * @throws AppError malformed_json where the array as a whole cannot be split into elements
 */
function* arrayElements(bytes: Buffer, position: Position): Generator<BulkLine> {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== 0x5b)
    throw malformed('The body must be a JSON array, or NDJSON with Content-Type application/x-ndjson');
  at = skipBlanks(bytes, at + 1);
  if (bytes[at] === 0x5d) return requireEnd(bytes, at + 1);
  for (let line = 1; ; line++) {
    const end = elementEnd(bytes, at);
    const element = bytes.subarray(at, end);
    position.at = end;
    yield element.length > maxRecordBytes ? readLine(line, element, true) : readElement(line, element);
    if (bytes[end] === 0x5d) return requireEnd(bytes, end + 1);
    at = skipBlanks(bytes, end + 1);
  }
}

/** Finds the comma or bracket that ends the element at `from`. */
function elementEnd(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    switch (bytes[at]) {
      case 0x22:
        at = stringEnd(bytes, at);
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        if (depth === 0) return at;
        depth--;
        break;
      case 0x2c:
        if (depth === 0) return at;
        break;
      default:
    }
  }
  throw malformed('The array of the body does not end');
}

/** Finds the quote that ends the string at `from`. */
function stringEnd(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at;
  }
  return bytes.length;
}

function readElement(line: number, element: Buffer): BulkLine {
  const json = element.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw malformed(`The body is not valid JSON: see element ${line} of the array`);
  }
  return toLine(line, value, json);
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === lineFeed || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function requireEnd(bytes: Buffer, from: number): void {
  if (skipBlanks(bytes, from) < bytes.length) throw malformed('The body goes on after its array');
}

const malformed = (message: string): AppError => new AppError('malformed_json', message);
