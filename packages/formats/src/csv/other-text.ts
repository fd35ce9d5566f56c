import type { Candidate } from '../columns/description';
import { isValueKind, kindOf } from '../columns/kinds';
import { recognisedType } from '../recognised';
import { FileUnreadableError, type ReadOptions } from '../types';
import { shareOfBlanks } from './delimiter';

interface OtherText {
  begins: RegExp;
  name: string;
}

const others: readonly OtherText[] = [
  { begins: /^BEGIN:V(?:CARD|CALENDAR)\b/i, name: 'a vCard or a calendar' },
  { begins: /^-----BEGIN [A-Z ]+-----/, name: 'a key or a certificate' },
  { begins: /^(?:[A-Z][A-Za-z-]+: [^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){3}/, name: 'an e-mail' },
  { begins: /^%!PS/, name: 'a PostScript document' },
  { begins: /^\\(?:documentclass|begin)\b/, name: 'a LaTeX document' },
  { begins: /^(?:#!\s*\/|<\?(?!xml))/, name: 'a program' },
  { begins: /^(?:--[^\n]*\n|\/\*[^*]*\*\/|\s)*(?:create table|insert into|drop table|set names)\b/i, name: 'SQL' },
  { begins: /^---\r?\n[\w-]+:/, name: 'YAML' },
  { begins: /^(?:diff --git |--- [^\r\n]*\r?\n\+\+\+ )/, name: 'a patch' },
  { begins: /^\[[^\]\r\n,;|\t]+\]\r?\n\s*[\w.-]+\s*=/, name: 'a file of settings' },
];
const headChars = 4_096;

/** Refuses a text whose beginning shows that it is no table, by its name. Remarks and skipped lines show nothing. */
export function refuseOtherText(text: string, { comment = '', skipLines = 0 }: ReadOptions): void {
  const lines = text
    .slice(0, headChars)
    .split(/(?<=[\r\n])/)
    .slice(skipLines);
  const head = lines
    .filter((line) => comment === '' || !line.startsWith(comment))
    .join('')
    .trimStart();
  const name = others.find(({ begins }) => begins.test(head))?.name ?? (isCode(head) ? 'program code' : undefined);
  if (name !== undefined) throw noTable(`The file is ${name}, which is no table. Export the rows as CSV or XLSX.`);
}

/** Matches a line that opens or closes a block of statements, or begins as one. */
const codeLine = new RegExp(
  '^\\s*[})\\]]+[;,]?\\s*$|^[^"]*[{(]\\s*$|^[^"]*\\{[^{}"]*;\\s*\\}\\s*$|' +
    '^\\s*(?:(?:import|from|package|using|namespace|return|const|let|var|public|private|static) [^,;|\\t]+[;{]?$|' +
    '(?:def|class|function|func|fn|if|for|while|switch|try|catch)\\b[^;|\\t]*[:{(]\\s*$|#include\\b)',
);
/** A table has fewer such lines: none. */
const minCodeShare = 0.3;

/** Lines that begin with two strokes are remarks in code and above tables. */
function isCode(head: string): boolean {
  const lines = linesOf(head).filter((line) => !line.startsWith('//'));
  const code = lines.filter((line) => codeLine.test(line)).length;
  return code > 1 && code >= lines.length * minCodeShare;
}

/** A table of texts alone scores 0.2; lines without common columns score less. */
const minScore = 0.08;
const wordsOfSentence = 4;

interface ProseQuestion {
  rows: readonly (readonly string[])[];
  types: readonly string[];
  /** The first row has a usual name of a column. */
  isNamed: boolean;
  options: ReadOptions;
}

/** Refuses lines that share no columns, such as prose, unless the sender says how they are read. */
export function refuseProse(
  text: string,
  { delimiter, score }: Candidate,
  { rows, types, isNamed, options }: ProseQuestion,
): void {
  if (options.header !== undefined || options.headerRow !== undefined) return;
  if (delimiter === null && areFixedRecords(text))
    throw noTable(
      'The lines of the file are records with fixed positions, as older formats of banks have, which is not read. ' +
        'Ask the bank for camt.053, MT940, OFX or CSV, or send "header" if each line is one value.',
    );
  if (isAligned(rows)) {
    throw noTable(
      'The columns of the file are aligned with blanks, which is not read. Export it as CSV or XLSX, or name the ' +
        '"delimiter" if there is one.',
    );
  }
  const isTyped = types.some((type) => type !== 'string');
  const isSentences =
    (delimiter === ',' && cutsOnlyAmounts(text)) ||
    (holdsSentences(text) &&
      (delimiter === ','
        ? hasCommasOfSentences(text) || (!isTyped && shareOfBlanks(rows) > 0.5)
        : endInPoints(text) && !isTyped && shareOfBlanks(rows) > 0.5));
  const isProse =
    delimiter === null
      ? !isTyped && (holdsSentences(text) || holdsMarks(text) || holdsAmounts(text, isNamed))
      : score < minScore || isSentences;
  if (!isProse) return;
  if (linesOf(text).every((line) => /^[a-z][a-z+.-]*:\/\/\S+$/i.test(line)))
    throw noTable('The file is a list of web addresses, which is no table. To read one on each line, send "header".');
  throw noTable(
    'The lines of the file share no columns, so that it is no table. Use a table with a row on each line; ' +
      'where the ' +
      'cells are separated by an unusual character, name it as "delimiter"; for a list with one value on each line, ' +
      'send "header".',
  );
}

/** Returns whether most rows begin with several cells that blanks set apart, a value among them. */
function isAligned(rows: readonly (readonly string[])[]): boolean {
  const aligned = rows.filter(([first = '']) => {
    const parts = first.trim().split(/ {2,}/);
    return parts.length > 1 && parts.some((part) => isValueKind(kindOf(part)));
  });
  return aligned.length > 1 && aligned.length * 2 > rows.length;
}

const linesOf = (text: string): string[] =>
  text
    .slice(0, headChars * 4)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function holdsSentences(text: string): boolean {
  const lines = linesOf(text);
  const words = lines.reduce((sum, line) => sum + line.split(/\s+/).length, 0);
  return lines.length > 1 && words >= wordsOfSentence * lines.length;
}

/** Returns whether the commas stand within amounts, and before a blank or the end of a line: no cells begin there. */
function hasCommasOfSentences(text: string): boolean {
  const head = linesOf(text).join('\n');
  const [all, decimal, open] = [/,/g, /(?<=\d),\d{2}(?!\d)/g, /,(?=\s|$)/g].map(
    (pattern) => head.match(pattern)?.length ?? 0,
  ) as [number, number, number];
  return decimal > 0 && open > 0 && decimal + open === all;
}

/** Returns whether the commas are those of sentences, and some line has none but within an amount: no cells begin. */
function cutsOnlyAmounts(text: string): boolean {
  const hasOpen = (line: string): boolean => /,(?=\s|$)/.test(line);
  const lines = linesOf(text);
  return (
    hasCommasOfSentences(text) &&
    (lines.some((line) => line.includes(',') && !hasOpen(line)) ||
      (lines.length === 1 && /[.!?]$/.test(lines[0] ?? '')))
  );
}

/** Returns whether lines have an amount behind words: some of them, or most without a name above. */
function holdsAmounts(text: string, isNamed: boolean): boolean {
  const lines = linesOf(text);
  const amounts = lines.filter((line) =>
    /\p{L}[^\d]{0,40}\s[^\d\s]{0,4}\d[\d.,]{0,20}[.,]\d{2}(?![.,]?\d)/u.test(line),
  );
  return amounts.length > 0 && (!isNamed || amounts.length * 2 < lines.length);
}

/** An IBAN has fewer characters, and a number that identifies has fewer digits. */
const fixedChars = 35;
const maxDigits = 50;

/** Returns whether most lines are long and hold long numbers right beside letters, or wide gaps. */
function areFixedRecords(text: string): boolean {
  const lines = linesOf(text);
  const isRecord = (line: string): boolean =>
    line.length >= fixedChars &&
    (/^\d+$/.test(line) ? line.length > maxDigits : /\d{6}/.test(line) && !/^[\da-f-]+$/i.test(line)) &&
    (!/\s/.test(line) || / {3}|\d{6}\p{L}|\p{L}\d{6}/u.test(line)) &&
    !/:\/\/|[.,:;!?]\s/.test(line);
  return lines.length > 1 && lines.filter(isRecord).length * 2 > lines.length;
}

function endInPoints(text: string): boolean {
  const lines = linesOf(text);
  return lines.filter((line) => /[.!?]$/.test(line)).length * 2 > lines.length;
}

function holdsMarks(text: string): boolean {
  const lines = linesOf(text);
  return lines.length > 1 && lines.filter((line) => /[;,|\t=:{}]|^[-*+] /.test(line)).length * 2 > lines.length;
}

function noTable(message: string): FileUnreadableError {
  return new FileUnreadableError('not_a_table', message, { recognised: recognisedType('text/plain') });
}
