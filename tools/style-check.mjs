import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const maxLineLength = 120;
const maxCommentsWithoutSubject = 0.01;

const relatives =
  'What|Who|Whose|Whom|Whoever|Whatever|Whichever|Which|Whether|Why|How|Where|Of|Those|That|As|By|Nobody|Lest';
const quantities = 'So (many|long|much|often)';
/** Openings that leave a reader looking for the subject of a comment. */
const withoutSubject = new RegExp(`^(${relatives}|${quantities})\\b`);
/** Names that say max or min in other words. */
const oddBound = /^(most|longest|fewest|least)[A-Z]/;
/** Words with a standard counterpart; docs/reference/glossary.md lists it. */
const riddles = /\b(whoever|anew|nobody|so many|lets go|let go|roster|patience|sees to it|in hand)\b/i;

/** The comments of a source text; consecutive `//` lines are one comment. */
function commentsOf(text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  const comments = [];
  const templates = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.TemplateHead) templates.push(0);
    if (templates.length > 0 && kind === ts.SyntaxKind.OpenBraceToken) templates[templates.length - 1]++;
    if (templates.length > 0 && kind === ts.SyntaxKind.CloseBraceToken) {
      if (templates.at(-1) > 0) templates[templates.length - 1]--;
      else if (scanner.reScanTemplateToken(false) === ts.SyntaxKind.TemplateTail) templates.pop();
    }
    if (kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) scanner.reScanSlashToken();
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia && kind !== ts.SyntaxKind.MultiLineCommentTrivia) continue;
    const start = scanner.getTokenStart();
    const line = text.slice(0, start).split('\n').length;
    const last = comments.at(-1);
    const body = scanner.getTokenText();
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const words = body
      .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
      .replace(/^\s*\*+ ?/gm, '')
      .trim();
    if (isLine && last?.isLine && last.end === line - 1) {
      last.words += ` ${words}`;
      last.end = line;
    } else comments.push({ line, end: line + body.split('\n').length - 1, words, isLine });
  }
  return comments;
}

function namesOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && oddBound.test(node.text)) {
      found.push({ name: node.text, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const prefixes = process.argv.slice(2);
const ignored = [
  '**/node_modules',
  '**/dist',
  '**/.*',
  'packages/cli/src/generated',
  'packages/client/src/generated',
  'packages/infra/src/generated',
  'packages/engine/generated',
];
const files = ts.sys
  .readDirectory(root, ['.ts', '.tsx', '.mjs'], ignored)
  .map((file) => path.relative(root, file).replaceAll(path.sep, '/'))
  .filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix)))
  .sort();

let comments = 0;
const findings = { subject: [], names: [], riddles: [], columns: [], lines: [] };
for (const file of files) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  for (const { line, words } of commentsOf(text)) {
    comments++;
    const sentence = words.replace(/^@(param|returns|throws)\s+\S*\s*/, '');
    if (withoutSubject.test(sentence)) findings.subject.push(`${file}:${line}: ${words.slice(0, 80)}`);
    const riddle = riddles.exec(words);
    if (riddle) findings.riddles.push(`${file}:${line}: ${riddle[0]}`);
  }
  for (const { name, line } of namesOf(file, text)) findings.names.push(`${file}:${line}: ${name}`);
  const lines = text.split('\n');
  lines.forEach((line, i) => {
    if (line.length > maxLineLength) findings.columns.push(`${file}:${i + 1}: ${line.length} columns`);
  });
  if (lines.length - 1 > 400) findings.lines.push(`${file}: ${lines.length - 1} lines`);
}
const share = findings.subject.length / comments;
for (const [kind, list] of Object.entries(findings)) for (const each of list) console.log(`${kind}: ${each}`);
console.log(
  `${comments} comments, ${findings.subject.length} without a subject (${(share * 100).toFixed(1)} %); ` +
    `${findings.riddles.length} riddles; ${findings.names.length} names; ` +
    `${findings.columns.length} long lines; ${findings.lines.length} long files`,
);
process.exitCode =
  share >= maxCommentsWithoutSubject ||
  findings.names.length + findings.columns.length + findings.riddles.length + findings.lines.length > 0
    ? 1
    : 0;
