import fc from 'fast-check';
import type { RuleSetParams } from '@tieout/engine';
import { usePairJobs, type FinishedJob } from '../../../testing/pair-jobs';

const jobs = usePairJobs();

interface Sample {
  amount: string | number | null;
  date: string | null;
  name: string;
}

const cents = (value: string | number | null): number | null =>
  value === null || value === 'n/a' ? null : Math.round(Number(value) * 100);
const dayOf = (date: string | null): number | null =>
  date === null || date === 'soon' ? null : Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 86_400_000);

/** Compares every pair, one by one and in the plainest way. */
function bruteForce(
  lefts: readonly Sample[],
  rights: readonly Sample[],
  blocking: BlockingCase,
  thresholds: { Tmatch: number; Tpossible: number },
) {
  const counts = { pairs: 0, MATCH: 0, POSSIBLE: 0, NO_MATCH: 0 };
  const decisions = new Map<string, string>();
  lefts.forEach((l, i) =>
    rights.forEach((r, j) => {
      if (!blocking.candidate(l, r)) return;
      counts.pairs++;
      const values: (boolean | null)[] = [
        cents(l.amount) !== null && cents(l.amount) === cents(r.amount),
        l.name === 'ghost' ? null : l.name === r.name,
      ];
      const weights = [2, 1];
      let sum = 0;
      let weight = 0;
      values.forEach((v, k) => {
        if (v === null) return;
        weight += weights[k] as number;
        if (v) sum += weights[k] as number;
      });
      const score = weight === 0 ? 0 : sum / weight;
      const decision = score >= thresholds.Tmatch ? 'MATCH' : score >= thresholds.Tpossible ? 'POSSIBLE' : 'NO_MATCH';
      counts[decision]++;
      if (decision !== 'NO_MATCH') decisions.set(`l${i}|r${j}`, decision);
    }),
  );
  return { counts, decisions };
}

interface BlockingCase {
  params: Pick<RuleSetParams, 'blocking'>;
  candidate: (l: Sample, r: Sample) => boolean;
}

const near = (a: number | null, b: number | null, within: (x: number, y: number) => boolean): boolean =>
  a !== null && b !== null && within(a, b);

const blockingCase: fc.Arbitrary<BlockingCase> = fc.oneof(
  fc
    .record({ size: fc.constantFrom(0.01, 0.5, 1, 10), window: fc.nat(2), days: fc.option(fc.nat(3)) })
    .map(({ size, window, days }) => ({
      params: {
        blocking: {
          amountKey: 'amount',
          amountBucketSize: size,
          amountBucketWindow: window,
          ...(days === null ? {} : { dateKey: 'date', dateToleranceDays: days }),
        },
      },
      candidate: (l: Sample, r: Sample) =>
        near(cents(l.amount), cents(r.amount), (x, y) => {
          const bucket = (v: number): number => Math.floor(Math.abs(v) / Math.round(size * 100));
          return Math.abs(bucket(x) - bucket(y)) <= window;
        }) &&
        (days === null || near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days)),
    })),
  fc.record({ percent: fc.constantFrom(0, 1, 10, 100), days: fc.nat(3) }).map(({ percent, days }) => ({
    params: {
      blocking: { amountKey: 'amount', amountTolerancePercent: percent, dateKey: 'date', dateToleranceDays: days },
    },
    candidate: (l: Sample, r: Sample) =>
      near(
        cents(l.amount),
        cents(r.amount),
        (x, y) => Math.abs(x - y) * 100 <= percent * Math.max(Math.abs(x), Math.abs(y)),
      ) && near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days),
  })),
  fc.nat(2).map((days) => ({
    params: { blocking: { dateKey: 'date', dateToleranceDays: days } },
    candidate: (l: Sample, r: Sample) => near(dayOf(l.date), dayOf(r.date), (x, y) => Math.abs(x - y) <= days),
  })),
  fc.constant<BlockingCase>({ params: {}, candidate: () => true }),
);

const sample: fc.Arbitrary<Sample> = fc.record({
  amount: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -300, max: 3000 }).map((c) => c / 100) },
    { weight: 2, arbitrary: fc.constantFrom('10.00', '-3.5', '0', 12.5, 100) },
    { weight: 1, arbitrary: fc.constantFrom(null, 'n/a') },
  ),
  date: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }).map((d) => `2025-03-0${d}`) },
    { weight: 1, arbitrary: fc.constantFrom('2025-03-03T23:59:59Z', null, 'soon') },
  ),
  name: fc.constantFrom('ada', 'bob', 'ghost'),
});

