/** Rows of two books that agree in part, with ties, near misses and groups that add up. */
export interface LoadedBooks {
  invoices: Row[];
  lines: Row[];
}

interface Row {
  externalId: string;
  body: { amount: number; date: string; name: string };
}

/** @param steps from the amount of a row to that of the next one, in tenths, of either side */
export function makeBooks(size: number, steps: { invoices: number; lines: number }): LoadedBooks {
  const row = (externalId: string, amount: number, dayNo: number, name: number): Row => ({
    externalId,
    body: { amount: amount / 10, date: day(dayNo), name: `n${name}` },
  });
  return {
    invoices: Array.from({ length: size }, (_, i) => row(`i${i}`, (i * steps.invoices) % 900, i, i % 40)),
    lines: Array.from({ length: size }, (_, i) => row(`b${i}`, (i * steps.lines) % 900, i + (i % 3), i % 45)),
  };
}

function day(i: number): string {
  return new Date(Date.UTC(2025, 0, 1 + (i % 31))).toISOString().slice(0, 10);
}

/** Pairs of the two books; the work has several batches. */
export const pairRules = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.7,
    Tpossible: 0.4,
    assignment: 'one_to_one',
    matchers: [
      { id: 'amount', expr: '$abs(left.amount - right.amount) <= 0.5', weight: 2 },
      { id: 'name', expr: '$lowercase(left.name) = $lowercase(right.name)', weight: 2 },
      // A variable bound inside a path needs the slow reference evaluator, so that faults hit a job in the middle.
      { id: 'date', expr: 'left@$l.($l.date = right.date)' },
    ],
    blocking: { amountKey: 'amount', amountBucketWindow: 2, dateKey: 'date', dateToleranceDays: 8 },
  },
};

/** Groups of the two books: many sets fit, and many targets share members. Larger groups and windows are more work. */
export const groupRules = (composition: { maxGroupSize: number; dateToleranceDays: number }) => ({
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.9,
    Tpossible: 0.5,
    assignment: 'one_to_one',
    matchers: [{ id: 'name', expr: 'left.name = right.name' }],
    blocking: { amountKey: 'amount', amountBucketWindow: 0, dateKey: 'date', dateToleranceDays: 1 },
    composition: {
      enabled: true,
      direction: 'both',
      groupByField: 'name',
      preferCompleteGroup: false,
      dateStrategy: 'window',
      ...composition,
    },
  },
});
