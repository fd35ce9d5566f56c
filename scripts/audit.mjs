import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { isMain, runMain } from '../tools/main.mjs';
import { inRoot, root } from '../tools/paths.mjs';

const help = `Asks the registry for known vulnerabilities of packages in production; fails on high and critical ones.

Usage: npm run audit

Exceptions are in scripts/audit-exceptions.json, each with a reason and an end date:
  [{ "advisory": "GHSA-xxxx-xxxx-xxxx", "reason": "why it does not reach us", "until": "2027-01-31" }]
Where the registry has no audits nothing is checked: it ends with exit code 3.`;

const notCheckedExitCode = 3;

const serious = new Set(['high', 'critical']);
/** Answers of registries, mirrors mostly, that do not offer audits. */
const unsupported = new Set([400, 404, 405, 501]);

const idOf = ({ url, source }) => /GHSA(?:-[0-9a-z]{4}){3}/i.exec(url ?? '')?.[0] ?? String(source);

/** The serious advisories of a report of `npm audit --json`, each once. */
function seriousAdvisories(report) {
  const advisories = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.filter((cause) => typeof cause === 'object' && serious.has(cause.severity)),
  );
  return [...new Map(advisories.map((advisory) => [idOf(advisory), advisory])).values()];
}

/**
 * Judges a report.
 * @param {object} report of `npm audit --json`
 * @param {{ advisory: string, reason: string, until: string }[]} exceptions
 * @param {string} today YYYY-MM-DD
 * @returns {{ available: boolean, faults: string[], notes: string[] }}
 */
export function judge(report, exceptions, today) {
  if (!report.vulnerabilities) {
    const { statusCode, message } = report;
    if (unsupported.has(statusCode))
      return {
        available: false,
        faults: [],
        notes: [`Audit not available at this registry (it answered ${statusCode}): nothing was checked.`],
      };
    return {
      available: false,
      faults: [`npm audit failed: ${message ?? report.error?.summary ?? 'it gave no report'}`],
      notes: [],
    };
  }
  const faults = [];
  const notes = [];
  const found = seriousAdvisories(report);
  for (const advisory of found) {
    const line = `${idOf(advisory)} (${advisory.severity}) ${advisory.name} ${advisory.range}: ${advisory.title}`;
    const exception = exceptions.find((one) => one.advisory === idOf(advisory));
    if (!exception) faults.push(line);
    else if (exception.until < today) faults.push(`${line}; its exception ended on ${exception.until}`);
    else notes.push(`${line}; excepted until ${exception.until}: ${exception.reason}`);
  }
  const needless = exceptions.filter((one) => !found.some((advisory) => idOf(advisory) === one.advisory));
  notes.push(
    ...needless.map(
      (one) => `${one.advisory} is excepted, but nothing has it: remove it from scripts/audit-exceptions.json`,
    ),
  );
  return { available: true, faults, notes };
}

/** @throws Error when an exception lacks its reason or its end */
export function checkExceptions(exceptions) {
  for (const { advisory, reason, until } of exceptions) {
    if (!advisory || !reason || !/^\d{4}-\d{2}-\d{2}$/.test(until ?? '')) {
      throw new Error(
        `scripts/audit-exceptions.json: ${advisory ?? 'an exception'} needs advisory, reason and until (YYYY-MM-DD)`,
      );
    }
  }
  return exceptions;
}

function askRegistry() {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { stdout, error } = spawnSync(command, [...first, 'audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (error) throw error;
  return JSON.parse(stdout);
}

if (isMain(import.meta.filename)) {
  await runMain(() => {
    if (process.argv.includes('--help')) return console.log(help);
    const exceptions = checkExceptions(JSON.parse(fs.readFileSync(inRoot('scripts', 'audit-exceptions.json'), 'utf8')));
    const { available, faults, notes } = judge(askRegistry(), exceptions, new Date().toISOString().slice(0, 10));
    for (const note of notes) console.log(note);
    if (faults.length > 0) throw new Error(`Vulnerable packages:\n  ${faults.join('\n  ')}`);
    if (available)
      console.log('No package that runs in production has a known vulnerability of high or critical severity.');
    else process.exitCode = notCheckedExitCode;
  });
}
