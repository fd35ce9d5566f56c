import { access, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { RuleSetDefinition } from '@tieout/engine';
import { csvOfTable, workbookOf } from '@tieout/formats';
import { Option, type Command } from 'commander';
import { learnRules, type ConnectedSuggestion, type LearnedRules } from '../compare/learn';
import { reconcile, type Reconciled } from '../compare/reconcile';
import { CommandError, exitCodes, isMissing, unreadable } from '../failure';
import { localFile, standardInput, type LocalFile } from '../local-file';
import {
  outFormats,
  formatOfFile,
  namedFile,
  refuseUnwritable,
  writeOutFile,
  type OutFormat,
} from '../output/out-file';
import { ProgressBar, shownText, writeAll, type Terminal } from '../output/print';
import { resultJson } from '../output/result-json';
import { flatTable, workbookTables } from '../output/result-tables';
import { count, resultText } from '../output/result-text';
import { summaryOf } from '../output/summary';
import { definitionOf, readRuleFile, type RuleFile } from '../rules/rule-file';
import { writeRules } from '../rules/rule-text';
import { collect, readOptionsOf } from './read-options';

const formats = ['table', ...outFormats] as const;
type ResultFormat = (typeof formats)[number];

interface CompareOptions {
  rules?: string;
  suggest?: string | true;
  out?: string;
  format?: ResultFormat;
  json?: true;
  read: string[];
  leftRead: string[];
  rightRead: string[];
}

const defaultRuleFile = 'tieout-rules.yaml';

const help = `
Every format that the product reads is recognised by its content: CSV, TSV, XLSX, JSON, NDJSON, OFX, QIF, MT940,
MT942 and camt files, also inside a ZIP archive. Nothing leaves this computer.

Without --rules, rules are learnt from both files; --suggest keeps them in a file to read, edit and use again. Files of
a few rows teach nothing: then equal amounts are paired. Of a file without rows, all that the other has is open.

Exit code: 0 everything is tied, 1 something is open, 2 the comparison failed.

Examples:
  tieout compare invoices.csv bank.xlsx
  tieout compare invoices.csv bank.xlsx --suggest rules.yaml --out result.xlsx
  tieout compare ours.csv theirs.csv --rules rules.yaml --json | jq .summary
  tieout compare ours.csv theirs.csv --right-read decimalSeparator=, --right-read encoding=windows-1252
`;

export function addCompare(program: Command, terminal: Terminal, end: (code: number) => void): void {
  const { outputError } = program.configureOutput();
  const command = program.command('compare');
  command
    .configureOutput({
      outputError: (text, write) => outputError?.(text.trim() + takenBySuggest(text, command), write),
    })
    .description('reconcile two local files, without a server')
    .argument('<left>', 'the file of the left side; - is the standard input')
    .argument('<right>', 'the file of the right side; - is the standard input')
    .option('-r, --rules <file>', 'a rule set as YAML or JSON')
    .option('-s, --suggest [file]', `keep the rules that are learnt in a file (default: ${defaultRuleFile})`)
    .option('-o, --out <file>', 'write the whole result to .csv, .xlsx or .json; - is the standard output')
    .addOption(new Option('-f, --format <format>', 'format of the output').choices(formats))
    .option('--json', 'short for --format json')
    .option('--read <option=value>', 'how both files are read, such as sheet=Data; may be repeated', collect, [])
    .option('--left-read <option=value>', 'how the left file is read', collect, [])
    .option('--right-read <option=value>', 'how the right file is read', collect, [])
    .addHelpText('after', help)
    .action(async (left: string, right: string, options: CompareOptions) =>
      end(await compareFiles({ left, right }, options, terminal)),
    );
}

/** Says of a missing argument that the option before it, whose value may be left out, has taken it. */
function takenBySuggest(error: string, command: Command): string {
  const { suggest } = command.opts<Partial<CompareOptions>>();
  if (!error.includes('missing required argument') || typeof suggest !== 'string') return '';
  return `: --suggest took ${suggest} as the file for the rules; name both files before it`;
}

async function compareFiles(
  paths: { left: string; right: string },
  options: CompareOptions,
  terminal: Terminal,
): Promise<number> {
  const target = formatOf(options, terminal);
  const { toFile } = target;
  if (options.rules !== undefined && options.suggest !== undefined)
    throw new CommandError('--suggest learns rules, --rules reads them from a file: use one of the two');
  const reading = {
    left: readOptionsOf([...options.read, ...options.leftRead]),
    right: readOptionsOf([...options.read, ...options.rightRead]),
  };
  const suggestTo = options.suggest === true ? defaultRuleFile : options.suggest;
  if (suggestTo !== undefined) {
    if (suggestTo === standardInput) throw new CommandError('--suggest: - is not a file; name a file for the rules');
    await refuseExisting(suggestTo);
    await refuseUnwritable(suggestTo);
  }
  if (toFile !== null) await refuseUnwritable(toFile);
  if (toFile !== null) await refuseInput(toFile, [paths.left, paths.right, options.rules]);
  if (toFile !== null && suggestTo !== undefined && path.resolve(toFile) === path.resolve(suggestTo))
    throw new CommandError(`${toFile}: cannot hold both the result and the rules; name another file for --suggest`);
  const rules = options.rules === undefined ? null : await readRuleFile(options.rules);
  const files = await openBoth(paths, terminal);
  const bar = new ProgressBar(terminal.err);
  let learnt: LearnedRules | null = null;
  const result = await reconcile({
    left: { ...files.left, options: { ...reading.left, isLocal: true } },
    right: { ...files.right, options: { ...reading.right, isLocal: true } },
    helper: (await needsSecondThread(files)) ? (terminal.helper ?? null) : null,
    rules: rules && definitionOf(rules),
    learn: (tables, onProgress): RuleSetDefinition => {
      learnt = learnRules(tables, onProgress);
      if (suggestTo !== undefined && learnt.fields === null) throw nothingToKeep(learnt.reason);
      return definitionOf(ruleFileOf(learnt, paths));
    },
    onProgress: (phase, share) => bar.show(phase, share),
  }).finally(() => bar.clear());
  const used = rules ?? ruleFileOf(learnt as unknown as LearnedRules, paths);
  if (suggestTo !== undefined) await writeOutFile(suggestTo, [writeRules(used)]);
  const source = options.rules ?? sourceOf(learnt);
  const lines = linesOfRules(result, { source, learnt, suggestTo });
  if (target.toFile === null) await print(result, target.format, { lines, source, used }, terminal);
  else {
    await writeOutFile(target.toFile, chunksOf(result, target.format, { source, used }));
    await writeAll(terminal.out, [resultText(result, [...lines, `Result: ${target.toFile}`])]);
  }
  return summaryOf(result).isTied ? exitCodes.tied : exitCodes.open;
}

const nothingToKeep = (reason: string): CommandError =>
  new CommandError(`--suggest: there are no rules to keep, as ${reason}; leave it out to see what is open`);

async function openBoth(
  { left, right }: { left: string; right: string },
  { in: input }: Terminal,
): Promise<Record<'left' | 'right', LocalFile>> {
  if (left === standardInput && right === standardInput)
    throw new CommandError('Only one of LEFT and RIGHT can be the standard input: name a file for the other');
  const files = { left: await localFile(left, input), right: await localFile(right, input) };
  if (files.left.identity === files.right.identity) throw new CommandError('LEFT and RIGHT are one file: name two');
  return files;
}

/** Bytes from which a second thread saves more than its start takes. */
const minBytesForSecondThread = 4 << 20;

async function needsSecondThread({ left, right }: Record<'left' | 'right', LocalFile>): Promise<boolean> {
  const sizes = await Promise.all([left, right].map(async ({ path: at }) => (await stat(at)).size));
  return availableParallelism() > 1 && Math.min(...sizes) >= minBytesForSecondThread;
}

type OutputTarget = { format: ResultFormat; toFile: null } | { format: OutFormat; toFile: string };

/** Reads the format of the output, and the file that it goes to; null: the terminal, or what reads it. */
function formatOf(options: CompareOptions, { out }: Terminal): OutputTarget {
  const given = options.json === true ? 'json' : options.format;
  if (options.json === true && options.format !== undefined && options.format !== 'json')
    throw new CommandError('--json is --format json: use one of the two');
  const file = namedFile(options.out);
  if (file === null) {
    if (given === 'xlsx' && out.isTTY === true)
      throw new CommandError('A workbook cannot be shown in a terminal: add --out FILE.xlsx');
    return { format: given ?? 'table', toFile: null };
  }
  return { format: formatOfFile(file, given), toFile: file };
}

/** Refuses a result over a file that is read, whatever path leads to it. */
async function refuseInput(file: string, inputs: readonly (string | undefined)[]): Promise<void> {
  const identityOf = async (one: string): Promise<string> => {
    const found = await stat(one).catch(() => null);
    return found?.isFile() === true ? `${found.dev} ${found.ino}` : path.resolve(one);
  };
  const own = await identityOf(file);
  for (const one of inputs)
    if (one !== undefined && (await identityOf(one)) === own)
      throw new CommandError(`${file}: is read by this comparison; name another file for --out`);
}

async function refuseExisting(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    if (isMissing(error)) return;
    throw unreadable(file, error);
  }
  throw new CommandError(`${file}: exists and is kept; name another file for --suggest, or use --rules`);
}

