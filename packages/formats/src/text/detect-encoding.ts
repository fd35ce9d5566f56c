import { isAscii, isUtf8 } from 'node:buffer';
import type { FileSource } from '../types';
import { count, unfinishedUtf8 } from './characters';
import { isCodePage, type TextEncoding } from './decoder';

export interface EncodingReading {
  encoding: TextEncoding;
  /** Whether every byte of the file is of that encoding. */
  isExact: boolean;
  /** Length of the byte order mark. */
  markBytes: number;
}

const marks: readonly { encoding: TextEncoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The encoding that the first bytes give away: by a mark, or by the zeros that Latin text has in UTF-16. */
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

/** In a file that is UTF-8 in the main, at most one in so many non-ASCII characters is broken. */
const utf8PerBroken = 10;
const euroOf885915 = 0xa4;

/**
 * Finds the encoding by reading the whole file, because the first umlaut may be in its last line. What is no UTF-8 is
 * windows-1252, which holds ISO-8859-1; with the byte of the euro sign of ISO-8859-15 and none of the bytes that
 * only windows-1252 has, it is that. `given` is what the sender says; what the file `declares` counts where it is no UTF-8,
 * because files that are often say something else.
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
  if (declared !== undefined && isCodePage(declared)) return { encoding: declared, isExact: false, markBytes: 0 };
  const isLatin9 = found.seen[euroOf885915] === 1 && !found.seen.subarray(0x80, 0xa0).includes(1);
  return { encoding: isLatin9 ? 'iso-8859-15' : 'windows-1252', isExact: false, markBytes: 0 };
}

interface ByteCounts {
  /** Bytes that characters beyond ASCII take more than one, read as UTF-8. */
  characters: number;
  /** Places where the bytes are no UTF-8. */
  broken: number;
  /** 1 for each byte value of the pieces that are no UTF-8. */
  seen: Uint8Array;
}

async function countBytes(source: FileSource): Promise<ByteCounts> {
  const counts: ByteCounts = { characters: 0, broken: 0, seen: new Uint8Array(256) };
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of (await source.open()) as AsyncIterable<Buffer>) {
    if (rest.length === 0 && isAscii(piece)) continue;
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.length - unfinishedUtf8(bytes);
    countPiece(bytes.subarray(0, end), counts);
    rest = bytes.subarray(end);
  }
  countPiece(rest, counts);
  return counts;
}

function countPiece(bytes: Buffer, counts: ByteCounts): void {
  const text = bytes.toString('utf8');
  counts.characters += Math.max(0, bytes.length - text.length);
  if (isUtf8(bytes)) return;
  counts.broken += count(text, '\ufffd');
  for (const byte of bytes) counts.seen[byte] = 1;
}
