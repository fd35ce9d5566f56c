/** Four weighted matchers over a blocking by amount bucket and date; `duckdb.mjs` says the same in SQL. */
export const ruleSet = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.7,
    matchers: [
      { id: 'amount', expr: '$abs(left.amount - right.amount) <= 0.01 * $abs(left.amount)', weight: 0.4 },
      { id: 'date', expr: '$abs($toMillis(left.date) - $toMillis(right.date)) <= 3 * 86400000', weight: 0.2 },
      { id: 'name', expr: '$lowercase($trim(left.name)) = $lowercase($trim(right.name))', weight: 0.2 },
      { id: 'reference', expr: '$contains(right.description, left.invoice_no)', weight: 0.2 },
    ],
    blocking: {
      amountKey: 'amount',
      amountBucketSize: 1,
      amountBucketWindow: 1,
      dateKey: 'date',
      dateToleranceDays: 3,
    },
  },
};

/** The same without the date, where the amount alone makes a match: a record has many, of which one can win. */
export const looseRuleSet = {
  ...ruleSet,
  params: {
    ...ruleSet.params,
    Tmatch: 0.5,
    Tpossible: 0.5,
    matchers: ruleSet.params.matchers.filter(({ id }) => id !== 'date'),
  },
};

/** The fields that the rule set reads. */
export const fieldsRead = {
  left: ['amount', 'date', 'name', 'invoice_no'],
  right: ['amount', 'date', 'name', 'description'],
};

/** Expressions tenants typically write. */
export const typicalExpressions = [
  { name: 'equality', source: 'left.amount = right.amount' },
  { name: 'tolerance', source: ruleSet.params.matchers[0].expr },
  { name: 'normalised names', source: ruleSet.params.matchers[2].expr },
  { name: 'contains', source: ruleSet.params.matchers[3].expr },
  { name: 'date difference', source: ruleSet.params.matchers[1].expr },
  {
    name: 'conditional object',
    source: `left.amount = right.amount and left.date = right.date ? {"score": 1, "reasons": ["same amount and date"]}
      : $abs(left.amount - right.amount) <= 0.05 * left.amount ? {"score": 0.7, "reasons": ["amount within 5 %"]}
      : {"score": 0}`,
  },
];

const transformedName = '$lowercase((right ~> |$|{"name": $trim(name)}|).name) = $lowercase($trim(left.name))';

/** Language that only the reference evaluator speaks. */
export const referenceExpressions = [
  { name: 'transform', source: transformedName },
  { name: 'parent', source: 'left.amount.%.invoice_no in $split(right.description, " ")' },
  { name: 'position', source: '$count($split(right.description, " ")#$i[$i > 0 and $contains($, "INV-")]) > 0' },
];

/** A rule set that spends its time in the reference evaluator: one matcher that fails decides nothing yet. */
export const referenceRuleSet = {
  engine: 'jsonata-batch',
  params: {
    ...ruleSet.params,
    Tpossible: 0.6,
    matchers: referenceExpressions.map(({ name, source }) => ({ id: name, expr: source })),
  },
};