/** Learnt rules as a rule file, with the names of the files as datasets. */
function ruleFileOf({ ruleSet }: LearnedRules, paths: { left: string; right: string }): RuleFile {
  const nameOf = (file: string): string => (file === standardInput ? 'input' : path.basename(file, path.extname(file)));
  const [left, right] = [nameOf(paths.left), nameOf(paths.right)];
  return { name: `${left} to ${right}`, left, right, engine: ruleSet.engine, params: ruleSet.params };
}

function linesOfRules(
  { left, right, detected }: Reconciled,
  { source, learnt, suggestTo }: { source: string; learnt: LearnedRules | null; suggestTo: string | undefined },
): string[] {
  const head = [
    `Left   ${shownText(left.name, 80)} (${detected.left.format}, ${count(left.length, 'record')})`,
    `Right  ${shownText(right.name, 80)} (${detected.right.format}, ${count(right.length, 'record')})`,
    `Rules  ${shownText(source, 80)}`,
  ];
  if (learnt === null || learnt.fields === null) return [...head, ''];
  const kept = suggestTo === undefined ? '  --suggest FILE keeps these rules in a file' : `  kept in ${suggestTo}`;
  if (!learnt.connected) {
    const { fields, reason } = learnt;
    return [...head, `  pairs of equal amounts, left.${fields.left} and right.${fields.right}: ${reason}`, kept, ''];
  }
  const { matchers, blocking, expected, warnings } = learnt;
  return [
    ...head,
    ...blocking.map(({ name, why }) => `  candidates: ${name}: ${why}`),
    ...matchers.map(({ name, strength }) => `  compares ${name} (worth ${bits(strength)})`),
    ...(isOfFew(warnings)
      ? []
      : [
          `  expects ${percent(expected.precision)} of the matches to be right, ` +
            `and ${percent(expected.recall)} of the right ones to be found`,
        ]),
    ...warnings.map(({ message }) => `  note: ${message}`),
    kept,
    '',
  ];
}

