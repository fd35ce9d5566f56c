import { FileUnreadableError, type FileFormat } from '../types';

export type Content = 'text' | 'zip' | 'xml' | 'json' | 'ofx-sgml';

interface Signature {
  /** What the first bytes are, read as Latin-1. */
  begins: RegExp;
  /** What to tell the sender: what it is, and what to do. */
  message: string;
}

const EXPORT_AGAIN = 'Export the rows as CSV or XLSX and upload that file.';

const unsupported: readonly Signature[] = [
  { begins: /^[\s\S]{0,1024}%PDF-/, message: `The file is a PDF document, whatever its name says. ${EXPORT_AGAIN}` },
  { begins: /^\x1f\x8b|^BZh|^\xfd7zXZ|^7z\xbc\xaf|^Rar!|^\x28\xb5\x2f\xfd/, message: 'The file is packed. Unpack it and upload what is in it.' },
  { begins: /^\x89PNG|^\xff\xd8\xff|^GIF8|^II\*\x00|^MM\x00\*|^BM[\s\S]{4}\x00\x00\x00\x00/, message: `The file is a picture. ${EXPORT_AGAIN}` },
  { begins: /^\{\\rtf/, message: `The file is a text document (RTF). ${EXPORT_AGAIN}` },
  { begins: /^SQLite format 3\0/, message: `The file is a database. ${EXPORT_AGAIN}` },
  { begins: /^PAR1/, message: `The file is Parquet. ${EXPORT_AGAIN}` },
  { begins: /^\s*(?:<!doctype html|<html|<table|<head|<body)/i, message: 'The file is a web page, as some banks name it .xls. Open it in a spreadsheet program and save it as XLSX.' },
];

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** What the content is, by its first bytes. Throws where it is something that holds no rows. */
export function contentOf(sample: Buffer, text: string): Content {
  const bytes = sample.toString('latin1');
  if (bytes.startsWith(OLE)) throw oleError(sample);
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(bytes)) return 'zip';
  const known = unsupported.find(({ begins }) => begins.test(bytes) || begins.test(text.slice(0, 2048)));
  if (known) throw new FileUnreadableError('format_unsupported', known.message);
  if (isBinary(text)) {
    throw new FileUnreadableError('file_binary', 'The content of the file is binary data, not a table. Upload CSV, TSV, XLSX, JSON, NDJSON, OFX or camt.053.');
  }
  const start = text.trimStart();
  if (/^OFXHEADER\s*:/i.test(start) || /^<OFX>/i.test(start)) return 'ofx-sgml';
  if (/^<(?:\?xml|!--|[A-Za-z_])/.test(start)) return 'xml';
  return /^[[{]/.test(start) ? 'json' : 'text';
}

/** The old container of Microsoft Office: an XLSX with a password, or a file of Excel 97-2003. */
function oleError(sample: Buffer): FileUnreadableError {
  if (sample.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return new FileUnreadableError('password_protected', 'The workbook is protected by a password. Remove the password in Excel (File, Info, Protect Workbook) and upload it again.');
  }
  return new FileUnreadableError('format_unsupported', 'The file is an old Office document (.xls or .doc). Open it and save it as XLSX or CSV.');
}

const CONTROL = /[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]/g;
const MOST_CONTROLS = 0.02;

function isBinary(text: string): boolean {
  return (text.match(CONTROL)?.length ?? 0) > MOST_CONTROLS * text.length + 4;
}

/** Says that the content is not of the format that the sender names. */
export function mismatch(given: FileFormat, found: string): FileUnreadableError {
  return new FileUnreadableError('format_mismatch', `The upload says ${given}, but the content is ${found}. Leave out "format", or send the right file.`);
}
