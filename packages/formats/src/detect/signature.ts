import { encodingNamed, type TextEncoding } from '../text/decoder';
import { recognisedType } from '../recognised';
import { FileUnreadableError } from '../types';

interface Signature {
  /** Matches the first bytes, decoded as Latin-1. */
  begins: RegExp;
  mimeType: string;
  /** The message to the sender: what the file is, and the remedy. */
  message: string;
}

const exportAgain = 'Export the rows as CSV or XLSX and use that file.';
const packedSignatures = 'The file is packed. Unpack it and use what is in it.';
const pictureSignatures = `The file is a picture. ${exportAgain}`;

const foreign: readonly Signature[] = [
  {
    begins: /^[\s\S]{0,1024}%PDF-\d/,
    mimeType: 'application/pdf',
    message: `The file is a PDF document, whatever its name says. ${exportAgain}`,
  },
  { begins: /^\x1f\x8b/, mimeType: 'application/gzip', message: packedSignatures },
  { begins: /^BZh\d1AY/, mimeType: 'application/x-bzip2', message: packedSignatures },
  { begins: /^\xfd7zXZ/, mimeType: 'application/x-xz', message: packedSignatures },
  { begins: /^7z\xbc\xaf/, mimeType: 'application/x-7z-compressed', message: packedSignatures },
  { begins: /^Rar!\x1a/, mimeType: 'application/vnd.rar', message: packedSignatures },
  { begins: /^\x28\xb5\x2f\xfd/, mimeType: 'application/zstd', message: packedSignatures },
  { begins: /^\x89PNG/, mimeType: 'image/png', message: pictureSignatures },
  { begins: /^\xff\xd8\xff/, mimeType: 'image/jpeg', message: pictureSignatures },
  { begins: /^GIF8[79]a/, mimeType: 'image/gif', message: pictureSignatures },
  { begins: /^(?:II\*\0|MM\0\*)/, mimeType: 'image/tiff', message: pictureSignatures },
  { begins: /^RIFF[\s\S]{4}WEBP/, mimeType: 'image/webp', message: pictureSignatures },
  { begins: /^BM[\s\S]{4}\0\0\0\0/, mimeType: 'image/bmp', message: pictureSignatures },
  { begins: /^\0\0\0[\s\S]ftyp(?:heic|heix|hevc|mif1|msf1|avif)/, mimeType: 'image/heic', message: pictureSignatures },
  { begins: /^\{\\rtf/, mimeType: 'application/rtf', message: `The file is a text document (RTF). ${exportAgain}` },
  {
    begins: /^SQLite format 3\0/,
    mimeType: 'application/vnd.sqlite3',
    message: `The file is a database. ${exportAgain}`,
  },
  {
    begins: /^PAR1[\0-\x1f]/,
    mimeType: 'application/vnd.apache.parquet',
    message: `The file is Parquet. ${exportAgain}`,
  },
];

const oleSignature = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const headBytes = 2_048;

/** Returns whether the file is a ZIP archive. Throws where its first bytes show another format without rows. */
export function isZip(sample: Buffer): boolean {
  const head = sample.subarray(0, headBytes).toString('latin1');
  if (head.startsWith(oleSignature)) throw oleError(sample);
  const known = foreign.find(({ begins }) => begins.test(head));
  if (known !== undefined)
    throw new FileUnreadableError('format_unsupported', known.message, { recognised: recognisedType(known.mimeType) });
  return /^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(head);
}

/** Explains the old container of Microsoft Office: a protected workbook, or a file of Excel 97-2003. */
function oleError(sample: Buffer): FileUnreadableError {
  const recognised = recognisedType('application/x-ole-storage');
  if (sample.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return new FileUnreadableError(
      'password_protected',
      'The workbook is protected by a password. Remove the password in Excel (File, Info, Protect Workbook) ' +
        'and use it again.',
      { recognised },
    );
  }
  return new FileUnreadableError(
    'format_unsupported',
    'The file is an old Office document (.xls or .doc). Open it and save it as XLSX or CSV.',
    { recognised },
  );
}

/** Returns the encoding that the first lines of XML or OFX name, if it is supported. */
export function declaredEncoding(sample: Buffer): TextEncoding | undefined {
  const head = sample.subarray(0, headBytes).toString('latin1');
  const xml = /^\s*(?:\xef\xbb\xbf)?(?:\s|<!--[\s\S]*?-->)*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/i.exec(head);
  if (xml !== null) return encodingNamed(xml[1] as string);
  const charset = /^(?:\s|\xef\xbb\xbf|<!--[\s\S]*?-->)*OFXHEADER\s*:[\s\S]*?CHARSET\s*:\s*([\w.-]+)/i.exec(head)?.[1];
  return charset === undefined ? undefined : (encodingNamed(charset) ?? encodingNamed(`cp${charset}`));
}
