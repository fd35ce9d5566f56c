import { tableLines } from '../../tools/table.mjs';

/** Kinds of composites by the name of their rule set and the direction. */
const kindsOfRuleSets = {
  'Invoices against bank lines': { one_to_many: 'Split payments', many_to_one: 'Collective payments' },
  'Installment plans': { one_to_many: 'Installment plans' },
  'Card purchases against card bills': { many_to_one: 'Card bills' },
};
const kindsOfScenarios = {
  installments: 'Installment plans',
  open_installments: 'Installment plans',
  split: 'Split payments',
  second_payment: 'Split payments',
  split_with_fee: 'Split payments',
  ambiguous_split: 'Split payments',
  collective: 'Collective payments',
  card_bill: 'Card bills',
  card_bill_with_charge: 'Card bills',
};
const compositeKinds = [...new Set(Object.values(kindsOfScenarios))];

const pairKey = (left, right) => `${left}|${right}`;
const compositeKey = (target, members) => [target, ...[...members].sort()].join(' ');

/**
 * Compares MATCH pairs with the truth. A pair that is a part of a composite is neither right nor wrong as a pair.
 *
 * @returns {{ matched: number, right: number, expected: number }}
 */
function judgePairs(matches, externalId, truth) {
  const expected = new Set(truth.pairs.map((row) => pairKey(row.invoice_no, row.line_id)));
  const parts = new Set(
    truth.composites.flatMap(({ target, members }) =>
      members.split(' ').flatMap((member) => [pairKey(target, member), pairKey(member, target)]),
    ),
  );
  const found = matches
    .filter(({ decision }) => decision === 'MATCH')
    .map((match) => pairKey(externalId(match.left_record_id), externalId(match.right_record_id)));
  const right = found.filter((key) => expected.has(key)).length;
  return { matched: found.filter((key) => !parts.has(key)).length, right, expected: expected.size };
}

/**
 * Compares composites with the truth. Right is the same target with the same members; where the data leave several
 * sets open, the target must be proposed.
 */
function judgeComposites(composites, externalId, truth) {
  const expected = (outcome) => truth.filter((row) => row.outcome === outcome);
  const found = (decision) => composites.filter((composite) => composite.decision === decision);
  const sure = new Set(expected('MATCH').map(({ target, members }) => compositeKey(target, members.split(' '))));
  const open = new Set(expected('POSSIBLE').map(({ target }) => target));
  const matched = found('MATCH').map(({ targetRecordId, members }) =>
    compositeKey(
      externalId(targetRecordId),
      members.map(({ recordId }) => externalId(recordId)),
    ),
  );
  return {
    matched: matched.length,
    right: matched.filter((key) => sure.has(key)).length,
    expected: sure.size,
    proposed: found('POSSIBLE').filter(({ targetRecordId }) => open.has(externalId(targetRecordId))).length,
    open: open.size,
  };
}

const number = (value) => value.toLocaleString('en-US');
const percent = (part, whole) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`);

const verdictRow = (title, { matched, right, expected, proposed = 0, open = 0 }) => [
  title,
  number(expected),
  number(matched),
  percent(right, matched),
  percent(right, expected),
  open === 0 ? '' : `${number(proposed)} of ${number(open)}`,
];

/**
 * Table of what the truth holds, what was found, and how much of it is right. Left to a person is what the data leave
 * open: plans that are still being paid, bills that are off by a little, transfers that can be split in
 * several ways.
 *
 * @param {{ jobs: object[], matches: object[], composites: object[], records: Map<string, object>, truth: { pairs:
 *   object[], composites: object[] } }} found
 */
export function verdictLines({ jobs, matches, composites, records, truth }) {
  const externalId = (id) => records.get(id)?.external_id;
  const names = new Map(jobs.flatMap((job) => job.rule_sets.map((entry) => [entry.rule_set_id, entry.rule_set_name])));
  const kindOf = ({ ruleSetId, direction }) => kindsOfRuleSets[names.get(ruleSetId)]?.[direction];
  const judged = (kind) =>
    judgeComposites(
      composites.filter((composite) => !kind || kindOf(composite) === kind),
      externalId,
      truth.composites.filter(({ scenario }) => !kind || kindsOfScenarios[scenario] === kind),
    );
  return tableLines(
    [
      { title: 'Against the truth' },
      { title: 'To find', right: true },
      { title: 'MATCH', right: true },
      { title: 'Precision', right: true },
      { title: 'Recall', right: true },
      { title: 'Left to a person', right: true },
    ],
    [
      verdictRow('Pairs', judgePairs(matches, externalId, truth)),
      verdictRow('Composites', judged()),
      ...compositeKinds.map((kind) => verdictRow(`  ${kind}`, judged(kind))),
    ],
  );
}
