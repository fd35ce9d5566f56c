import { looksLikeNdjson } from '../json/ndjson';
import { recognisedType } from '../recognised';
import { FileUnreadableError, type FileFormat } from '../types';

export type TextFormat = Exclude<FileFormat, 'xlsx'>;

const controlCharacters = /[\0-\x08\x0e-\x19\x1b-\x1f\x7f\ufffd]/g;
/** A text may have one stray control character per this many characters. */
const charsPerControl = 40;
const spareControls = 8;
const headChars = 8_192;

/**
 * Detects the format of a text from its beginning without byte order mark. Throws where it is no text, or a text
 * without rows.
 */
export function textFormat(text: string, isWhole: boolean): TextFormat {
  if ((text.match(controlCharacters)?.length ?? 0) > text.length / charsPerControl + spareControls) {
    throw new FileUnreadableError(
      'file_binary',
      'The content of the file is binary data, not a table. Upload CSV, TSV, XLSX, JSON, NDJSON, OFX or camt.053.',
      {
        recognised: recognisedType('application/octet-stream'),
      },
    );
  }
  const head = text.slice(0, headChars).trimStart();
  if (/^OFXHEADER\s*:/i.test(head) || /^(?:<\?[^>]*>\s*)*<OFX>/i.test(head)) return 'ofx';
  if (/^<(?:[?!A-Za-z_])/.test(head)) return markupFormat(head);
  if (/^(?:\[\s*(?:[[{"\]\d-]|true|false|null)|\{\s*["}])/.test(head))
    return looksLikeNdjson(text, isWhole) ? 'ndjson' : 'json';
  return 'csv';
}

function markupFormat(head: string): TextFormat {
  if (/camt\.053|<(?:\w+:)?BkToCstmrStmt\b/.test(head)) return 'camt.053';
  const mimeType = webPage.test(head) ? 'text/html' : 'application/xml';
  throw new FileUnreadableError('format_unsupported', markupMessage(head), { recognised: recognisedType(mimeType) });
}

const webPage = /<(?:!doctype html|html|table|head|body)\b/i;

function markupMessage(head: string): string {
  const camt = /camt\.05[24]/.exec(head)?.[0];
  if (camt !== undefined) return `The file is ${camt}, which is not final. Upload the end-of-day statement, camt.053.`;
  if (/urn:schemas-microsoft-com:office:spreadsheet/.test(head))
    return 'The file is an Excel 2003 XML document. Open it in a spreadsheet program and save it as XLSX.';
  if (webPage.test(head))
    return 'The file is a web page, which some banks name .xls. Open it in a spreadsheet program and save it as XLSX.';
  return 'The file is XML of a kind that is not read. Of XML, camt.053 and OFX are.';
}
