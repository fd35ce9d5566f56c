import { isAscii, isUtf8 } from 'node:buffer';
import type { FileSource } from '../types';
import { count, unfinishedUtf8 } from './characters';
import { isCodePage, type TextEncoding } from './decoder';

export interface EncodingReading {
  encoding: TextEncoding;
  /** True when every byte of the file is valid in that encoding. */
  isExact: boolean;
  /** Length of the byte order mark. */
  markBytes: number;
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
const euroOf885915 = 0xa4;

/**
 * Detects the encoding by reading the whole file, because the first umlaut may be in its last line. A file that is not
 * UTF-8 is windows-1252, which contains ISO-8859-1. With the euro sign of ISO-8859-15 and no byte that only
 * windows-1252 defines, it is ISO-8859-15. `given` is the sender's option. The encoding that the file `declares` counts
 * only where it is not UTF-8, because UTF-8 files often declare another one.
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
  /** Characters beyond ASCII, read as UTF-8. */
  characters: number;
  /** Places where the bytes are not UTF-8. */
  broken: number;
  /** 1 for each byte value of the pieces that are not UTF-8. */
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
