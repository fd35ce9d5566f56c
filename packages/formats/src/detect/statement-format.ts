import { recognisedType } from '../recognised';
import { FileUnreadableError, type StatementFormat } from '../types';

const headChars = 65_536;
/** Declarations and comments that may precede the root of OFX and XML. */
const prologue = /^(?:\s+|<!--[\s\S]*?-->|<\?[^>]*>|<!doctype[^>[]*>)+/i;

/** Characters of the headers and names that may precede the first field. */
const maxPreamble = 1_000;
/** Some systems write lines of their own before the header. */
const lateOfx = /[\r\n]\s*(?:OFXHEADER\s*:|<OFX>)/i;

/** Returns the text from its root element on. */
function fromRoot(text: string): string {
  return text.replace(prologue, '').trimStart();
}

/**
 * Detects the format of a bank statement from its beginning; null where the text is none. Throws where it is another
 * message of a bank.
 */
export function statementFormat(text: string): StatementFormat | null {
  const root = fromRoot(text);
  if (/^(?:OFXHEADER\s*[:=]|<(?:\w+:)?OFX\b)/i.test(root) || lateOfx.test(text.slice(0, maxPreamble))) return 'ofx';
  const head = text.slice(0, headChars);
  if (root.startsWith('<')) return camtFormat(root.slice(0, headChars));
  return isQif(head) ? 'qif' : swiftFormat(head);
}

const camtMessages = {
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrStmt: 'camt.053',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
} as const;

function camtFormat(root: string): StatementFormat | null {
  const message = /<(?:[\w.-]+:)?(BkToCstmrAcctRpt|BkToCstmrStmt|BkToCstmrDbtCdtNtfctn)(?:V\d+)?[\s/>]/.exec(root)?.[1];
  if (message !== undefined) return camtMessages[message as keyof typeof camtMessages];
  const name = /^<[^>]*urn:(?:iso:std:iso:20022|swift)[:\w.]*[:$]([a-z]{4}\.\d{3})/.exec(root)?.[1];
  const found = /^camt\.05[234]$/.exec(name ?? '')?.[0];
  if (found !== undefined) return found as StatementFormat;
  if (name === undefined) return null;
  throw new FileUnreadableError(
    'format_unsupported',
    `The file is ${name}, which is no account statement. Use camt.052, camt.053 or camt.054.`,
    { recognised: recognisedType('application/xml') },
  );
}

const qifHeader = /^\s*!(?:type|account|option|clear)\b/i;
/** Records of QIF without a header: lines of a letter and a value, a date and an amount among them, up to `^`. */
const qifRecord = /^(?:[A-Z$%][^\r\n]*[\r\n]+){2,30}\^[^\S\r\n]*(?:[\r\n]|$)/;

function isQif(head: string): boolean {
  if (qifHeader.test(head)) return true;
  const record = qifRecord.exec(head.trimStart());
  return record !== null && /^D\s?\d/m.test(record[0]) && /^[TU][-+\d.,]/m.test(record[0]);
}

const swiftTag = /(?:^|[\r\n]|@@|\{4:)[^\S\r\n]*:(\d{2}[A-Z]?):/g;
const statementTag = /^(?:28C?|60[FM]|61|62[FM]|34F|90[CD])$/;
/** Fields that prove a message; one is enough where the file begins with it. */
const minTags = 2;
const statementTypes: readonly (string | undefined)[] = ['940', '941', '942', '950', undefined];

function swiftFormat(head: string): StatementFormat | null {
  const type = /\{2:[IO](\d{3})/.exec(head.slice(0, maxPreamble))?.[1];
  const tags = [...head.matchAll(swiftTag)];
  const names = tags.map((tag) => tag[1] as string);
  const first = tags[0]?.index ?? Infinity;
  const isMessage = first <= maxPreamble && (names.length >= minTags || head.slice(0, first).trim() === '');
  const isStatement = names.some((name) => statementTag.test(name));
  if (type === undefined && !isMessage) return null;
  if (!statementTypes.includes(type) || !isStatement) {
    throw new FileUnreadableError(
      'format_unsupported',
      `The file is a SWIFT message${type === undefined ? '' : ` MT${type}`}, which is no account statement. Use ` +
        'MT940 or MT942.',
      { recognised: recognisedType('application/x-swift') },
    );
  }
  const isInterim = names.some((name) => /^(?:34F|90)/.test(name)) && !names.some((name) => /^6[02]/.test(name));
  return type === '942' || isInterim ? 'mt942' : 'mt940';
}
