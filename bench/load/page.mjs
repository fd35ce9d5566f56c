import { machine, table } from '../results.mjs';
import { sizeText } from '../command-line.mjs';
import { shotColumns } from './report.mjs';

const intro = `# Results of \`npm run load\`

Written by \`npm run load -- --write-results\`. Requests come from the same machine over persistent
connections, each of which waits for its answer before it sends the next request.`;

/** The report as a page. */
export function loadPage(report, { seconds, connections, size, backend }) {
  const environment = [
    ...machine(),
    ['queues', backend],
    ['connections', String(connections)],
    ['seconds of each measurement', String(seconds)],
    ['records a side of the job', sizeText(size)],
  ];
  const [cpuTitles, ...cpuRows] = report.cpuRows();
  return [
    intro,
    '',
    ...table(['machine', ''], environment),
    '',
    ...table(
      shotColumns,
      report.rows().map((cells) => cells.map((cell) => cell || ' ')),
    ),
    ...report.notes().flatMap((text) => ['', text]),
    '',
    '## CPU time of a request, ms',
    '',
    'With all that it leaves to do: a record that was sent is counted until it is ready.',
    '',
    ...table(cpuTitles, cpuRows),
    '',
  ].join('\n');
}
