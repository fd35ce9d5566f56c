import fs from 'node:fs';
import os from 'node:os';
import { inRoot } from '../tools/paths.mjs';

const versionOf = (name) =>
  JSON.parse(fs.readFileSync(inRoot('node_modules', ...name.split('/'), 'package.json'), 'utf8')).version;
const row = (cells) => `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;

/** Lines of a table. */
export const table = (headings, rows) => [row(headings), row(headings.map(() => '---')), ...rows.map(row)];

/** The machine, which a reader needs to judge the results. */
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

\`npm run bench -- --write-results\` writes this page. Product and reference alternate in one run; figures are medians.
Compare ratios: absolute figures belong to this machine. The run itself prints more.`;

/** The goals of a report as a page. @param {{ report: object, environment: string[][], rounds: number }} options */
export function resultsPage({ report, environment, rounds }) {
  const headings = ['part', 'what', 'product', 'reference', 'ratio', 'goal', 'met'];
  const goals = report.goals().map((goal) => headings.map((heading) => goal[heading] || ' '));
  return [
    intro,
    '',
    ...table(['machine', ''], [...environment, ['rounds', String(rounds)]]),
    '',
    ...table(headings, goals),
    '',
  ].join('\n');
}
