import { tableLines } from './table.mjs';

const number = (value) => value.toLocaleString('en-US');
const percent = (part, whole) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);
const pairKey = (left, right) => `${left}|${right}`;

function mark(value) {
  if (value === null || value === undefined) return '–';
  const size = Number(value);
  if (size === 1) return '✓';
  return size === 0 ? '✗' : size.toFixed(2);
}

/** Why a pair got its score, in one line: what each matcher said, and how far apart the two records are. */
export function explain({ matchers = [], amountDelta, dayDelta, conflict, ambiguous }) {
  const parts = matchers.map(({ id, value }) => `${id} ${mark(value)}`);
  if (dayDelta !== undefined) parts.push(`${dayDelta > 0 ? '+' : ''}${dayDelta} d`);
  if (amountDelta !== undefined && amountDelta !== 0) parts.push(`${amountDelta > 0 ? '+' : ''}${amountDelta}`);
  if (ambiguous) parts.push('another pair is just as good');
  if (conflict) parts.push('a better pair took one of them');
  return parts.join(' · ');
}

/** One example of each kind that a reader wants to see. */
function examples(matches, right) {
  const lineOf = (match) => right.get(match.right_record_id);
  const value = (match, id) => match.explanation.matchers?.find((matcher) => matcher.id === id)?.value;
  const isMatch = (match) => match.decision === 'MATCH';
  const kinds = [
    (match) => isMatch(match) && value(match, 'reference') === 1 && value(match, 'customer') === 1,
    (match) => isMatch(match) && value(match, 'reference') === null && value(match, 'customer') > 0.5 && value(match, 'customer') < 0.9,
    (match) => isMatch(match) && lineOf(match)?.channel === 'card',
    (match) => isMatch(match) && value(match, 'reference') === 1 && value(match, 'customer') < 0.7,
    (match) => match.explanation.ambiguous,
    (match) => match.explanation.conflict,
    (match) => match.decision === 'POSSIBLE' && !match.explanation.ambiguous && !match.explanation.conflict,
  ];
  return [...new Set(kinds.map((kind) => matches.find(kind)).filter(Boolean))];
}

/** Two lines for each example, so that it fits a terminal of 100 columns: the pair, and why. */
function exampleTable(matches, left, right) {
  const shown = examples(matches, right);
  const rows = shown.map((match) => {
    const invoice = left.get(match.left_record_id) ?? {};
    const line = right.get(match.right_record_id) ?? {};
    return [invoice.external_id ?? '', invoice.customer ?? '', String(invoice.amount ?? ''), line.text ?? '', match.score.toFixed(2), match.decision];
  });
  const [titles, rule, ...lines] = tableLines(
    [
      { title: 'Invoice' }, { title: 'Customer', most: 18 }, { title: 'Amount', right: true }, { title: 'Bank line', most: 34 },
      { title: 'Score', right: true }, { title: 'Decision' },
    ],
    rows,
  );
  return [titles, rule, ...lines.flatMap((line, index) => [line, `      ${explain(shown[index].explanation)}`])];
}

/**
 * How the matches compare with the truth. A pair of a group (installments, partial and collective payments) cannot be
 * found one to one, so it is neither right nor wrong here and is counted apart.
 */
export function judge(matches, left, right, truth) {
  const kinds = new Map(truth.map((row) => [pairKey(row.invoice_no, row.line_id), row.kind]));
  const kindOf = (match) => kinds.get(pairKey(left.get(match.left_record_id)?.external_id, right.get(match.right_record_id)?.external_id));
  const found = matches.filter(({ decision }) => decision === 'MATCH').map(kindOf);
  const total = (kind) => truth.filter((row) => row.kind === kind).length;
  return {
    correct: found.filter((kind) => kind === 'one_to_one').length,
    wrong: found.filter((kind) => kind === undefined).length,
    partOfGroup: found.filter((kind) => kind === 'group').length,
    expected: total('one_to_one'),
    inGroups: total('group'),
  };
}

function unmatchedLine(side, reasons) {
  const total = [...reasons.values()].reduce((sum, value) => sum + value, 0);
  const detail = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, value]) => `${reason} ${number(value)}`).join(', ');
  return `  ${side.padEnd(22)} ${number(total)}${detail ? `  (${detail})` : ''}`;
}

/** The result of the demo as lines of text. */
export function reportLines({ job, matches, left, right, unmatched, truth }) {
  const counts = Object.entries(job.decision_counts).filter(([, value]) => value > 0).map(([decision, value]) => `${decision} ${number(value)}`);
  const verdict = judge(matches, left, right, truth);
  return [
    '',
    ...exampleTable(matches, left, right),
    '',
    `  ${'Decisions'.padEnd(22)} ${counts.join(', ')}`,
    unmatchedLine('Invoices unmatched', unmatched.left),
    unmatchedLine('Bank lines unmatched', unmatched.right),
    `  ${'Precision'.padEnd(22)} ${percent(verdict.correct, verdict.correct + verdict.wrong)}  (${number(verdict.correct)} of ${number(verdict.correct + verdict.wrong)} matches are right)`,
    `  ${'Recall'.padEnd(22)} ${percent(verdict.correct, verdict.expected)}  (of ${number(verdict.expected)} one-to-one pairs)`,
    `  ${'Not one-to-one'.padEnd(22)} ${number(verdict.inGroups)} pairs belong to installments, partial and collective payments; ${number(verdict.partOfGroup)} of them matched singly`,
  ];
}
