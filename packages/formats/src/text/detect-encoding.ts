import { isAscii, isUtf8 } from 'node:buffer';
import type { FileSource, ReadingWarning } from '../types';
import { count, unfinishedUtf8 } from './characters';
import type { TextEncoding } from './decoder';
import { guessEncoding } from './guess-encoding';

export interface EncodingReading {
  encoding: TextEncoding;
  /** True when every byte of the file is valid in that encoding. */
  isExact: boolean;
  /** Length of the byte order mark. */
  markBytes: number;
  /** Another encoding that is nearly as likely, where the encoding is guessed. */
  rival?: TextEncoding;
}

const marks: readonly { encoding: TextEncoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Detects the encoding from the first bytes: by a byte order mark, or by the zeros of Latin text in UTF-16. */
function leadingEncoding(sample: Buffer): { encoding: TextEncoding; markBytes: number } | null {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => sample[i] === byte));
  if (mark) return { encoding: mark.encoding, markBytes: mark.bytes.length };
  const pairs = Math.min(sample.length, 4096) >> 1;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let i = 0; i < pairs; i++) {
    if (sample[2 * i] === 0) evenZeros++;
    if (sample[2 * i + 1] === 0) oddZeros++;
  }
  if (oddZeros > pairs * 0.4 && evenZeros < pairs * 0.05) return { encoding: 'utf-16le', markBytes: 0 };
  if (evenZeros > pairs * 0.4 && oddZeros < pairs * 0.05) return { encoding: 'utf-16be', markBytes: 0 };
  return null;
}

/** In a file that is mostly UTF-8, at most one in this many non-ASCII characters is broken. */
const utf8PerBroken = 10;

/**
 * Detects the encoding by reading the whole file, because the first umlaut may be in its last line. That of a file that
 * is not UTF-8 is guessed from its letters. `given` is the sender's option. The encoding that the file `declares`
 * counts only where it is not UTF-8, because UTF-8 files often declare another one.
 */
export async function detectEncoding(
  source: FileSource,
  sample: Buffer,
  given: TextEncoding | undefined,
  declared: TextEncoding | undefined,
): Promise<EncodingReading> {
  const leading = leadingEncoding(sample);
  const encoding = given ?? leading?.encoding;
  const markBytes = leading !== null && encoding === leading.encoding ? leading.markBytes : 0;
  if (encoding !== undefined && encoding !== 'utf-8') return { encoding, isExact: false, markBytes };
  const found = await countBytes(source);
  if (encoding === 'utf-8' || found.broken * utf8PerBroken <= found.characters) {
    return { encoding: 'utf-8', isExact: found.broken === 0, markBytes };
  }
  if (declared !== undefined && !declared.startsWith('utf-'))
    return { encoding: declared, isExact: false, markBytes: 0 };
  const { encoding: guessed, rival } = guessEncoding(found.cells);
  return { encoding: guessed, isExact: false, markBytes: 0, ...(rival === null ? {} : { rival }) };
}

interface ByteCounts {
  /** Characters beyond ASCII, read as UTF-8. */
  characters: number;
  /** Places where the bytes are not UTF-8. */
  broken: number;
  /** The first cells with bytes beyond ASCII. */
  cells: Buffer;
}

async function countBytes(source: FileSource): Promise<ByteCounts> {
  const counts = { characters: 0, broken: 0 };
  const cells = new CellCollector();
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of (await source.open()) as AsyncIterable<Buffer>) {
    cells.push(piece);
    if (rest.length === 0 && isAscii(piece)) continue;
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.length - unfinishedUtf8(bytes);
    countPiece(bytes.subarray(0, end), counts);
    rest = bytes.subarray(end);
  }
  countPiece(rest, counts);
  return { ...counts, cells: cells.end() };
}

function countPiece(bytes: Buffer, counts: Omit<ByteCounts, 'cells'>): void {
  const text = bytes.toString('utf8');
  counts.characters += Math.max(0, bytes.length - text.length);
  if (!isUtf8(bytes)) counts.broken += count(text, '\ufffd');
}

const maxCellBytes = 8_192;
/** The bytes that end a cell here are no part of any character: tab, line feed, quote, comma, semicolon. */
const isEnd = Uint8Array.from({ length: 256 }, (_, byte) => ([9, 10, 34, 44, 59].includes(byte) ? 1 : 0));

/** Collects the first cells with bytes beyond ASCII, whatever the pieces in which they arrive. */
class CellCollector {
  private readonly cells: Buffer[] = [];
  private size = 0;
  private open: Buffer = Buffer.alloc(0);

  push(piece: Buffer): void {
    if (this.size >= maxCellBytes) return;
    let isBeyond = !isAscii(this.open);
    let start = 0;
    if (!isBeyond && isAscii(piece)) start = lastEnd(piece);
    if (start > 0) this.open = Buffer.alloc(0);
    for (let at = start; at < piece.length && this.size < maxCellBytes; at++) {
      const byte = piece[at] as number;
      if (byte >= 0x80) isBeyond = true;
      if (isEnd[byte] === 0) continue;
      if (isBeyond) this.add(Buffer.concat([this.open, piece.subarray(start, at)]));
      if (this.open.length > 0) this.open = Buffer.alloc(0);
      isBeyond = false;
      start = at + 1;
    }
    const rest = piece.subarray(start);
    if (this.open.length + rest.length <= maxCellBytes) this.open = Buffer.concat([this.open, rest]);
  }

  end(): Buffer {
    this.add(this.open);
    return Buffer.concat(this.cells);
  }

  private add(cell: Buffer): void {
    if (isAscii(cell) || this.size >= maxCellBytes) return;
    this.cells.push(cell, Buffer.from('\n'));
    this.size += cell.length;
  }
}

/** Returns the place behind the last end of a cell. */
function lastEnd(piece: Buffer): number {
  let at = piece.length;
  while (at > 0 && isEnd[piece[at - 1] as number] === 0) at--;
  return at;
}

/** Warns about an encoding that is little likelier than another. */
export function guessedEncoding({ encoding, rival }: EncodingReading): ReadingWarning[] {
  if (rival === undefined) return [];
  const message =
    `The file names no encoding. Its letters look like ${encoding}, and could be ${rival}: check words with ` +
    'accents or other special letters';
  return [{ code: 'encoding_guessed', column: null, message, remedies: [{ option: 'encoding', value: rival }] }];
}
