import iconv from 'iconv-lite';
import { unfinishedUtf8 } from './characters';

/** The code pages in which one byte is one character. */
const codePages = [
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'ibm850',
  'macintosh',
] as const;

export const supportedEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...codePages] as const;
export type TextEncoding = (typeof supportedEncodings)[number];

export function isCodePage(encoding: TextEncoding): boolean {
  return !encoding.startsWith('utf-');
}

/**
 * Returns the encoding that a name means, as people and formats write it (`UTF8`, `latin1`, `ISO_8859-15`, `cp1252`).
 */
export function encodingNamed(name: string): TextEncoding | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const alias = aliases[plain];
  return alias ?? supportedEncodings.find((encoding) => encoding.replaceAll('-', '') === plain);
}

const aliases: Readonly<Record<string, TextEncoding>> = {
  ascii: 'utf-8',
  usascii: 'utf-8',
  latin1: 'iso-8859-1',
  latin9: 'iso-8859-15',
  ansi: 'windows-1252',
  utf16: 'utf-16le',
  unicode: 'utf-16le',
  cp850: 'ibm850',
  macroman: 'macintosh',
  ...Object.fromEntries(
    codePages.filter((name) => name.startsWith('windows')).map((name) => [name.replace('windows-', 'cp'), name]),
  ),
};

/** Decodes bytes that arrive in pieces. A character cut between two pieces comes with the second. */
export class TextReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly encoding: TextEncoding) {}

  /** The number of bytes that wait for their continuation. */
  get pendingBytes(): number {
    return this.rest.length;
  }

  push(piece: Buffer, isLast: boolean): string {
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
