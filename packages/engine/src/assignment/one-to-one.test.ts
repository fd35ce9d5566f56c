import fc from 'fast-check';
import { createAssignment } from './one-to-one';
import type { AssignmentOptions, Loss, RankedPair, RecordClasses } from './one-to-one';

type Kind = 'match' | Loss;

function farthest(value: number | null): number {
  return value === null ? Infinity : Math.abs(value);
}

function byRank(one: RankedPair, other: RankedPair): number {
  return (
    other.score - one.score ||
    compare(farthest(one.days), farthest(other.days)) ||
    compare(farthest(one.gap), farthest(other.gap)) ||
    one.left - other.left ||
    one.right - other.right
  );
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** Returns the outcome of each pair, in the order given. */
function kinds(pairs: RankedPair[], options: Partial<AssignmentOptions> = {}): Kind[] {
  const assignment = createAssignment({ records: { left: 20, right: 20 }, ...options });
  for (const one of pairs) assignment.push(one);
  assignment.end();
  return pairs.map((one) => assignment.lossOf(one) ?? 'match');
}

function pair(left: number, right: number, score = 1, days: number | null = 0, gap: number | null = 0): RankedPair {
  return { left, right, score, days, gap };
}

test('score, then fewer days, then the smaller gap decides', () => {
  expect(kinds([pair(0, 0, 0.9), pair(0, 1, 0.8)])).toEqual(['match', 'conflict']);
  expect(kinds([pair(0, 1, 0.9, 1), pair(0, 0, 0.9, 2)])).toEqual(['match', 'conflict']);
  expect(kinds([pair(0, 1, 0.9, 1, 0.1), pair(0, 0, 0.9, 1, 0.2)])).toEqual(['match', 'conflict']);
});

test('a missing day difference or gap counts as the largest', () => {
  expect(kinds([pair(0, 1, 0.9, 5_000), pair(0, 0, 0.9, null)])).toEqual(['match', 'conflict']);
  expect(kinds([pair(0, 1, 0.9, null, 9e9), pair(0, 0, 0.9, null, null)])).toEqual(['match', 'conflict']);
});

test('an exact tie leaves its pairs ambiguous and its records out of lower pairs', () => {
  expect(kinds([pair(0, 0, 0.9), pair(0, 1, 0.9), pair(0, 2, 0.8), pair(1, 1, 0.8), pair(3, 3, 0.8)])).toEqual([
    'ambiguous',
    'ambiguous',
    'conflict',
    'conflict',
    'match',
  ]);
});

test('days and gaps of either sign tie by their size', () => {
  expect(kinds([pair(0, 0, 0.9, -1, 2), pair(0, 1, 0.9, 1, -2)])).toEqual(['ambiguous', 'ambiguous']);
});

test('a pair is not a rival when one of its records was taken before', () => {
  expect(kinds([pair(0, 0, 0.9), pair(0, 1, 0.8), pair(1, 1, 0.8)])).toEqual(['match', 'conflict', 'match']);
});

test('a chain of ties is ambiguous throughout', () => {
  expect(kinds([pair(0, 0), pair(0, 1), pair(1, 1), pair(1, 2)])).toEqual(Array(4).fill('ambiguous'));
});

/** The rules once more, the slow way: level by level over plain lists. */
function reference(pairs: RankedPair[]): Map<RankedPair, Kind> {
  const verdicts = new Map<RankedPair, Kind>();
  const usedLeft = new Set<number>();
  const usedRight = new Set<number>();
  let rest = [...pairs].sort(byRank);
  while (rest[0] !== undefined) {
    const first = rest[0];
    const level = rest.filter(
      (one) =>
        one.score === first.score &&
        farthest(one.days) === farthest(first.days) &&
        farthest(one.gap) === farthest(first.gap),
    );
    rest = rest.filter((one) => !level.includes(one));
    const free = level.filter((one) => !usedLeft.has(one.left) && !usedRight.has(one.right));
    for (const one of level) {
      const rivals = free.filter((other) => other !== one && (other.left === one.left || other.right === one.right));
      verdicts.set(one, !free.includes(one) ? 'conflict' : rivals.length === 0 ? 'match' : 'ambiguous');
    }
    for (const one of free) {
      usedLeft.add(one.left);
      usedRight.add(one.right);
    }
  }
  return verdicts;
}

const rankedPairs = fc.uniqueArray(
  fc.record({
    left: fc.nat({ max: 9 }),
    right: fc.nat({ max: 9 }),
    score: fc.constantFrom(0.7, 0.8, 0.9),
    days: fc.constantFrom(null, 0, 1, -1),
    gap: fc.constantFrom(null, 0, 0.5, -0.5),
  }),
  { selector: ({ left, right }) => left * 100 + right, maxLength: 40 },
);

test('every pair is decided once, as the definition says', () => {
  fc.assert(
    fc.property(rankedPairs, (pairs) => {
      const sorted = [...pairs].sort(byRank);
      const expected = reference(pairs);
      expect(kinds(sorted)).toEqual(sorted.map((one) => expected.get(one)));
    }),
    { numRuns: 2_000 },
  );
});

test('a record is in one match at most', () => {
  fc.assert(
    fc.property(rankedPairs, (pairs) => {
      const sorted = [...pairs].sort(byRank);
      const decided = kinds(sorted);
      const matches = sorted.filter((_, index) => decided[index] === 'match');
      expect(new Set(matches.map((one) => one.left)).size).toBe(matches.length);
      expect(new Set(matches.map((one) => one.right)).size).toBe(matches.length);
    }),
    { numRuns: 1_000 },
  );
});

test('a pair can be asked for in any order', () => {
  fc.assert(
    fc.property(rankedPairs, (pairs) => {
      const assignment = createAssignment({ records: { left: 20, right: 20 } });
      for (const one of [...pairs].sort(byRank)) assignment.push(one);
      assignment.end();
      const expected = reference(pairs);
      expect(pairs.map((one) => assignment.lossOf(one) ?? 'match')).toEqual(pairs.map((one) => expected.get(one)));
    }),
  );
});

test('the order of pairs within one level changes nothing', () => {
  fc.assert(
    fc.property(rankedPairs, fc.integer(), (pairs, seed) => {
      const sorted = [...pairs].sort(byRank);
      const shuffled = [...pairs].sort((one, other) => {
        const rank = byRank({ ...one, left: 0, right: 0 }, { ...other, left: 0, right: 0 });
        return (
          rank || ((one.left * 31 + one.right * 17 + seed) % 13) - ((other.left * 31 + other.right * 17 + seed) % 13)
        );
      });
      const verdicts = (input: RankedPair[]): Map<string, Kind> => {
        const decided = kinds(input);
        return new Map(input.map((one, index) => [`${one.left}-${one.right}`, decided[index] as Kind]));
      };
      expect(verdicts(shuffled)).toEqual(verdicts(sorted));
    }),
  );
});

describe('equal records', () => {
  /** All pairs of some records, of one level. */
  const all = (lefts: number[], rights: number[], score = 1): RankedPair[] =>
    lefts.flatMap((left) => rights.map((right) => pair(left, right, score)));
  /** Classes of 20 records: those of each list are equal. */
  const classes = (...lists: number[][]): Int32Array =>
    Int32Array.from({ length: 20 }, (_, record) => lists.find((list) => list.includes(record))?.[0] ?? record);
  const matched = (pairs: RankedPair[], options: Partial<AssignmentOptions>): string[] => {
    const found = kinds(pairs, options);
    return pairs.flatMap(({ left, right }, at) => (found[at] === 'match' ? [`${left}-${right}`] : []));
  };
  const of = (same: Int32Array, alike = same): RecordClasses => ({ same, alike });
  const three = { left: of(classes([0, 1, 2])), right: of(classes([0, 1, 2])) };
  const own = classes();
  /** Records 0 and 1 of each side differ only in how an amount or a date is written. */
  const written = { left: of(own, classes([0, 1])), right: of(own, classes([0, 1])) };

  test.each<[string, RankedPair[], Partial<AssignmentOptions>, string[]]>([
    ['as many on both sides', all([0, 1, 2], [0, 1, 2]), { classes: three }, ['0-0', '1-1', '2-2']],
    ['more on the left', all([0, 1, 2], [0, 1]), { classes: three }, ['0-0', '1-1']],
    ['more on the right', all([0], [0, 1, 2]), { classes: three }, ['0-0']],
    [
      'what is left over takes a lower pair',
      [...all([0, 1], [0]), ...all([0, 1], [5], 0.9)],
      { classes: three },
      ['0-0', '1-5'],
    ],
    ['two classes that meet one stay ambiguous', all([0, 1, 3], [0, 1]), { classes: three }, []],
    ['rights that differ stay ambiguous', all([0, 1], [0, 4]), { classes: three }, []],
    [
      'a rejected pair is passed over',
      all([0, 1, 2], [0, 1, 2]).filter(({ left, right }) => !(left === 0 && right === 0)),
      { classes: three, rejected: [{ left: 0, right: 0 }] },
      ['0-1', '1-0', '2-2'],
    ],
    [
      'a rejected pair at the end is made room for',
      all([0, 1], [0, 1]).filter(({ left, right }) => !(left === 1 && right === 1)),
      { classes: three, rejected: [{ left: 1, right: 1 }] },
      ['0-1', '1-0'],
    ],
    ['of one dataset, neighbours', [pair(0, 1), pair(0, 2), pair(1, 2)], { classes: three, isOneSide: true }, ['0-1']],
    [
      'of one dataset, two classes',
      all([0, 1], [5, 6]),
      { classes: { left: of(classes([0, 1], [5, 6])), right: of(classes([0, 1], [5, 6])) }, isOneSide: true },
      ['0-5', '1-6'],
    ],
    ['values written in two ways', all([0, 1], [0, 1]), { classes: written }, ['0-0', '1-1']],
    ['values written in two ways, one left over', all([0, 1], [0]), { classes: written }, ['0-0']],
    ['each value written as on the other side', [pair(0, 0), pair(1, 1)], { classes: written }, ['0-0', '1-1']],
    ['a way of writing that one pair lacks', [pair(0, 0), pair(0, 1), pair(1, 1)], { classes: written }, []],
    [
      'values written in two ways, of which one pair is rejected',
      [pair(0, 1), pair(1, 0), pair(1, 1)],
      { classes: written, rejected: [{ left: 0, right: 0 }] },
      ['0-1', '1-0'],
    ],
    [
      'the same values among those written in two ways',
      [...all([0, 1], [0, 1]), ...all([2], [2])],
      { classes: { left: of(classes([0, 1]), classes([0, 1, 2])), right: of(classes([0, 1]), classes([0, 1, 2])) } },
      ['0-0', '1-1', '2-2'],
    ],
    [
      'of one dataset, values written in two ways',
      [pair(0, 1), pair(0, 2), pair(1, 2), pair(0, 3), pair(1, 3), pair(2, 3)],
      { classes: { left: of(own, classes([0, 1, 2, 3])), right: of(own, classes([0, 1, 2, 3])) }, isOneSide: true },
      ['0-1', '2-3'],
    ],
  ])('%s', (_, pairs, options, expected) => {
    expect(matched(pairs, options)).toEqual(expected);
  });

  test('the number of choices is that of the larger side', () => {
    const assignment = createAssignment({ records: { left: 20, right: 20 }, classes: three });
    for (const one of all([0, 1, 2], [0, 1])) assignment.push(one);
    assignment.end();
    expect(assignment.choicesOf(pair(1, 1))).toBe(3);
    expect(assignment.lossOf(pair(0, 1))).toBe('exchangeable');
    expect(assignment.lossOf(pair(2, 0))).toBe('conflict');
  });

  test('a thousand equal records a side are tied in a moment', () => {
    const count = 1_000;
    const equal = of(new Int32Array(count));
    const assignment = createAssignment({
      records: { left: count, right: count },
      classes: { left: equal, right: equal },
    });
    for (let at = 0; at < count; at++) for (let right = 0; right < count; right++) assignment.push(pair(at, right));
    assignment.end();
    expect(assignment.lossOf(pair(count - 1, count - 1))).toBeNull();
  });

  test('a record is in one match at most, and no match has a rival of another class', () => {
    const classesOf = fc.array(fc.nat({ max: 3 }), { minLength: 10, maxLength: 10 });
    const firsts = (labels: readonly number[]): Int32Array => Int32Array.from(labels, (label) => labels.indexOf(label));
    const table = fc.array(fc.constantFrom(null, 0.7, 0.8), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(classesOf, classesOf, table, (left, right, scores) => {
        const pairs = all([...left.keys()], [...right.keys()])
          .flatMap((one) => {
            const score = scores[(left[one.left] as number) * 4 + (right[one.right] as number)];
            return typeof score === 'number' ? [{ ...one, score }] : [];
          })
          .sort(byRank);
        const found = kinds(pairs, {
          records: { left: 10, right: 10 },
          classes: { left: of(firsts(left)), right: of(firsts(right)) },
        });
        const matches = pairs.filter((_, at) => found[at] === 'match');
        expect(new Set(matches.map((one) => one.left)).size).toBe(matches.length);
        expect(new Set(matches.map((one) => one.right)).size).toBe(matches.length);
        const ambiguous = new Set(pairs.flatMap((one, at) => (found[at] === 'ambiguous' ? [one.left] : [])));
        expect(matches.filter((one) => ambiguous.has(one.left))).toEqual([]);
      }),
    );
  });
});
