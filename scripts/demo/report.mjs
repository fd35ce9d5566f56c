import { compositeExamples } from './composites.mjs';
import { verdictLines } from './judge.mjs';
import { tableLines } from '../../tools/table.mjs';

const number = (value) => value.toLocaleString('en-US');

function mark(value) {
  if (value === null || value === undefined) return '–';
  const size = Number(value);
  if (size === 1) return '✓';
  return size === 0 ? '✗' : size.toFixed(2);
}

/** Says in one line why a pair got its score: what each matcher said, and how far apart the two records are. */
export function explain({ matchers = [], amountDelta, dayDelta, conflict, ambiguous }) {
  const parts = matchers.map(({ id, value }) => `${id} ${mark(value)}`);
  if (dayDelta !== undefined) parts.push(`${dayDelta > 0 ? '+' : ''}${dayDelta} d`);
  if (amountDelta !== undefined && amountDelta !== 0) parts.push(`${amountDelta > 0 ? '+' : ''}${amountDelta}`);
  if (ambiguous) parts.push('another pair is just as good');
  if (conflict) parts.push('a better pair took one of them');
  return parts.join(' · ');
}

/** One example of each kind that a reader wants to see. */
function examples(matches, records) {
  const lineOf = (match) => records.get(match.right_record_id);
  const value = (match, id) => match.explanation.matchers?.find((matcher) => matcher.id === id)?.value;
  const isMatch = (match) => match.decision === 'MATCH';
  const kinds = [
    (match) => isMatch(match) && value(match, 'reference') === 1 && value(match, 'customer') === 1,
    (match) =>
      isMatch(match) &&
      value(match, 'reference') === null &&
      value(match, 'customer') > 0.5 &&
      value(match, 'customer') < 0.9,
    (match) => isMatch(match) && lineOf(match)?.channel === 'card',
    (match) => isMatch(match) && value(match, 'reference') === 1 && value(match, 'customer') < 0.7,
    (match) => match.explanation.ambiguous,
    (match) => match.explanation.conflict,
    (match) => match.decision === 'POSSIBLE' && !match.explanation.ambiguous && !match.explanation.conflict,
  ];
  return [...new Set(kinds.map((kind) => matches.find(kind)).filter(Boolean))];
}

/** Two lines for each example, so that it fits a terminal of 100 columns: the pair, and why. */
function exampleTable(matches, records) {
  const shown = examples(matches, records);
  const rows = shown.map((match) => {
    const invoice = records.get(match.left_record_id) ?? {};
    const line = records.get(match.right_record_id) ?? {};
    return [
      invoice.external_id ?? '',
      invoice.customer ?? '',
      String(invoice.amount ?? ''),
      line.text ?? '',
      match.score.toFixed(2),
      match.decision,
    ];
  });
  const [titles, rule, ...lines] = tableLines(
    [
      { title: 'Invoice' },
      { title: 'Customer', maxWidth: 18 },
      { title: 'Amount', right: true },
      { title: 'Bank line', maxWidth: 34 },
      { title: 'Score', right: true },
      { title: 'Decision' },
    ],
    rows,
  );
  return [titles, rule, ...lines.flatMap((line, index) => [line, `      ${explain(shown[index].explanation)}`])];
}

function unmatchedLine(side, reasons) {
  const total = [...reasons.values()].reduce((sum, value) => sum + value, 0);
  const detail = [...reasons]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, value]) => `${reason} ${number(value)}`)
    .join(', ');
  return `  ${side.padEnd(22)} ${number(total)}${detail ? `  (${detail})` : ''}`;
}

/** The left side of the reconciliation: what its run holds from now on, and what stays open for the next one. */
const purchasesLine = ({ held, open }) =>
  `  ${'Card purchases'.padEnd(22)} ${number(held.count)} held by match groups, ${number(open.count)} open`;

/** The decisions of all jobs together. */
function decisionsLine(jobs) {
  const counts = new Map();
  for (const { decision_counts: byDecision } of jobs)
    for (const [decision, value] of Object.entries(byDecision))
      counts.set(decision, (counts.get(decision) ?? 0) + value);
  const texts = [...counts].filter(([, value]) => value > 0).map(([decision, value]) => `${decision} ${number(value)}`);
  return `  ${'Decisions'.padEnd(22)} ${texts.join(', ')}`;
}

/**
 * The result of the demo as lines of text. `unmatched` is about the first job, `purchases` about the reconciliation;
 * `composites` come with their members.
 */
export function reportLines({ jobs, purchases, matches, composites, records, unmatched, truth }) {
  return [
    '',
    ...exampleTable(matches, records),
    '',
    ...compositeExamples(composites, records),
    '',
    decisionsLine(jobs),
    unmatchedLine('Invoices unmatched', unmatched.left),
    unmatchedLine('Bank lines unmatched', unmatched.right),
    purchasesLine(purchases),
    '',
    ...verdictLines({ jobs, matches, composites, records, truth }),
  ];
}
