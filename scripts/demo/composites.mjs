import { tableLines } from '../../tools/table.mjs';

const partsShown = 4;

const compositeKinds = {
  installments: ({ installments }) => `${installments.count} installments`,
  group: ({ group }) => `all of ${group}`,
  subset: ({ ambiguous, search }) => `${ambiguous ? 'one' : 'the only'} set among ${search.candidates} candidates`,
  partial: ({ completionRatio, installments }) =>
    `${Math.floor(completionRatio * 100)} % paid${installments ? ` of ${installments.count} installments` : ''}`,
};

/** Says in one line why a composite is one: how its members were found, in how many days, what speaks against it. */
export function explainComposite({ explanation, amountDelta }) {
  const { kind, dates, ambiguous, otherSets, search } = explanation;
  const parts = [compositeKinds[kind](explanation)];
  if (dates?.spreadDays !== undefined) parts.push(`within ${dates.spreadDays} d`);
  if (kind !== 'partial' && amountDelta !== 0) parts.push(`off by ${Math.abs(amountDelta).toFixed(2)}`);
  if (ambiguous) parts.push(`${otherSets} other set${otherSets === 1 ? ' is' : 's are'} just as good`);
  if (!search.complete) parts.push('not everything could be tried');
  return parts.join(' · ');
}

/** Never rounded up: what is off by a little must not look exact. */
const scoreText = (score) => (Math.floor(score * 100) / 100).toFixed(2);

/** One example of each kind that a reader wants to see. */
function examples(composites) {
  const isMatch = ({ decision }) => decision === 'MATCH';
  const kindOf = ({ explanation }) => explanation.kind;
  const wanted = [
    (composite) =>
      isMatch(composite) &&
      composite.direction === 'one_to_many' &&
      kindOf(composite) !== 'installments' &&
      composite.members.length > 2,
    (composite) => isMatch(composite) && kindOf(composite) === 'installments' && composite.members.length < 5,
    (composite) => isMatch(composite) && composite.direction === 'many_to_one' && composite.members.length < 5,
    (composite) => isMatch(composite) && composite.members.length > 12,
    (composite) => composite.status === 'PARTIAL',
    (composite) => composite.decision === 'POSSIBLE' && composite.status === 'COMPLETE' && composite.amountDelta !== 0,
    (composite) => composite.explanation.ambiguous,
  ];
  return [...new Set(wanted.map((isWanted) => composites.find(isWanted)).filter(Boolean))];
}

function sumText(members) {
  const shown = members.slice(0, partsShown).map(({ amount }) => amount.toFixed(2));
  const more = members.length - shown.length;
  return `${shown.join(' + ')}${more > 0 ? ` + ${more} more` : ''}`.replaceAll('+ -', '- ');
}

/** Three lines for each example: the target, what adds up to it, and why. */
export function compositeExamples(composites, records) {
  const shown = examples(composites);
  const rows = shown.map(({ targetRecordId, targetAmount, members, score, decision }) => {
    const target = records.get(targetRecordId) ?? {};
    return [
      target.external_id ?? '',
      target.customer ?? target.text ?? '',
      targetAmount.toFixed(2),
      String(members.length),
      scoreText(score),
      decision,
    ];
  });
  const [titles, rule, ...lines] = tableLines(
    [
      { title: 'One record' },
      { title: 'Customer or text', maxWidth: 34 },
      { title: 'Amount', right: true },
      { title: 'Group of', right: true },
      { title: 'Score', right: true },
      { title: 'Decision' },
    ],
    rows,
  );
  return [
    titles,
    rule,
    ...lines.flatMap((line, index) => [
      line,
      `      ${sumText(shown[index].members)}`,
      `      ${explainComposite(shown[index])}`,
    ]),
  ];
}