const matchers = [
  { expr: '$number(left.amount) = $number(right.amount)', weight: 2 },
  { expr: `left.name = 'ghost' ? null : left.name = right.name`, weight: 1 },
];

test('candidate pairs and decisions equal those of comparing every pair', async () => {
  const thresholds = { Tmatch: 0.9, Tpossible: 0.3 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(sample, { maxLength: 25 }),
      fc.array(sample, { maxLength: 25 }),
      blockingCase,
      async (lefts, rights, blocking) => {
        await jobs.newTenant();
        const readable = matchers.map((m) => ({
          ...m,
          expr: m.expr.replace(
            /\$number\((\w+)\.amount\)/g,
            `($1.amount = null or $1.amount = 'n/a' ? {'of': '$1'} : $number($1.amount))`,
          ),
        }));
        const { job, matches } = await jobs.run({
          lefts,
          rights,
          params: { ...thresholds, ...blocking.params, matchers: readable },
        });
        const expected = bruteForce(lefts, rights, blocking, thresholds);
        const { NO_MATCH, MATCH, POSSIBLE, ERROR } = job.entries[0]?.decisionCounts ?? {};
        expect({ status: job.status, error: job.error }).toEqual({ status: 'completed', error: null });
        expect(job.entries[0]).toMatchObject({
          pairsTotal: expected.counts.pairs,
          pairsProcessed: expected.counts.pairs,
        });
        expect({ NO_MATCH, MATCH, POSSIBLE, ERROR }).toEqual({
          NO_MATCH: expected.counts.NO_MATCH,
          MATCH: expected.counts.MATCH,
          POSSIBLE: expected.counts.POSSIBLE,
          ERROR: 0,
        });
        expect(new Map([...matches].map(([pair, m]) => [pair, m.decision]))).toEqual(expected.decisions);
      },
    ),
    { numRuns: 40 },
  );
}, 180_000);

test('the same input gives the same result, whatever the order of batches and workers', async () => {
  const rows = (seed: number): object[] =>
    Array.from({ length: 400 }, (_, i) => ({
      amount: ((i * 7 + seed) % 90) / 10,
      date: `2025-03-${String(1 + (i % 20)).padStart(2, '0')}`,
      name: `n${(i * seed) % 5}`,
    }));
  const params: RuleSetParams = {
    Tmatch: 0.6,
    Tpossible: 0.3,
    assignment: 'one_to_one',
    matchers: [{ expr: 'left.amount = right.amount', weight: 2 }, { expr: 'left.name = right.name' }],
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 4 },
  };
  const strip = ({ matches }: FinishedJob): Map<string, object> =>
    new Map(
      [...matches].sort().map(([pair, { decision, score, explanation }]) => [pair, { decision, score, explanation }]),
    );
  const first = await jobs.run({ lefts: rows(3), rights: rows(11), params });
  const second = await jobs.run({ lefts: rows(3), rights: rows(11), params });
  expect(strip(second)).toEqual(strip(first));
  expect(first.job.entries[0]?.decisionCounts).toEqual(second.job.entries[0]?.decisionCounts);
});

test('one_to_one leaves a record in at most one MATCH and turns the losers into POSSIBLE with conflict', async () => {
  const { matches, job } = await jobs.run({
    lefts: [{ amount: 10, name: 'ada' }],
    rights: [
      { amount: 10, name: 'ada' },
      { amount: 10, name: 'bob' },
    ],
    params: {
      Tmatch: 0.5,
      Tpossible: 0.2,
      assignment: 'one_to_one',
      matchers: [{ expr: 'left.amount = right.amount', weight: 3 }, { expr: 'left.name = right.name' }],
      blocking: { amountKey: 'amount' },
    },
  });
  expect(matches.get('l0|r0')?.decision).toBe('MATCH');
  expect(matches.get('l0|r1')).toMatchObject({ decision: 'POSSIBLE', explanation: { conflict: true } });
  expect(job.entries[0]?.decisionCounts).toMatchObject({ MATCH: 1, POSSIBLE: 1, NO_MATCH: 0 });
});

