import { isControlDelimiter } from '../csv/delimiter';
import { looksLikeNdjson } from '../json/ndjson';
import { recognisedType } from '../recognised';
import { FileUnreadableError, type FileFormat } from '../types';
import { refuseForeignText } from './foreign-text';
import { statementFormat } from './statement-format';

export type TextFormat = Exclude<FileFormat, 'xlsx'>;

const controlCharacters = /[\0-\x08\x0e-\x19\x1b-\x1f\x7f\ufffd]/g;
/** A text may have one stray control character per this many characters. */
const charsPerControl = 40;
const spareControls = 8;
const headChars = 8_192;

/** Returns whether a text has too many control characters. One of them alone may separate cells. */
function isBinary(text: string): boolean {
  const found = text.match(controlCharacters) ?? [];
  if (found.length <= text.length / charsPerControl + spareControls) return false;
  return !isControlDelimiter(found[0] ?? '') || found.some((other) => other !== found[0]);
}

/**
 * Detects the format of a text from its beginning without byte order mark. Throws where it is no text, or a text
 * without rows. A text that the sender calls CSV or TSV may look like
 * a text without rows.
 */
export function textFormat(text: string, isWhole: boolean, given?: FileFormat): TextFormat {
  if (isBinary(text)) {
    throw new FileUnreadableError(
      'file_binary',
      'The content of the file is binary data, not a table. Use CSV, TSV, XLSX, JSON, NDJSON, OFX, QIF, ' +
        'MT940 or camt.053.',
      {
        recognised: recognisedType('application/octet-stream'),
      },
    );
  }
  const statement = statementFormat(text);
  if (statement !== null) return statement;
  if (given === 'csv' || given === 'tsv') return 'csv';
  const head = text.slice(0, headChars).trimStart();
  refuseForeignText(head);
  if (/^<(?:\?xml|[!A-Za-z_])/.test(head) && !isCellWithMarkup(head)) throw foreignMarkup(head);
  if (/^(?:\[\s*(?:[[{"\]\d-]|true|false|null)|\{\s*["}])/.test(head))
    return looksLikeNdjson(text, isWhole) ? 'ndjson' : 'json';
  return 'csv';
}

/** Matches an element with what is in it, and what follows on its line. */
const firstElement = /^<([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?(?:\/>|>[\s\S]*?<\/\1\s*>)([^\r\n]*)/;
/** Matches a name in angle brackets and a line of cells behind it. */
const bracketedName = /^<[A-Za-z_][^<>]*>"?[^\S\r\n]*[,;\t|][^<>\r\n]*(?:[\r\n]|$)/;

/** Returns whether markup stands in a cell: in XML, no text follows the first element. */
function isCellWithMarkup(head: string): boolean {
  if (webPage.test(head)) return false;
  const rest = firstElement.exec(head)?.[2]?.trim();
  return (rest !== undefined && rest !== '' && !rest.startsWith('<')) || bracketedName.test(head);
}

const webPage = /<(?:!doctype html|html|table|head|body)\b/i;

function foreignMarkup(head: string): FileUnreadableError {
  const isPage = webPage.test(head);
  const mimeType = isPage ? 'text/html' : /^[\s\S]{0,1000}<svg\b/i.test(head) ? 'image/svg+xml' : 'application/xml';
  return new FileUnreadableError('format_unsupported', markupMessage(head, isPage), {
    recognised: recognisedType(mimeType),
  });
}

function markupMessage(head: string, isPage: boolean): string {
  if (/urn:schemas-microsoft-com:office:spreadsheet/.test(head))
    return 'The file is an Excel 2003 XML document. Open it in a spreadsheet program and save it as XLSX.';
  if (isPage)
    return 'The file is a web page, which some banks name .xls. Open it in a spreadsheet program and save it as XLSX.';
  return (
    'The file is XML of a kind that is not read. Of XML, camt.052, camt.053, camt.054 and OFX are. If it is a table ' +
    'whose first cell looks like XML, say that its format is csv.'
  );
}
