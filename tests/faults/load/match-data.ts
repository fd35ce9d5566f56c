import type { Random } from '../random';

/** Rows of two books that agree in part, with ties, near misses and groups that add up. */
export interface Books {
  invoices: Row[];
  lines: Row[];
}

interface Row {
  externalId: string;
  body: { amount: number; date: string; name: string };
}

export function makeBooks(random: Random, size: number): Books {
  const row = (prefix: string, i: number, amount: number, dayNo: number, name: number): Row => ({
    externalId: `${prefix}${i}`, body: { amount: amount / 10, date: day(dayNo), name: `n${name}` },
  });
  const [a, b] = [random.pick([37, 41, 43]), random.pick([53, 59, 61])];
  return {
    invoices: Array.from({ length: size }, (_, i) => row('i', i, (i * a) % 900, i, i % 40)),
    lines: Array.from({ length: size }, (_, i) => row('b', i, (i * b) % 900, i + (i % 3), i % 45)),
  };
}

function day(i: number): string {
  return new Date(Date.UTC(2025, 0, 1 + (i % 31))).toISOString().slice(0, 10);
}

export const ruleSets: readonly object[] = [
  {
    name: 'pairs',
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.7,
      Tpossible: 0.4,
      assignment: 'one_to_one',
      matchers: [
        { id: 'amount', expr: '$abs(left.amount - right.amount) <= 0.5', weight: 2 },
        { id: 'name', expr: '$lowercase(left.name) = $lowercase(right.name)', weight: 2 },
        // A variable bound inside a path needs the reference evaluator: at its pace faults find a job in the middle of it.
        { id: 'date', expr: 'left@$l.($l.date = right.date)' },
      ],
      blocking: { amountKey: 'amount', amountBucketWindow: 2, dateKey: 'date', dateToleranceDays: 8 },
    },
  },
  {
    name: 'groups',
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0.5,
      assignment: 'one_to_one',
      matchers: [{ id: 'name', expr: 'left.name = right.name' }],
      blocking: { amountKey: 'amount', amountBucketWindow: 0, dateKey: 'date', dateToleranceDays: 1 },
      composition: {
        enabled: true, direction: 'both', maxGroupSize: 3, groupByField: 'name', preferCompleteGroup: false, dateStrategy: 'window', dateToleranceDays: 3,
      },
    },
  },
];