/** A strength below 0.05 is 0, without a sign. */
const bits = (strength: number): string => `${strength.toFixed(1).replace('-0.0', '0.0')} bits`;

/** TypeScript takes the variable for one that is never set, since a callback sets it. */
const sourceOf = (learnt: LearnedRules | null): string =>
  learnt?.connected !== false
    ? 'learnt from the files'
    : learnt.fields === null
      ? `none, as ${learnt.reason}`
      : 'to begin with, as these files teach none';

/** Figures learnt of a few records are no more than guesses; a warning says so. */
const isOfFew = (warnings: ConnectedSuggestion['warnings']): boolean =>
  warnings.some(({ code }) => code === 'few_records');

/** No estimate is sure: none rounds up to all. */
const percent = (share: number): string => (share > 0.999 ? 'over 99.9 %' : `${(share * 100).toFixed(1)} %`);

interface PrintedRules {
  source: string;
  used: RuleFile;
}

async function print(
  result: Reconciled,
  format: ResultFormat,
  { lines, source, used }: PrintedRules & { lines: string[] },
  { out }: Terminal,
): Promise<void> {
  if (format === 'table') return writeAll(out, [resultText(result, lines)]);
  return writeAll(out, chunksOf(result, format, { source, used }));
}

function chunksOf(
  result: Reconciled,
  format: OutFormat,
  { source, used }: PrintedRules,
): AsyncIterable<string | Buffer> | Iterable<string> {
  if (format === 'csv') return csvOfTable(flatTable(result));
  if (format === 'xlsx') return workbookOf(workbookTables(result), { at: new Date() });
  return resultJson(result, { source, ruleSet: used });
}