test('an exact tie leaves all its pairs POSSIBLE and ambiguous', async () => {
  const { matches } = await jobs.run({
    lefts: [{ amount: 10 }],
    rights: [
      { amount: 10, memo: 'a' },
      { amount: 10, memo: 'b' },
    ],
    params: {
      Tmatch: 0.5,
      Tpossible: 0.2,
      assignment: 'one_to_one',
      matchers: [{ expr: 'left.amount = right.amount' }, { expr: '$exists(right.memo)', weight: 0 }],
      blocking: { amountKey: 'amount' },
    },
  });
  expect([...matches.values()].map((m) => [m.decision, m.explanation['ambiguous']])).toEqual([
    ['POSSIBLE', true],
    ['POSSIBLE', true],
  ]);
});

/** Assigns the pairs of a job without assignment one to one: level by level, over plain lists. */
function assigned(matches: FinishedJob['matches']): Map<string, [string, string?]> {
  const pairs = [...matches]
    .filter(([, m]) => m.decision === 'MATCH')
    .map(([pair, m]) => {
      const [left, right] = pair.split('|');
      const size = (key: string): number =>
        typeof m.explanation[key] === 'number' ? Math.abs(m.explanation[key]) : Infinity;
      return { pair, left, right, rank: [-m.score, size('dayDelta'), size('amountDelta')] };
    });
  const apart = (one: number[], other: number[]): number =>
    one.map((value, i) => (value === other[i] ? 0 : value - (other[i] as number))).find((d) => d !== 0) ?? 0;
  const found = new Map<string, [string, string?]>([...matches].map(([pair, m]) => [pair, [m.decision]]));
  const used = new Set<string | undefined>();
  let rest = pairs.sort((one, other) => apart(one.rank, other.rank));
  while (rest[0]) {
    const { rank } = rest[0];
    const level = rest.filter((one) => apart(one.rank, rank) === 0);
    rest = rest.slice(level.length);
    const free = level.filter(({ left, right }) => !used.has(left) && !used.has(right));
    for (const one of level) {
      const rivals = free.filter(({ left, right }) => left === one.left || right === one.right);
      if (!free.includes(one)) found.set(one.pair, ['POSSIBLE', 'conflict']);
      else if (rivals.length > 1) found.set(one.pair, ['POSSIBLE', 'ambiguous']);
    }
    for (const { left, right } of free) used.add(left).add(right);
  }
  return found;
}

test('one_to_one decides as taking the best pair first does, and states why each loser lost', async () => {
  const rows = (count: number, seed: number): object[] =>
    Array.from({ length: count }, (_, i) => ({
      amount: ((i * 7 + seed) % 11) / 2,
      ...(i % 9 === 0 ? {} : { date: `2025-03-${String(1 + ((i * seed) % 28)).padStart(2, '0')}` }),
      name: `n${(i * seed) % 4}`,
    }));
  const params: RuleSetParams = {
    Tmatch: 0.3,
    Tpossible: 0.1,
    matchers: [{ expr: 'left.name = right.name' }, { expr: 'left.date = right.date' }, { expr: 'true' }],
    blocking: { amountKey: 'amount' },
    maxPossiblePerRecord: 100,
  };
  const plain = await jobs.run({ lefts: rows(80, 3), rights: rows(70, 5), params });
  const { matches, job } = await jobs.run({
    lefts: rows(80, 3),
    rights: rows(70, 5),
    params: { ...params, assignment: 'one_to_one' },
  });
  const expected = assigned(plain.matches);
  const kinds = new Map(
    [...matches].map(([pair, { decision, explanation }]) => [
      pair,
      [decision, ...['conflict', 'ambiguous'].filter((flag) => explanation[flag] === true)],
    ]),
  );
  expect(kinds).toEqual(expected);
  const count = (...kind: string[]): number =>
    [...expected.values()].filter((found) => found.join() === kind.join()).length;
  expect([count('MATCH'), count('POSSIBLE', 'conflict'), count('POSSIBLE', 'ambiguous')].every((n) => n > 5)).toBe(
    true,
  );
  expect(job.entries[0]?.decisionCounts).toMatchObject({
    MATCH: count('MATCH'),
    POSSIBLE: expected.size - count('MATCH'),
  });
});
