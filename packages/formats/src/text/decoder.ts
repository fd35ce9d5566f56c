import iconv from 'iconv-lite';
import { unfinishedUtf8 } from './characters';

/** The encodings that messages list. Every other one that iconv-lite knows can be named as well. */
export const supportedEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-9',
  'iso-8859-15',
  'ibm437',
  'ibm850',
  'ibm852',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

/** A name of iconv-lite; of `supportedEncodings` where it has several. */
export type TextEncoding = string;

const codePages = new Map<string, boolean>();

/** Returns whether one byte is one character in an encoding. */
export function isCodePage(encoding: TextEncoding): boolean {
  let isSingle = codePages.get(encoding);
  if (isSingle === undefined) {
    isSingle = !encoding.startsWith('utf') && allPairs.every((pair) => iconv.decode(pair, encoding).length === 2);
    codePages.set(encoding, isSingle);
  }
  return isSingle;
}

/** Each byte, before a letter and before a byte beyond ASCII. */
const allPairs = Array.from({ length: 512 }, (_, index) => Buffer.from([index >> 1, index % 2 === 0 ? 0x41 : 0xa1]));

/** Returns whether reading can begin in the middle of a file: the bytes of a text can be counted. */
export const canBeEntered = (encoding: TextEncoding): boolean =>
  encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'utf-16be' || isCodePage(encoding);

/**
 * Returns the encoding that a name means, as people and formats write it (`UTF8`, `latin1`, `ISO_8859-15`, `cp1252`).
 */
export function encodingNamed(name: string): TextEncoding | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (plain === '' || noTexts.has(plain)) return undefined;
  const known = aliases[plain] ?? supportedEncodings.find((encoding) => encoding.replace(/[-_]/g, '') === plain);
  return known ?? (iconv.encodingExists(name) ? name.toLowerCase().trim() : undefined);
}

/** Names of iconv-lite that are no encodings of texts. */
const noTexts: ReadonlySet<string> = new Set(['base64', 'hex']);

const aliases: Readonly<Record<string, TextEncoding>> = {
  ascii: 'utf-8',
  usascii: 'utf-8',
  latin1: 'iso-8859-1',
  latin9: 'iso-8859-15',
  ansi: 'windows-1252',
  utf16: 'utf-16le',
  unicode: 'utf-16le',
  macroman: 'macintosh',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
  windows31j: 'shift_jis',
  cp936: 'gbk',
  gb2312: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  ...Object.fromEntries(
    supportedEncodings.flatMap((name) => {
      const number = /^(?:windows-|ibm)(\d+)$/.exec(name)?.[1];
      return number === undefined
        ? []
        : [
            [`cp${number}`, name],
            [`win${number}`, name],
            [`windows${number}`, name],
          ];
    }),
  ),
};

/** Decodes bytes that arrive in pieces. A character cut between two pieces comes with the second. */
export class TextReader {
  private rest: Buffer = Buffer.alloc(0);

  /** The decoder of an encoding whose characters have several bytes, which keeps what is unfinished. */
  private readonly stream: iconv.DecoderStream | null;

  constructor(private readonly encoding: TextEncoding) {
    this.stream = canBeEntered(encoding) ? null : iconv.getDecoder(encoding, { stripBOM: false });
  }

  /** The number of bytes that wait for their continuation, where reading can begin in the middle. */
  get pendingBytes(): number {
    return this.rest.length;
  }

  push(piece: Buffer, isLast: boolean): string {
    if (this.stream !== null) return this.stream.write(piece) + (isLast ? (this.stream.end() ?? '') : '');
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const keep = isLast ? 0 : this.unfinished(bytes);
    this.rest = keep === 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(bytes.length - keep));
    return this.decode(bytes.subarray(0, bytes.length - keep));
  }

  private unfinished(bytes: Buffer): number {
    if (this.encoding === 'utf-8') return unfinishedUtf8(bytes);
    return this.encoding.startsWith('utf-16') ? bytes.length % 2 : 0;
  }

  private decode(bytes: Buffer): string {
    if (this.encoding === 'utf-8') return bytes.toString('utf8');
    if (this.encoding === 'utf-16le') return bytes.toString('utf16le');
    return iconv.decode(bytes, this.encoding, { stripBOM: false });
  }
}

/** Returns the number of bytes of a text in an encoding. */
export function encodedLength(text: string, encoding: TextEncoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding.startsWith('utf-16') ? 2 * text.length : text.length;
}
