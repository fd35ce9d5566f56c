import fc from 'fast-check';
import { caseCount } from '../../../fuzz/config';
import { noUnits } from './char-set';
import { backtrackingBound } from './backtracking-bound';
import { firstUnits, isNullable } from './first';
import { Machine } from './machine';
import { parsePattern } from './pattern';
import type { Assertion, Pattern } from './pattern';
import { compileProgram, NoProgram } from './program';

const atoms = fc.constantFrom(
  'a',
  'b',
  'c',
  'K',
  '1',
  ' ',
  '-',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '[ab]',
  '[^a]',
  '[^]',
  '[]',
  '[a-c_]',
  '[\\W]',
  '[^\\w\\s]',
  '\\u017f',
  'é',
  'ß',
  '\\ud83d',
  '\\n',
  '\\x41',
);
const quantifiers = fc
  .tuple(fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '{0}'), fc.constantFrom('', '', '?'))
  .map((parts) => parts.join(''));
const assertions = fc.constantFrom('', '', '^', '$', '\\b', '\\B');

/** Sources of regular expressions with groups, choices, repetitions in one another and assertions. */
const patterns: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => {
  const pattern = tie('pattern');
  const join = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((texts) => texts.join(''));
  const text = (value: string): fc.Arbitrary<string> => fc.constant(value);
  return {
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atoms,
      join(atoms, quantifiers),
      join(pattern, pattern),
      join(text('(?:'), pattern, text('|'), pattern, text(')')),
      join(text('('), pattern, text(')')),
      join(text('('), pattern, text('|'), fc.oneof(pattern, text('')), text(')'), quantifiers),
      join(text('(?:'), pattern, text(')'), quantifiers),
      join(assertions, pattern, assertions),
    ),
  };
}).pattern;

const flagsOf = fc.constantFrom('', 'i', 'm', 'im');

const pieces = [
  'a',
  'b',
  'c',
  'A',
  'k',
  'K',
  '\u212a',
  '\u017f',
  's',
  'S',
  '1',
  '9',
  ' ',
  '\n',
  '\r',
  '\u2028',
  '_',
  '-',
  'é',
  'É',
  'ß',
  'ẞ',
  'µ',
  'μ',
  '\ud83d\ude00',
  '\ud83d',
];

/** Short texts of what the patterns are about, with the traps of case and of characters of two units. */
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

type Go = (place: number) => boolean;

/** Ends a count that has become larger than anybody asks for. */
class TooManySteps extends Error {}

/** Matches like a backtracking matcher, at each position of the text, and counts its steps. */
function backtrackingSteps(root: Pattern, text: string, most: number): number {
  let steps = 0;
  const run = (pattern: Pattern, place: number, go: Go): boolean => {
    steps++;
    if (steps > most) throw new TooManySteps();
    switch (pattern.kind) {
      case 'set':
        return place < text.length && pattern.set.has(text.charCodeAt(place)) && go(place + 1);
      case 'sequence':
        return pattern.items.reduceRight<Go>((after, item) => (at) => run(item, at, after), go)(place);
      case 'choice':
        return pattern.options.some((option) => run(option, place, go));
      case 'group':
        return run(pattern.body, place, go);
      case 'assertion':
        return holds(pattern.is, text, place) && go(place);
      case 'repeat':
        return repeat(pattern, pattern.min, pattern.max, place, go);
      case 'look':
      case 'backReference':
        throw new TypeError(`${pattern.kind} is not counted`);
    }
  };
  const repeat = (
    pattern: Extract<Pattern, { kind: 'repeat' }>,
    min: number,
    max: number,
    place: number,
    go: Go,
  ): boolean => {
    if (max === 0) return go(place);
    const more: Go = (at) =>
      min === 0 && at === place ? false : repeat(pattern, Math.max(0, min - 1), max - 1, at, go);
    const into = (): boolean => run(pattern.body, place, more);
    if (min > 0) return into();
    return pattern.greedy ? into() || go(place) : go(place) || into();
  };
  for (let start = 0; start <= text.length; start++) if (run(root, start, () => true)) break;
  return steps;
}

function holds(assertion: Assertion, text: string, place: number): boolean {
  const source = { textStart: '^', textEnd: '$', lineStart: '^', lineEnd: '$', word: '\\b', notWord: '\\B' }[assertion];
  const regex = new RegExp(source, assertion.startsWith('line') ? 'my' : 'y');
  regex.lastIndex = place;
  return regex.test(text);
}

function machineOf(source: string, flags: string): Machine | undefined {
  const parsed = parsePattern(source, flags);
  try {
    return new Machine(compileProgram(parsed), isNullable(parsed.root) ? undefined : firstUnits(parsed.root, noUnits));
  } catch (error) {
    if (error instanceof NoProgram) return undefined;
    throw error;
  }
}

/** Start and end of the match and of its groups, -1 for those that took no part. */
function spansOfRegExp(source: string, flags: string, text: string, from: number): number[] | undefined {
  const regex = new RegExp(source, `${flags}gd`);
  regex.lastIndex = from;
  return regex.exec(text)?.indices?.flatMap((span) => span ?? [-1, -1]);
}

test('the machine gives the match and the groups that RegExp gives', () => {
  fc.assert(
    fc.property(patterns, flagsOf, texts, fc.nat(3), (source, flags, text, from) => {
      const slots = machineOf(source, flags)?.match(text, Math.min(from, text.length), () => undefined);
      const expected = spansOfRegExp(source, flags, text, Math.min(from, text.length));
      if (machineOf(source, flags) !== undefined) expect(slots).toEqual(expected);
    }),
    { numRuns: caseCount(1_500) },
  );
});

const maxCountedSteps = 200_000;

/** Counts the steps that RegExp would take, up to a limit: one for each part of the pattern that it tries. */
function stepsOver(source: string, flags: string, text: string): number {
  try {
    return backtrackingSteps(parsePattern(source, flags).root, text, maxCountedSteps);
  } catch (error) {
    if (error instanceof TooManySteps) return maxCountedSteps;
    throw error;
  }
}

function boundOver(source: string, flags: string, text: string): number {
  const { degree, factor } = backtrackingBound(parsePattern(source, flags).root);
  return Number.isFinite(degree) ? factor * (text.length + 1) ** degree : Infinity;
}

const repeated = fc.tuple(texts, fc.integer({ min: 1, max: 8 })).map(([text, times]) => text.repeat(times));

test('backtracking never takes more than four times the bound', () => {
  fc.assert(
    fc.property(patterns, flagsOf, repeated, (source, flags, text) => {
      expect(stepsOver(source, flags, text)).toBeLessThanOrEqual(4 * boundOver(source, flags, text));
    }),
    { numRuns: caseCount(1_500) },
  );
});

test.each(['((((a))))', '((((((((()))))))))', '((a|(((b)))))*'])(
  'backtracking over the groups of /%s/ keeps to the bound',
  (source) => {
    for (const text of ['', 'a', 'abab'])
      expect(stepsOver(source, '', text)).toBeLessThanOrEqual(4 * boundOver(source, '', text));
  },
);
