import fs from 'node:fs';
import os from 'node:os';
import { inRoot } from '../tools/paths.mjs';

const versionOf = (name) =>
  JSON.parse(fs.readFileSync(inRoot('node_modules', ...name.split('/'), 'package.json'), 'utf8')).version;
const row = (cells) => `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;

/** Lines of a table. */
export const table = (headings, rows) => [row(headings), row(headings.map(() => '---')), ...rows.map(row)];

/** What a reader needs to place the figures. */
export function machine() {
  const cpus = os.cpus();
  return [
    ['processor', `${cpus.length} × ${cpus[0].model}`],
    ['memory', `${Math.round(os.totalmem() / 2 ** 30)} GiB`],
    ['system', `${os.type()} ${os.arch()}`],
    ['Node.js', process.version],
  ];
}

/** Versions of what takes part. @param {{ postgres: string | null, duckDb: string | null }} found */
export function versions({ postgres, duckDb }) {
  return [
    ['PostgreSQL', postgres],
    ['DuckDB', duckDb],
    ['jsonata', versionOf('jsonata')],
  ].filter(([, version]) => version !== null);
}

const intro = `# Results of \`npm run bench\`

Written by \`npm run bench -- --write-results\`. Product and reference are measured by turns in the same run, and medians are
shown. Absolute figures are this machine's; the ratios are what to compare.`;

/** The report as a page. @param {{ report: object, environment: string[][], rounds: number }} options */
export function resultsPage({ report, environment, rounds }) {
  const goals = report.goals().map(({ what, section, goal, measured, met }) => [section, what, goal, measured, met]);
  const parts = report.sections().flatMap(({ title, rows, notes }) => [
    '',
    `## ${title}`,
    '',
    ...table(
      ['what', 'product', 'reference', 'ratio', 'goal', 'met'],
      rows.map((cells) => cells.map((cell) => cell || ' ')),
    ),
    ...notes.flatMap((note) => ['', note]),
  ]);
  const memory = table(
    ['process', 'peak resident set, MiB'],
    report.peaks().map(({ name, mib }) => [name, String(mib)]),
  );
  return [
    intro,
    '',
    ...table(['machine', ''], [...environment, ['rounds', String(rounds)]]),
    '',
    '## Goals',
    '',
    ...table(['part', 'what', 'goal', 'measured', 'met'], goals),
    ...parts,
    '',
    '## Peak memory of every process',
    '',
    ...memory,
    '',
  ].join('\n');
}
